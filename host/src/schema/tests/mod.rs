//! Tests of the room as a whole.

mod hostile;
mod hostile_values;
pub(super) mod laws;

use serde_json::Value;

use super::{Bounds, Output, Style, Unverified};

/// What is told of a value that does not fit: places and words.
pub(super) fn told(schema: &Value, value: &Value) -> Vec<String> {
    let output =
        Output::load(&schema.to_string(), "t", Style::default(), &Bounds::default()).unwrap();
    match output.verify(&value.to_string()) {
        Ok(_) => Vec::new(),
        Err(Unverified::Mismatch(mismatch)) => {
            mismatch.errors().map(|(at, what)| format!("{at}: {what}")).collect()
        }
        Err(other) => panic!("{other}"),
    }
}
