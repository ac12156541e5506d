//! Native tests of tools as a host sees them.
//!
//! A tool is a plain function, and most tests call it as one. What a host adds is here: the
//! published contract, and a call by name with JSON arguments. Neither checks anything against a
//! schema; that is the host's part.
//!
#![doc = "```"]
#![doc = include_str!("../tests/native_test.rs")]
#![doc = "```"]

use serde_json::{Map, Value, json};

#[cfg(not(target_arch = "wasm32"))]
use crate::ask::{Asked, Question, Reply};
use crate::call::Call;
use crate::content::{Body, Content, Media};
use crate::describe::{self, Descriptor};
use crate::error::Result;
#[cfg(not(target_arch = "wasm32"))]
use crate::error::{Error, Kind};
use crate::output::{Contract, Outcome};
use crate::requires::{self, Directory};
use crate::run;

/// The crate's description: `name`, `version`, what it `requires`, and `tools`, each with its `name`, `title`,
/// `description`, `input_schema`, `output_schema` (null for a content-only tool), `hints` and
/// `own_content`.
///
/// # Errors
/// What the host would be told: why the component cannot be described.
pub fn describe() -> std::result::Result<Value, String> {
    let component = describe::component()?;
    let tools: Vec<Value> = component.tools.into_iter().map(tool).collect();
    Ok(json!({
        "name": component.name,
        "version": component.version,
        "requires": requirements(&component.requires),
        "tools": tools,
    }))
}

/// Calls a tool by name. The outcome has a `value`, `content`, or, of a full result, all of
/// `value`, `exact_schema`, `content`, `meta` and `is_error`; bytes are shown by their number.
///
/// # Errors
/// The tool's failure.
pub fn call(name: &str, arguments: impl Into<Value>) -> Result<Value> {
    let arguments = arguments.into().to_string();
    Ok(outcome(run::tool(name, &arguments, Call::default())?))
}

fn outcome(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Value(json) => json!({ "value": parsed(&json) }),
        Outcome::Content(blocks) => json!({ "content": all(&blocks) }),
        Outcome::Full(full) => json!({
            "value": full.json.as_deref().map(parsed),
            "exact_schema": full.exact_schema,
            "content": all(&full.content),
            "meta": full.meta.into_iter().collect::<Map<_, _>>(),
            "is_error": full.is_error,
        }),
    }
}

/// Calls a tool by name for a client that can be asked anything, and that has answered this much.
/// Where the tool asks more, the outcome is `asks`: each question by its key.
///
/// # Errors
/// The tool's failure.
#[cfg(not(target_arch = "wasm32"))]
pub fn call_answered(
    name: &str,
    arguments: impl Into<Value>,
    answers: impl IntoIterator<Item = (String, Reply)>,
) -> Result<Value> {
    let arguments = arguments.into().to_string();
    let call = Call::answered(answers.into_iter().collect());
    match run::tool(name, &arguments, call) {
        Ok(given) => Ok(outcome(given)),
        Err(Error { kind: Kind::Asks(asks), .. }) => {
            let asked = asks.questions.iter().map(|(key, it)| (key.clone(), question(it)));
            Ok(json!({ "asks": asked.collect::<Map<_, _>>(), "state": parsed(&asks.state) }))
        }
        Err(error) => Err(error),
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn question(question: &Question) -> Value {
    match &question.0 {
        Asked::Form { message, schema } => {
            json!({ "form": { "message": message, "schema": schema } })
        }
        Asked::Url { message, url } => json!({ "url": { "message": message, "url": url } }),
        Asked::Sampling(it) => json!({ "sampling": {
            "messages": it.messages.iter().map(|it| block(&it.content)).collect::<Vec<_>>(),
            "tokens_max": it.tokens_max,
        } }),
        Asked::Roots => json!({ "roots": {} }),
    }
}

fn requirements(needs: &requires::All) -> Value {
    let directory = |it: &Directory| json!({ "guest_path": it.guest_path, "access": if it.writes { "read_write" } else { "read_only" } });
    json!({
        "http": needs.http,
        "directories": needs.directories.iter().map(directory).collect::<Vec<_>>(),
        "environment": needs.environment,
        "secrets": needs.secrets,
        "client": {
            "elicit_form": needs.client.elicit_form,
            "elicit_url": needs.client.elicit_url,
            "sampling": needs.client.sampling,
            "roots": needs.client.roots,
        },
    })
}

fn tool(tool: Descriptor) -> Value {
    json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "input_schema": tool.input_schema,
        "output_schema": match tool.contract {
            Contract::Typed(schema) => schema,
            Contract::ContentOnly => Value::Null,
        },
        "hints": {
            "read_only": tool.hints.read_only,
            "destructive": tool.hints.destructive,
            "idempotent": tool.hints.idempotent,
            "open_world": tool.hints.open_world,
        },
        "own_content": tool.own_content,
    })
}

fn all(blocks: &[Content]) -> Vec<Value> {
    blocks.iter().map(block).collect()
}

fn block(block: &Content) -> Value {
    match &block.body {
        Body::Text(text) => json!({ "text": text }),
        Body::Image(media) => json!({ "image": shown(media) }),
        Body::Audio(media) => json!({ "audio": shown(media) }),
        Body::Link(link) => json!({ "link": { "uri": link.uri, "name": link.name } }),
        Body::Embedded(resource) => json!({ "embedded": { "uri": resource.uri } }),
    }
}

fn shown(media: &Media) -> Value {
    json!({ "mime_type": media.mime_type, "bytes": media.data.len() })
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).expect("this crate wrote it as JSON")
}
