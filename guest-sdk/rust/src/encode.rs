//! From Rust values to JSON text and content.

use serde::Serialize;
use serde_json::Value;

use crate::content::Content;
use crate::error::Error;
use crate::{finite, root};

/// The value as JSON text.
pub(crate) fn to_json<T: Serialize>(value: &T) -> Result<String, Error> {
    let (text, has_null) = root::write(value).map_err(unwritable)?;
    if has_null {
        finite::check(value).map_err(Error::new)?;
    }
    String::from_utf8(text)
        .map_err(|_| Error::internal("the result cannot be written as JSON: it is no UTF-8"))
}

/// The value as JSON.
pub(crate) fn to_value<T: Serialize>(value: &T) -> Result<Value, Error> {
    finite::check(value).map_err(Error::new)?;
    serde_json::to_value(value).map_err(unwritable)
}

/// The blocks that a host renders from a typed value: a string is its own text, a list is one
/// block for each element, and anything else is indented JSON.
pub(crate) fn to_blocks<T: Serialize>(value: &T) -> Result<Vec<Content>, Error> {
    let blocks = match to_value(value)? {
        Value::Array(elements) => elements.into_iter().map(block).collect(),
        value => vec![block(value)],
    };
    Ok(blocks)
}

fn block(value: Value) -> Content {
    match value {
        Value::String(text) => Content::text(text),
        value => Content::text(format!("{value:#}")),
    }
}

// The author's type cannot be written at all, which no other argument would change.
fn unwritable(error: serde_json::Error) -> Error {
    Error::internal(format_args!("the result cannot be written as JSON: {error}"))
}
