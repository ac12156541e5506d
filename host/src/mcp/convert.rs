//! Between the host's words and rmcp's.
//!
//! A mapping loses nothing and adds nothing; what it maps was checked before.

use std::sync::Arc;

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::Value;

use crate::catalog::{Catalog, Entry};
use crate::component::{Contract, Hints};
use crate::present::{Block, Reply};

/// The definitions of all served tools, as `tools/list` gives them.
#[must_use]
pub fn definitions(catalog: &Catalog) -> Value {
    let tools = catalog.entries().iter().map(|entry| serde_json::to_value(tool(entry)));
    Value::Array(tools.filter_map(Result::ok).collect())
}

/// A reply as `tools/call` gives it.
#[must_use]
pub fn result_json(reply: &Reply) -> Value {
    serde_json::to_value(result(reply.clone())).unwrap_or(Value::Null)
}

pub(super) fn tool(entry: &Entry) -> Tool {
    let tool = entry.tool();
    let mut definition = Tool::default();
    definition.name = entry.name.clone().into();
    definition.title.clone_from(&tool.title);
    definition.description = tool.description.clone().map(Into::into);
    definition.input_schema = tool.input.published().clone();
    definition.output_schema = match &tool.contract {
        Contract::Typed(output) => Some(output.published().clone()),
        Contract::ContentOnly => None,
    };
    definition.annotations = annotations(tool.hints);
    definition
}

fn annotations(hints: Hints) -> Option<ToolAnnotations> {
    if hints == Hints::default() {
        return None;
    }
    let Hints { read_only, destructive, idempotent, open_world } = hints;
    Some(ToolAnnotations::from_raw(None, read_only, destructive, idempotent, open_world))
}

pub(super) fn result(reply: Reply) -> CallToolResult {
    let content = reply.content.into_iter().map(block).collect();
    let mut result = match reply.is_error {
        true => CallToolResult::error(content),
        false => CallToolResult::success(content),
    };
    result.structured_content = reply.structured.map(Value::Object);
    result.meta = (!reply.meta.is_empty()).then_some(MetaObject(reply.meta));
    result
}

fn block(block: Block) -> ContentBlock {
    match block {
        Block::Text(text) => ContentBlock::text(text),
    }
}

/// Arguments as rmcp gives them.
pub(super) fn arguments(arguments: Option<JsonObject>) -> JsonObject {
    arguments.unwrap_or_default()
}

/// The definitions in rmcp's form, made once for a catalog.
pub(super) fn tools(catalog: &Catalog) -> Arc<[Tool]> {
    catalog.entries().iter().map(tool).collect()
}
