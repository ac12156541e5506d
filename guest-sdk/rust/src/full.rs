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
/// ```
/// use portcullis_guest::{Full, tool};
///
/// /// Current temperature in a city, in whole degrees Celsius.
/// #[tool]
/// fn get_temperature(city: String) -> Full<i64> {
///     Full::new(17).meta("station", format!("{city}-1"))
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Debug)]
#[must_use = "a result reaches the host only when the tool returns it"]
pub struct Full<T> {
    pub(crate) value: T,
    pub(crate) exact_schema: Option<Value>,
    pub(crate) content: Vec<Content>,
    pub(crate) meta: Vec<(String, Value)>,
    pub(crate) is_error: bool,
    pub(crate) fault: Option<String>,
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

    pub(crate) fn check(&self) -> Result<(), Error> {
        match &self.fault {
            Some(fault) => Err(Error::internal(fault)),
            None => Ok(()),
        }
    }
}
