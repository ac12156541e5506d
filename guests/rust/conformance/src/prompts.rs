//! Prompts.

use portcullis_guest::{
    Call, Content, Embedded, Message, Question, Result, Typing, complete, prompt,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::media::PNG;

/// A prompt without arguments.
#[prompt(title = "Simple")]
fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

/// A prompt with two arguments.
#[prompt]
fn test_prompt_with_arguments(
    /// First test argument
    arg1: String,
    /// Second test argument
    arg2: String,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

/// A prompt that holds a resource.
#[prompt]
fn test_prompt_with_embedded_resource(
    /// URI of the resource to embed
    #[rename("resourceUri")]
    resource_uri: String,
) -> Vec<Message> {
    let resource = Embedded::text(resource_uri, "Embedded resource content for testing.");
    vec![
        Message::user(resource.mime_type("text/plain")),
        Message::user("Please process the embedded resource above."),
    ]
}

/// A prompt that holds an image.
#[prompt]
fn test_prompt_with_image() -> Vec<Message> {
    vec![
        Message::user(Content::image(PNG, "image/png")),
        Message::user("Please analyze the image above."),
    ]
}

#[derive(Deserialize, JsonSchema)]
struct Context {
    context: String,
}

/// A prompt that asks first.
#[prompt]
fn test_input_required_result_prompt(call: &Call) -> Result<String> {
    let question = Question::form::<Context>("What context should the prompt use?");
    let context: Context = call.ask("user_context", question)?.accepted()?;
    Ok(format!("Use this context: {}", context.context))
}

#[complete(prompt = "test_prompt_with_arguments", argument = "arg1")]
fn places(typed: String) -> Vec<&'static str> {
    ["paris", "park", "party"].into_iter().filter(|it| it.starts_with(&typed)).collect()
}

#[complete(prompt = "test_prompt_with_arguments", argument = "arg2")]
fn other(typing: &Typing) -> Vec<String> {
    let first = typing.settled("arg1").unwrap_or_default();
    vec![format!("{}{first}", typing.text())]
}
