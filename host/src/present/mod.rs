//! From a verified output or a failure to a reply: the one place that writes results.
//!
//! Text is rendered from the verified value alone, unless the tool's descriptor says that it
//! writes its own.

mod block;
pub mod clean;
mod compact;
pub(crate) mod marks;
mod structured;
pub mod text;

use serde_json::{Map, Value};

pub(crate) use marks::URI_BYTES_MAX;

pub use block::{Annotations, Block, Body, Contents, Link, Media, Resource};
pub use structured::Structured;

use crate::call::{Errand, Failure, Output};
use crate::catalog::Entry;

/// What goes back to whoever called.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// For the model.
    pub content: Vec<Block>,
    /// For the app; there when the tool has an output schema and the call succeeded.
    pub structured: Option<Structured>,
    /// For the app, beside the data.
    pub meta: Map<String, Value>,
    /// Whether the call failed.
    pub is_error: bool,
}

impl Reply {
    /// The first text in it.
    pub(crate) fn first_text(&self) -> String {
        let texts = self.content.iter().filter_map(|block| match &block.body {
            Body::Text(text) => Some(text.clone()),
            Body::Image(_) | Body::Audio(_) | Body::Link(_) | Body::Embedded(_) => None,
        });
        texts.into_iter().next().unwrap_or_default()
    }
}

/// The reply of a call that kept its contract.
///
/// # Errors
/// When the text of the value has more bytes than a result may have.
pub(crate) fn output(entry: &Entry, output: Output) -> Result<Reply, Failure> {
    let parts = output.parts;
    let bytes_max = entry.component().limits.result_bytes_max;
    let content = match (parts.content, &parts.value) {
        (Some(content), _) => content,
        (None, Some(value)) => {
            let texts = text::blocks(value, bytes_max);
            let texts = texts.ok_or(Failure::ResultTooLarge { bytes_max })?;
            texts.into_iter().map(|text| Block::of(Body::Text(text))).collect()
        }
        (None, None) => Vec::new(),
    };
    let mut meta = prefixed(&entry.component().id, parts.meta);
    if let Some(exact) = parts.exact {
        meta.insert(EXACT_SCHEMA.to_owned(), exact);
    }
    Ok(Reply {
        content,
        structured: parts.value.map(crate::schema::Verified::into_structured),
        meta,
        is_error: parts.is_error,
    })
}

/// The key of a result's meta under which the app finds the exact schema of its value.
pub const EXACT_SCHEMA: &str = "portcullis/exactSchema";
/// The key of a tool's meta that marks a value which is wrapped as `{"result": …}` (rule W7).
pub const WRAPPED: &str = "portcullis/wrapped";

/// What is said of what failed. Rule E1: of a tool, it begins `Error executing tool NAME: `. What the
/// call was denied comes after it, a sentence each.
pub(crate) fn failure(
    errand: Errand<'_>,
    failure: &Failure,
    call_id: &str,
    denied: &[String],
) -> String {
    let Errand { kind, name, .. } = errand;
    let name = clean::bounded(name, 200);
    let mut text = format!("Error {} {name}: {}", kind.doing(), failure.for_model(call_id));
    for sentence in denied.iter().take(DENIED_MAX) {
        text.push_str("; ");
        text.push_str(sentence);
    }
    text
}

/// The reply that says that a call failed.
pub(crate) fn error(text: String) -> Reply {
    let text = Block::of(Body::Text(text));
    Reply { content: vec![text], structured: None, meta: Map::new(), is_error: true }
}

/// Sentences on denials in one error.
const DENIED_MAX: usize = 3;

/// Puts a component's own prefix before its meta keys, so that it can claim no other's.
fn prefixed(component: &str, meta: Map<String, Value>) -> Map<String, Value> {
    let label = label(component);
    meta.into_iter().map(|(key, value)| (format!("portcullis.{label}/{key}"), value)).collect()
}

/// The second label of a component's prefix. A label begins with a letter and has letters, digits
/// and `-`; in this place `mcp` and `modelcontextprotocol` are the protocol's own (MCP 2025-11-25,
/// `_meta`).
fn label(component: &str) -> String {
    let label = component.replace('_', "-");
    let label = label.trim_matches('-');
    let is_reserved =
        ["mcp", "modelcontextprotocol"].iter().any(|word| label.eq_ignore_ascii_case(word));
    if label.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_reserved {
        label.to_owned()
    } else {
        format!("id-{label}").trim_end_matches('-').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_legal_and_not_the_protocols() {
        for (id, expected) in [
            ("weather", "weather"),
            ("my_tool-2", "my-tool-2"),
            ("mcp", "id-mcp"),
            ("MCP", "id-MCP"),
            ("_modelcontextprotocol", "id-modelcontextprotocol"),
            ("mcp2", "mcp2"),
            ("9lives", "id-9lives"),
            ("_", "id"),
        ] {
            assert_eq!(label(id), expected, "{id}");
        }
    }
}
