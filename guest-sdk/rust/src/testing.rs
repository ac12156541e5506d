//! Native tests of tools as a host sees them.
//!
//! A tool is a plain function, and most tests call it as one. What a host adds is here: the
//! published contract, and a call by name with JSON arguments. Neither checks anything against a
//! schema; that is the host's part.
//!
//! ```
//! use portcullis_guest::{testing, tool};
//! use serde_json::json;
//!
//! /// Current temperature in a city, in whole degrees Celsius.
//! #[tool]
//! fn get_temperature(city: String) -> i64 {
//!     if city == "London" { 17 } else { 34 }
//! }
//!
//! # fn main() {
//! let component = testing::describe().unwrap();
//! assert_eq!(component["tools"][0]["input_schema"]["required"], json!(["city"]));
//!
//! let outcome = testing::call("get_temperature", json!({ "city": "London" })).unwrap();
//! assert_eq!(outcome, json!({ "value": 17 }));
//! # }
//! ```

use serde_json::{Value, json};

use crate::bindings::exports::portcullis::guest::tools as wit;
use crate::bindings::portcullis::guest::types;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::{describe, provider};

/// The crate's description: `name`, `version`, and `tools`, each with its `name`, `title`,
/// `description`, `input_schema`, `output_schema` (null for a content-only tool), `hints` and
/// `own_content`.
///
/// # Errors
/// What the host would be told: why the component cannot be described.
pub fn describe() -> std::result::Result<Value, String> {
    let component = describe::component()?;
    let tools: Vec<Value> = component.tools.into_iter().map(tool).collect();
    Ok(json!({ "name": component.name, "version": component.version, "tools": tools }))
}

/// Calls a tool by name. The outcome has a `value`, `content`, or, of a full result, all of
/// `value`, `content`, `meta` and `is_error`; bytes are shown by their number.
///
/// # Errors
/// The tool's failure.
pub fn call(name: &str, arguments: impl Into<Value>) -> Result<Value> {
    let outcome = provider::run(name, &arguments.into().to_string(), Call::default())?;
    match outcome {
        wit::Outcome::Value(typed) => Ok(json!({ "value": parsed(&typed.json) })),
        wit::Outcome::Content(blocks) => Ok(json!({ "content": all(blocks) })),
        wit::Outcome::Full(full) => {
            let meta = full.meta.into_iter();
            let meta: serde_json::Map<_, _> =
                meta.map(|entry| (entry.key, parsed(&entry.value))).collect();
            Ok(json!({
                "value": full.value.map(|typed| parsed(&typed.json)),
                "content": all(full.content),
                "meta": meta,
                "is_error": full.is_error,
            }))
        }
        wit::Outcome::InputRequired(_) | wit::Outcome::Extended(_) => {
            Err(Error::internal("an outcome that no tool of this crate has"))
        }
    }
}

fn tool(descriptor: wit::Descriptor) -> Value {
    let hints = descriptor.hints;
    json!({
        "name": descriptor.name,
        "title": descriptor.title,
        "description": descriptor.description,
        "input_schema": parsed(&descriptor.input_schema),
        "output_schema": match descriptor.output {
            wit::OutputContract::Typed(schema) => parsed(&schema),
            wit::OutputContract::ContentOnly => Value::Null,
        },
        "hints": {
            "read_only": hints.read_only,
            "destructive": hints.destructive,
            "idempotent": hints.idempotent,
            "open_world": hints.open_world,
        },
        "own_content": descriptor.own_content,
    })
}

fn all(blocks: Vec<types::Content>) -> Vec<Value> {
    blocks.into_iter().map(block).collect()
}

fn block(block: types::Content) -> Value {
    match block {
        types::Content::Text(block) => json!({ "text": block.text }),
        types::Content::Image(media) => json!({ "image": shown(&media) }),
        types::Content::Audio(media) => json!({ "audio": shown(&media) }),
        types::Content::Link(link) => json!({ "link": { "uri": link.uri, "name": link.name } }),
        types::Content::Embedded(block) => json!({ "embedded": { "uri": block.contents.uri } }),
    }
}

fn shown(media: &types::Media) -> Value {
    json!({ "mime_type": media.mime_type, "bytes": media.data.len() })
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).expect("this crate wrote it as JSON")
}
