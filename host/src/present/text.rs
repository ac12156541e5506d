//! Text for the model from a verified value.
//!
//! Every block is rendered from the value that the app gets too, so the two say the same.

use serde_json::Value;

use super::clean;
use crate::schema::Verified;

/// Elements of a list that become blocks of their own; a longer list is one block.
const BLOCKS_MAX: usize = 1024;

/// The blocks of text for `verified`, rules T1 to T8: a string as it is; any other value as JSON
/// with an indent of two spaces; a list of 1 to 1024 elements one block an element. There is
/// always at least one block: an empty list is `[]`, and no result is `null`.
#[must_use]
pub fn blocks(verified: &Verified) -> Vec<String> {
    match verified.value() {
        Value::Array(items) if (1..=BLOCKS_MAX).contains(&items.len()) => {
            items.iter().map(block).collect()
        }
        value @ (Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_)) => vec![block(value)],
    }
}

fn block(value: &Value) -> String {
    match value {
        Value::String(text) => clean::text(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            clean::json(format!("{value:#}"))
        }
    }
}
