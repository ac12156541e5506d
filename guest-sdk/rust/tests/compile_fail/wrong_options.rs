use portcullis_guest::tool;

#[tool(readonly)]
fn unknown() {}

#[tool(title)]
fn without_text() {}

#[tool(read_only = "yes")]
fn with_text() {}

#[tool(name = "get weather")]
fn with_a_space() {}

#[tool(idempotent, idempotent)]
fn twice() {}

#[tool(content_only, own_content)]
fn at_odds() {}

#[tool(read_only, destructive)]
fn at_odds_as_well() {}

#[tool]
fn größe() {}

fn main() {}
