//! What the official conformance suite of MCP expects of a server: tools, resources, prompts and
//! suggestions under the names, and with the words, that its scenarios look for.

mod arguments;
mod asking;
mod media;
mod prompts;
mod resources;

use std::thread::sleep;
use std::time::Duration;

use media::{PNG, WAV};
use portcullis_guest::{Content, Embedded, Error, Result, changed, log, progress, tool};

/// Plain text.
#[tool(content_only)]
fn test_simple_text() -> String {
    "This is a simple text response for testing.".to_owned()
}

/// An image.
#[tool]
fn test_image_content() -> Content {
    Content::image(PNG, "image/png")
}

/// A sound.
#[tool]
fn test_audio_content() -> Content {
    Content::audio(WAV, "audio/wav")
}

/// A resource within the content.
#[tool]
fn test_embedded_resource() -> Content {
    Embedded::text("test://embedded-resource", "This is an embedded resource content.")
        .mime_type("text/plain")
        .into()
}

/// Text, an image and a resource.
#[tool]
fn test_multiple_content_types() -> Vec<Content> {
    let resource =
        Embedded::text("test://mixed-content-resource", r#"{"test":"data","value":123}"#)
            .mime_type("application/json");
    vec!["Multiple content types test:".into(), Content::image(PNG, "image/png"), resource.into()]
}

/// Writes log lines while it runs.
#[tool(content_only)]
fn test_tool_with_logging() -> String {
    log::info("Tool execution started");
    sleep(Duration::from_millis(50));
    log::info("Tool processing data");
    sleep(Duration::from_millis(50));
    log::info("Tool execution completed");
    "Logged three lines".to_owned()
}

/// Writes a log line.
#[tool(content_only)]
fn test_logging_tool() -> String {
    log::info("A line for whoever asked for it");
    "Logged a line".to_owned()
}

/// Says how far it has come.
#[tool(content_only)]
fn test_tool_with_progress() -> String {
    for done in [0.0, 50.0, 100.0] {
        if done > 0.0 {
            sleep(Duration::from_millis(50));
        }
        progress::report(done, Some(100.0));
    }
    "Reported three steps".to_owned()
}

/// Fails.
#[tool(content_only)]
fn test_error_handling() -> Result<String> {
    Err(Error::new("This tool intentionally returns an error for testing"))
}

/// Says that the tools are others now.
#[tool(content_only)]
fn test_trigger_tool_change() -> String {
    changed::tools();
    "Announced".to_owned()
}

/// Says that the prompts are others now.
#[tool(content_only)]
fn test_trigger_prompt_change() -> String {
    changed::prompts();
    "Announced".to_owned()
}

/// Says that the resources, and the contents of the one that is watched, are others now.
#[tool(content_only)]
fn test_trigger_resource_change() -> String {
    changed::resources();
    changed::resource("test://watched-resource");
    "Announced".to_owned()
}
