//! What a call gives.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::data::{Call, Form, Full, Stops, Tool};
use crate::exports::portcullis::guest::tools::{
    Failure, FullResult, MetaEntry, Outcome, TypedValue, ValueSchema,
};
use crate::portcullis::guest::types::{
    Content, EmbeddedResource, FailureKind, Media, ResourceBody, ResourceContents, ResourceLink,
    TextBlock,
};

/// The outcome of a call: the recorded one, but where its form says otherwise.
pub(crate) fn of(tool: &Tool, form: &Form, call: &Call) -> Result<Outcome, Failure> {
    let gives = form.gives(call);
    match &gives.stops {
        Some(Stops::Exit) => std::process::exit(1),
        Some(Stops::Panic) => panic!("{}", call.case),
        None => {}
    }
    if let Some(fails) = &gives.fails {
        let kind = if fails.deliberately { FailureKind::ToolError } else { FailureKind::Internal };
        return Err(Failure { kind, message: fails.message.clone() });
    }
    if let Some(full) = &gives.full {
        return Ok(Outcome::Full(full_result(full, call)));
    }
    if let Some(json) = &gives.value {
        return Ok(Outcome::Value(declared(json.clone())));
    }
    match call.gave("structuredContent") {
        Some(structured) => Ok(Outcome::Value(declared(value(tool, structured).to_string()))),
        None => Ok(Outcome::Content(content(call))),
    }
}

/// The value itself, of what may be wrapped.
fn value<'v>(tool: &Tool, structured: &'v Value) -> &'v Value {
    if tool.is_wrapped() { &structured["result"] } else { structured }
}

fn declared(json: String) -> TypedValue {
    TypedValue { json, schema: ValueSchema::Declared }
}

fn full_result(full: &Full, call: &Call) -> FullResult {
    let meta = full.meta.iter();
    FullResult {
        content: content(call),
        value: full.value.clone().map(declared),
        meta: meta
            .map(|(key, value)| MetaEntry { key: key.clone(), value: value.to_string() })
            .collect(),
        is_error: full.is_error,
    }
}

/// The recorded blocks.
fn content(call: &Call) -> Vec<Content> {
    let blocks = call.gave("content").and_then(Value::as_array);
    blocks.into_iter().flatten().map(block).collect()
}

fn block(block: &Value) -> Content {
    let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
    let media = || Media {
        data: STANDARD.decode(text("data")).unwrap_or_default(),
        mime_type: text("mimeType"),
        annotations: None,
    };
    match text("type").as_str() {
        "text" => Content::Text(TextBlock { text: text("text"), annotations: None }),
        "image" => Content::Image(media()),
        "audio" => Content::Audio(media()),
        "resource_link" => Content::Link(ResourceLink {
            uri: text("uri"),
            name: text("name"),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            annotations: None,
        }),
        "resource" => {
            let resource = &block["resource"];
            let text = |key: &str| resource[key].as_str().map(str::to_owned);
            Content::Embedded(EmbeddedResource {
                contents: ResourceContents {
                    uri: text("uri").unwrap_or_default(),
                    mime_type: text("mimeType"),
                    body: ResourceBody::Text(text("text").unwrap_or_default()),
                },
                annotations: None,
            })
        }
        other => panic!("no block was recorded of type {other}"),
    }
}
