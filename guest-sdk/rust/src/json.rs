//! Values of which only the host can say whether they keep the contract.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::strict;

/// A JSON value that is promised to be a `T`: the schema is `T`'s, the value is whatever it is.
///
/// It is the form for data that comes from somewhere else. The schema is not checked here; the
/// host checks every result against it, and a mismatch is a tool error that names the field.
///
#[doc = "```"]
#[doc = include_str!("../tests/examples/json.rs")]
#[doc = "```"]
pub struct Json<T> {
    value: Value,
    promised: PhantomData<fn() -> T>,
}

impl<T> Json<T> {
    /// Takes a value as it is.
    pub fn new(value: impl Into<Value>) -> Self {
        Self { value: value.into(), promised: PhantomData }
    }

    /// Reads JSON text, by the host's rules for results.
    ///
    /// # Errors
    /// When the text is no JSON, or none that every reader reads alike: where a key is given
    /// twice, or an integer fits neither `i64` nor `u64`.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        strict::value(text).map(Self::new)
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The value, by itself.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.value
    }
}

impl<T> From<Value> for Json<T> {
    fn from(value: Value) -> Self {
        Self::new(value)
    }
}

impl<T> Clone for Json<T> {
    fn clone(&self) -> Self {
        Self::new(self.value.clone())
    }
}

impl<T> std::fmt::Debug for Json<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.value.fmt(f)
    }
}

impl<T> PartialEq for Json<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T> Serialize for Json<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<'de, T> Deserialize<'de> for Json<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::new)
    }
}

impl<T: JsonSchema> JsonSchema for Json<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
