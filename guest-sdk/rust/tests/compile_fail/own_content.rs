use portcullis_guest::{Content, Full, tool};

#[tool(own_content)]
fn no_full_result() -> i64 {
    1
}

#[tool(own_content)]
fn nothing_but_content() -> Result<Vec<Content>, String> {
    Ok(Vec::new())
}

#[tool(own_content)]
fn nothing_but_content_in_full() -> Full<Content> {
    Full::new("a".into())
}

fn main() {}
