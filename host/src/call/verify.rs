//! From what a guest said to what may leave: the check against the tool's contract.
//!
//! Only this module makes an [`Output`].

use serde_json::{Map, Value};

use super::Failure;
use crate::catalog::Entry;
use crate::component::{Content, Contract, Full, Outcome, Typed};
use crate::present::Block;
use crate::schema::{Output as Schema, Unverified, Verified, strict_json};

/// A result that keeps its tool's contract.
#[derive(Debug)]
pub(crate) struct Output {
    value: Option<Verified>,
    /// Content that the author wrote; none: the content is rendered from the value.
    content: Option<Vec<Block>>,
    meta: Map<String, Value>,
    is_error: bool,
}

impl Output {
    /// The parts, for the stage that presents them.
    pub(crate) fn into_parts(
        self,
    ) -> (Option<Verified>, Option<Vec<Block>>, Map<String, Value>, bool) {
        (self.value, self.content, self.meta, self.is_error)
    }
}

/// Checks `outcome` against the contract of `entry`'s tool.
pub(super) fn outcome(entry: &Entry, outcome: Outcome) -> Result<Output, Failure> {
    match (outcome, &entry.tool().contract) {
        (Outcome::Value(typed), Contract::Typed(schema)) => Ok(Output {
            value: Some(value(entry, schema, &typed)?),
            content: None,
            meta: Map::new(),
            is_error: false,
        }),
        (Outcome::Content(blocks), Contract::ContentOnly) => Ok(Output {
            value: None,
            content: Some(content(entry, blocks)?),
            meta: Map::new(),
            is_error: false,
        }),
        (Outcome::Full(full), Contract::Typed(schema)) => typed_full(entry, schema, full),
        (Outcome::Full(full), Contract::ContentOnly) => content_full(entry, full),
        (Outcome::Value(_), Contract::ContentOnly) => {
            Err(Failure::Contract("a typed value from a tool that declares content only"))
        }
        (Outcome::Content(_), Contract::Typed(_)) => {
            Err(Failure::Contract("content from a tool that declares a typed value"))
        }
        (Outcome::InputRequired, _) => Err(Failure::NotYet("wants to ask the client something")),
        (Outcome::Extended, _) => {
            Err(Failure::NotYet("answers in words of a later portcullis:guest"))
        }
    }
}

fn typed_full(entry: &Entry, schema: &Schema, full: Full) -> Result<Output, Failure> {
    let Some(typed) = &full.value else {
        return Err(Failure::Contract("a full result without the value that its schema declares"));
    };
    let own = !full.content.is_empty();
    if own && !entry.tool().own_content {
        return Err(Failure::Contract(
            "content of its own, which its descriptor does not announce (own-content)",
        ));
    }
    Ok(Output {
        value: Some(value(entry, schema, typed)?),
        content: if own { Some(content(entry, full.content)?) } else { None },
        meta: meta(full.meta)?,
        is_error: full.is_error,
    })
}

fn content_full(entry: &Entry, full: Full) -> Result<Output, Failure> {
    if full.value.is_some() {
        return Err(Failure::Contract("a typed value from a tool that declares content only"));
    }
    Ok(Output {
        value: None,
        content: Some(content(entry, full.content)?),
        meta: meta(full.meta)?,
        is_error: full.is_error,
    })
}

fn value(entry: &Entry, schema: &Schema, typed: &Typed) -> Result<Verified, Failure> {
    let bytes_max = entry.component().limits.result_bytes_max;
    if typed.json.len() > bytes_max {
        return Err(Failure::ResultTooLarge { bytes_max });
    }
    match &typed.exact {
        None => schema.verify(&typed.json).map_err(Failure::Output),
        Some(_) => Err(Failure::NotYet("gives an exact schema of one result")),
    }
}

fn content(entry: &Entry, blocks: Vec<Content>) -> Result<Vec<Block>, Failure> {
    let bytes_max = entry.component().limits.result_bytes_max;
    let mut bytes = 0;
    let mut checked = Vec::with_capacity(blocks.len());
    for block in blocks {
        match block {
            Content::Text(text) => {
                bytes += text.len();
                checked.push(Block::text(&text));
            }
            Content::Unsupported(kind) => {
                tracing::debug!(tool = entry.name, "a block of kind {kind}");
                return Err(Failure::NotYet("gives content that is not text"));
            }
        }
    }
    if bytes > bytes_max {
        return Err(Failure::ResultTooLarge { bytes_max });
    }
    Ok(checked)
}

fn meta(entries: Vec<(String, String)>) -> Result<Map<String, Value>, Failure> {
    let mut meta = Map::new();
    for (key, text) in entries {
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        let named = edge(key.chars().next()) && edge(key.chars().last());
        if !named || key.len() > 64 || !key.chars().all(legal) {
            return Err(Failure::Contract("a meta key that is no plain name"));
        }
        let value =
            strict_json(&text).map_err(|fault| Failure::Output(Unverified::NotJson(fault)))?;
        if meta.insert(key, value).is_some() {
            return Err(Failure::Contract("two meta entries of one key"));
        }
    }
    Ok(meta)
}
