//! Between the host's words and rmcp's.
//!
//! A mapping loses nothing and adds nothing; what it maps was checked before.

use std::sync::Arc;

use rmcp::model::{
    Annotations, AudioContent, CallToolResult, ContentBlock, EmbeddedResource, ImageContent,
    JsonObject, MetaObject, Resource, ResourceContents, Role, TextContent, Tool, ToolAnnotations,
};
use serde_json::Value;

use super::aside::Aside;
use crate::catalog::{Catalog, Entry};
use crate::component::{Contract, Hints};
use crate::present::{self, Block, Body, Contents, Reply, Structured};

/// The definitions of all served tools, as `tools/list` gives them.
#[must_use]
pub fn definitions(catalog: &Catalog) -> Value {
    let tools = catalog.entries().iter().map(|entry| serde_json::to_value(tool(entry)));
    Value::Array(tools.filter_map(Result::ok).collect())
}

/// A reply as `tools/call` gives it, without the marks of a protocol version.
#[must_use]
pub fn result_json(reply: &Reply) -> Value {
    let mut result = result(reply.clone(), None);
    result.result_type = None;
    serde_json::to_value(result).unwrap_or(Value::Null)
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
    definition.meta = wrapped(&tool.contract);
    definition.annotations = annotations(tool.hints);
    definition
}

/// Rule W7: a record with a field `result` must not be taken for a wrapped value.
fn wrapped(contract: &Contract) -> Option<MetaObject> {
    match contract {
        Contract::Typed(output) if output.wraps() => {
            let mark = (present::WRAPPED.to_owned(), Value::Bool(true));
            Some(MetaObject(JsonObject::from_iter([mark])))
        }
        Contract::Typed(_) | Contract::ContentOnly => None,
    }
}

fn annotations(hints: Hints) -> Option<ToolAnnotations> {
    if hints == Hints::default() {
        return None;
    }
    let Hints { read_only, destructive, idempotent, open_world } = hints;
    Some(ToolAnnotations::from_raw(None, read_only, destructive, idempotent, open_world))
}

/// A result as rmcp has it; what is `aside` there has only a mark in it.
pub(super) fn result(reply: Reply, aside: Option<&Aside>) -> CallToolResult {
    let content = reply.content.into_iter().map(|content| match aside {
        Some(aside) => aside_text(block(content), aside),
        None => block(content),
    });
    let content = content.collect();
    let mut result = match reply.is_error {
        true => CallToolResult::error(content),
        false => CallToolResult::success(content),
    };
    result.structured_content =
        reply.structured.map(|structured| Value::Object(placed(structured, aside)));
    result.meta = (!reply.meta.is_empty()).then_some(MetaObject(reply.meta));
    result
}

fn aside_text(mut block: ContentBlock, aside: &Aside) -> ContentBlock {
    if let ContentBlock::Text(content) = &mut block {
        content.text = aside.text(std::mem::take(&mut content.text));
    }
    block
}

/// `structured` itself, or the mark of its place.
fn placed(structured: Structured, aside: Option<&Aside>) -> JsonObject {
    let kept = match aside {
        Some(aside) => aside.object(structured.into_string()).map_err(Structured::new),
        None => Err(structured),
    };
    kept.unwrap_or_else(|structured| structured.to_map())
}

pub(super) fn block(block: Block) -> ContentBlock {
    let notes = block.annotations.map(notes);
    match block.body {
        Body::Text(text) => {
            let mut content = TextContent::new(text);
            content.annotations = notes;
            ContentBlock::Text(content)
        }
        Body::Image(media) => {
            let mut content = ImageContent::new(media.data, media.mime_type);
            content.annotations = notes;
            ContentBlock::Image(content)
        }
        Body::Audio(media) => {
            let mut content = AudioContent::new(media.data, media.mime_type);
            content.annotations = notes;
            ContentBlock::Audio(content)
        }
        Body::Link(link) => {
            let mut resource = Resource::new(link.uri, link.name);
            resource.title = link.title;
            resource.description = link.description;
            resource.mime_type = link.mime_type;
            resource.size = link.size;
            resource.annotations = notes;
            ContentBlock::ResourceLink(resource)
        }
        Body::Embedded(resource) => {
            let mut content = EmbeddedResource::new(contents(resource));
            content.annotations = notes;
            ContentBlock::Resource(content)
        }
    }
}

pub(super) fn contents(resource: present::Resource) -> ResourceContents {
    let present::Resource { uri, mime_type, contents } = resource;
    match contents {
        Contents::Text(text) => {
            ResourceContents::TextResourceContents { uri, mime_type, text, meta: None }
        }
        Contents::Blob(blob) => {
            ResourceContents::BlobResourceContents { uri, mime_type, blob, meta: None }
        }
    }
}

pub(super) fn notes(notes: present::Annotations) -> Annotations {
    let audience = [(notes.user, Role::User), (notes.assistant, Role::Assistant)];
    let audience: Vec<Role> =
        audience.into_iter().filter(|(meant, _)| *meant).map(|(_, role)| role).collect();
    let mut annotations = Annotations::default();
    annotations.audience = (!audience.is_empty()).then_some(audience);
    #[expect(clippy::cast_possible_truncation, reason = "rmcp has single precision here")]
    let priority = notes.priority.map(|priority| priority as f32);
    annotations.priority = priority;
    annotations.last_modified = notes.last_modified;
    annotations
}

/// The definitions in rmcp's form, made once for a catalog.
pub(super) fn tools(catalog: &Catalog) -> Arc<[Tool]> {
    catalog.entries().iter().map(tool).collect()
}
