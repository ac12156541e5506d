use portcullis_guest::tool;

#[tool]
fn get_weather() {}

#[tool(name = "Get_Weather")]
fn weather() {}

fn main() {}
