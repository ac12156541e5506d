//! Results of which the author controls every part.

use serde::Serialize;
use serde_json::Value;

use crate::content::Content;
use crate::encode;
use crate::error::Error;

/// A full result: a value of type `T` and what goes beside it.
///
/// The value answers to `T`'s schema as ever. Meta is for the app and never reaches the model.
///
#[doc = "```"]
#[doc = include_str!("../tests/examples/full.rs")]
#[doc = "```"]
#[derive(Clone, Debug)]
#[must_use = "a result reaches the host only when the tool returns it"]
pub struct Full<T> {
    pub(crate) value: T,
    exact_schema: Option<Value>,
    pub(crate) content: Vec<Content>,
    meta: Vec<(String, Value)>,
    is_error: bool,
    fault: Option<String>,
}

impl<T> Full<T> {
    /// A result with this value and nothing else.
    pub fn new(value: T) -> Self {
        Self {
            value,
            exact_schema: None,
            content: Vec::new(),
            meta: Vec::new(),
            is_error: false,
            fault: None,
        }
    }

    /// Adds an entry of meta; the host puts the component's own prefix before the key.
    pub fn meta(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        let key = key.into();
        match encode::to_value(&value) {
            Ok(value) => self.meta.push((key, value)),
            Err(error) => self.fault = Some(format!("meta `{key}`: {error}")),
        }
        self
    }

    /// Adds a content block of the tool's own; takes `#[tool(own_content)]`. Otherwise the host
    /// renders the content from the value.
    pub fn content(mut self, block: impl Into<Content>) -> Self {
        self.content.push(block.into());
        self
    }

    /// Says that the call ran and that what it says is that it failed.
    pub fn error(mut self) -> Self {
        self.is_error = true;
        self
    }

    /// A JSON Schema for this one value that is narrower than `T`'s, such as the columns that a
    /// query turned out to have. The value is checked against both.
    pub fn exact_schema(mut self, schema: impl Into<Value>) -> Self {
        self.exact_schema = Some(schema.into());
        self
    }

    /// The parts, as an outcome has them: the value's JSON, or the blocks that stand for it.
    pub(crate) fn finish(self, json: Option<String>, blocks: Vec<Content>) -> Result<Parts, Error> {
        if let Some(fault) = self.fault {
            return Err(Error::internal(fault));
        }
        Ok(Parts {
            json,
            exact_schema: self.exact_schema,
            content: blocks.into_iter().chain(self.content).collect(),
            meta: self.meta,
            is_error: self.is_error,
        })
    }
}

/// A full result whose value is written.
pub struct Parts {
    pub(crate) json: Option<String>,
    pub(crate) exact_schema: Option<Value>,
    pub(crate) content: Vec<Content>,
    pub(crate) meta: Vec<(String, Value)>,
    pub(crate) is_error: bool,
}
