//! Secrets that would leave: what a component was granted as a secret is in nothing that it says.
//!
//! A result that holds one is an error and not a redaction, so that nobody works with half of it;
//! in the log, a secret is replaced by its name.

use serde_json::{Map, Value};

use super::Failure;
use crate::grants::Secret;
use crate::present::{Block, Body, Contents, Reply, Resource, Structured};

/// Passes `reply` on.
///
/// # Errors
/// [`Failure::Secret`] when one of `secrets` is in it.
pub(super) fn check(reply: Reply, secrets: &[Secret]) -> Result<Reply, Failure> {
    if secrets.is_empty() {
        return Ok(reply);
    }
    let structured = reply.structured.as_ref().map(Structured::to_map);
    for secret in secrets {
        if holds(&reply, structured.as_ref(), secret) {
            return Err(Failure::Secret { name: secret.name.clone() });
        }
    }
    Ok(reply)
}

/// Passes `text` on.
///
/// # Errors
/// [`Failure::Secret`] when one of `secrets` is in it.
pub(super) fn check_text(text: String, secrets: &[Secret]) -> Result<String, Failure> {
    match secrets.iter().find(|secret| in_text(&text, secret)) {
        Some(secret) => Err(Failure::Secret { name: secret.name.clone() }),
        None => Ok(text),
    }
}

/// `text` for the log.
pub(super) fn redacted(text: &str, secrets: &[Secret]) -> String {
    // The longest first: one may be the beginning of another.
    let mut forms: Vec<(&str, &str)> = secrets
        .iter()
        .flat_map(|secret| secret.text.forms().iter().map(|form| (form.as_str(), &*secret.name)))
        .collect();
    forms.sort_by_key(|(form, _)| std::cmp::Reverse(form.len()));
    forms.iter().fold(text.to_owned(), |text, (form, name)| match text.contains(form) {
        true => text.replace(form, &format!("[secret {name}]")),
        false => text,
    })
}

/// The end of what was printed may begin in the middle of a secret: without what may be part of it.
pub(super) fn beyond_cut<'a>(text: &'a str, secrets: &[Secret]) -> &'a str {
    let lengths = secrets.iter().flat_map(|secret| secret.text.forms().iter().map(String::len));
    let cut = lengths.max().unwrap_or(0).min(text.len());
    &text[text.ceil_char_boundary(cut)..]
}

/// `structured`: what is in the reply as text.
fn holds(reply: &Reply, structured: Option<&Map<String, Value>>, secret: &Secret) -> bool {
    let in_map = |map: &Map<String, Value>| {
        map.iter().any(|(key, value)| in_text(key, secret) || in_value(value, secret))
    };
    // A reader puts the blocks together.
    let texts = reply.content.iter().filter_map(|block| match &block.body {
        Body::Text(text) => Some(text.as_str()),
        Body::Image(_) | Body::Audio(_) | Body::Link(_) | Body::Embedded(_) => None,
    });
    in_text(&texts.collect::<String>(), secret)
        || reply.content.iter().any(|block| in_block(block, secret))
        || structured.is_some_and(in_map)
        || in_map(&reply.meta)
}

fn in_text(text: &str, secret: &Secret) -> bool {
    secret.text.is_in(text.as_bytes())
}

fn in_value(value: &Value, secret: &Secret) -> bool {
    match value {
        Value::Null | Value::Bool(_) => false,
        // A secret of digits alone is one as a number, too.
        Value::Number(number) => in_text(&number.to_string(), secret),
        Value::String(text) => in_text(text, secret),
        Value::Array(items) => items.iter().any(|item| in_value(item, secret)),
        Value::Object(entries) => {
            entries.iter().any(|(key, entry)| in_text(key, secret) || in_value(entry, secret))
        }
    }
}

/// Whether `block` holds `secret`.
pub(super) fn in_block(block: &Block, secret: &Secret) -> bool {
    let texts =
        |texts: &[Option<&String>]| texts.iter().flatten().any(|text| in_text(text, secret));
    let annotated = block.annotations.as_ref().and_then(|notes| notes.last_modified.as_ref());
    texts(&[annotated])
        || match &block.body {
            Body::Text(text) => in_text(text, secret),
            Body::Image(media) | Body::Audio(media) => {
                in_text(&media.data, secret) || in_text(&media.mime_type, secret)
            }
            Body::Link(link) => texts(&[
                Some(&link.uri),
                Some(&link.name),
                link.title.as_ref(),
                link.description.as_ref(),
                link.mime_type.as_ref(),
            ]),
            Body::Embedded(resource) => in_resource(resource, secret),
        }
}

/// Whether `resource` holds `secret`.
pub(super) fn in_resource(resource: &Resource, secret: &Secret) -> bool {
    in_text(&resource.uri, secret)
        || resource.mime_type.as_ref().is_some_and(|mime_type| in_text(mime_type, secret))
        || match &resource.contents {
            Contents::Text(text) => in_text(text, secret),
            Contents::Blob(blob) => in_text(blob, secret),
        }
}
