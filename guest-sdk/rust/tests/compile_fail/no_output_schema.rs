use portcullis_guest::tool;

struct Station {
    name: String,
    online: bool,
}

/// Look up a weather station by name.
#[tool]
fn get_station(name: String) -> Station {
    Station { name, online: true }
}

/// Look up weather stations.
#[tool]
fn get_stations() -> Result<Vec<Station>, String> {
    Ok(Vec::new())
}

/// A weather station for people to read.
#[tool(content_only)]
fn show_station(name: String) -> Station {
    Station { name, online: true }
}

fn main() {}
