use portcullis_guest::{Content, Link, tool};

/// The radar picture, and where to find the next one.
#[tool]
fn radar() -> Vec<Content> {
    vec![
        Content::image(b"\x89PNG\r\n\x1a\n".to_vec(), "image/png").for_user(),
        Link::new("https://weather.example/radar", "radar").into(),
    ]
}
