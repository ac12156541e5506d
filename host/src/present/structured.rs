//! Structured content, as text.

use serde_json::{Map, Value};

/// A JSON object that was checked, as JSON text: compact, as `serde_json` writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structured(String);

impl Structured {
    /// `json`: an object, as `serde_json` writes it.
    pub(crate) fn new(json: String) -> Self {
        Self(json)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, without a copy.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// The object.
    #[must_use]
    pub fn to_map(&self) -> Map<String, Value> {
        match serde_json::from_str(&self.0) {
            Ok(map) => map,
            Err(_) => unreachable!("it was read as JSON before it was written"),
        }
    }
}
