//! A component whose resources, prompts, suggestions and questions misbehave, each in one way.

use portcullis_guest::{
    Call, Content, Embedded, Message, Question, Result, Suggestions, changed, complete, log,
    prompt, resource, tool,
};
use serde_json::{Value, json};

/// Gives what belongs to another.
#[resource(uri = "bad://another")]
fn another() -> Embedded {
    Embedded::text("bad://secret", "This is another one.")
}

/// Climbs out of where it was asked.
#[resource(uri = "bad://climbs")]
fn climbs() -> Embedded {
    Embedded::text("bad://climbs/../secret", "Up here.")
}

/// Gives what is below it as well.
#[resource(uri = "bad://directory")]
fn directory() -> Vec<Embedded> {
    vec![
        Embedded::text("bad://directory/a", "A").mime_type("Text/Plain"),
        Embedded::bytes("bad://directory/b", vec![0, 255]),
    ]
}

/// Is no image.
#[resource(uri = "bad://picture", mime_type = "image/png")]
fn picture() -> Vec<u8> {
    b"<svg/>".to_vec()
}

/// Has no such type.
#[resource(uri = "bad://typeless")]
fn typeless() -> Embedded {
    Embedded::text("bad://typeless", "x").mime_type("no type")
}

/// Has no end.
#[resource(uri = "bad://endless")]
fn endless() -> String {
    "x".repeat(5 << 20)
}

/// Stops.
#[resource(uri = "bad://panics")]
fn panics() -> String {
    panic!("no contents today")
}

/// Is a program.
#[resource(uri = "javascript:alert(1)")]
fn active() -> &'static str {
    "alert(1)"
}

#[doc = "Hides \u{202e}something."]
#[resource(uri = "bad://hidden")]
fn hidden() -> &'static str {
    ""
}

/// Shows something that is no image.
#[prompt]
fn wrong_media() -> Message {
    Message::user(Content::image(b"GIF89a".to_vec(), "image/png"))
}

/// Shows what a reader cannot see.
#[prompt]
fn hidden_text() -> &'static str {
    "a\u{202e}b"
}

/// Has three arguments.
#[prompt]
fn completed(many: Option<String>, huge: Option<String>, hides: Option<String>) -> String {
    [many, huge, hides].into_iter().flatten().collect()
}

#[complete(prompt = "completed", argument = "many")]
fn many(_typed: String) -> Suggestions {
    Suggestions::new((0..1000).map(|it| it.to_string()))
}

#[complete(prompt = "completed", argument = "huge")]
fn huge(_typed: String) -> Suggestions {
    Suggestions::new((0..100).map(|_| "x".repeat(50 << 10)))
}

#[complete(prompt = "completed", argument = "hides")]
fn hides(_typed: String) -> Vec<&'static str> {
    vec!["a\u{200b}b"]
}

/// Asks with the schema that it is given.
#[tool(content_only)]
fn asks(schema: String, call: &Call) -> Result<String> {
    let schema: Value = serde_json::from_str(&schema)?;
    call.ask("it", Question::form_of("Please?", schema))?;
    Ok("answered".to_owned())
}

/// Asks again and again.
#[tool(content_only)]
fn asks_for_ever(call: &Call) -> Result<String> {
    let schema = json!({ "type": "object", "properties": { "x": { "type": "string" } } });
    for round in 0_u32.. {
        call.ask(format_args!("q{round}"), Question::form_of("And?", schema.clone()))?;
    }
    Ok("never".to_owned())
}

/// Sends the user somewhere.
#[tool(content_only)]
fn sends_to(url: String, call: &Call) -> Result<String> {
    call.ask("visit", Question::url("Please go there", url))?;
    Ok("visited".to_owned())
}

/// Says where it stands in a trace.
#[tool(content_only)]
fn trace(call: &Call) -> String {
    let (parent, state) = (call.trace_parent(), call.trace_state());
    format!("{} {}", parent.unwrap_or("none"), state.unwrap_or("none"))
}

/// Writes a line that is not urgent, one that hides something, and one that is long.
#[tool(content_only)]
fn logs(call: &Call) -> String {
    log::debug("quiet");
    log::write(log::Level::Warning, Some("part"), "loud\u{1b}[2J");
    log::error("x".repeat(10_000));
    call.wants_log(log::Level::Warning).to_string()
}

/// Writes more lines than anybody reads.
#[tool(content_only)]
fn floods_log() -> &'static str {
    for _ in 0..10_000 {
        log::error("x".repeat(1000));
    }
    "flooded"
}

/// Announces what may not be its own, and what is.
#[tool(content_only)]
fn announces(uri: String) -> &'static str {
    changed::resource(uri);
    changed::resource("bad://directory");
    "announced"
}
