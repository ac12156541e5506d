//! From values to JSON text.
//!
//! Numbers are exact, fields are in the order of declaration, and what JSON cannot say is an
//! error that names its place.

use std::fmt;

use super::writer::Writer;
use super::{Function, Returns, Type, Value};

/// Why a value cannot be published. The tool's author must act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpublishable {
    pub(super) path: String,
    pub(super) what: &'static str,
}

/// What a function gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returned {
    /// A value, as JSON text of the value itself.
    Value(String),
    /// An `err`, as text for the model; empty if it has no payload.
    Error(String),
}

/// Writes a value as JSON text.
///
/// # Errors
/// [`Unpublishable`] for a number that is not finite, for a key that is there twice, and for a
/// value that is not of the type.
pub fn encode(ty: &Type, value: &Value) -> Result<String, Unpublishable> {
    let mut writer = Writer::default();
    writer.value(ty, value)?;
    writer.finish()
}

/// Writes what a function gave: its whole result, a top-level `result` among it; nothing if it
/// has none. The text of an `err` that is a string in JSON is that string; of any other `err`,
/// its JSON text.
///
/// # Errors
/// As of [`encode`].
pub fn encode_returned(
    function: &Function,
    result: Option<&Value>,
) -> Result<Returned, Unpublishable> {
    let half = |ty: &Option<Type>, value: Option<&Value>| match (ty, value) {
        (None, None) => Ok("null".to_owned()),
        (Some(ty), Some(value)) => encode(ty, value),
        (Some(_), None) | (None, Some(_)) => Err(Unpublishable::of_type(String::new())),
    };
    match (&function.returns, result) {
        (Returns::Value(ty), result) => half(ty, result).map(Returned::Value),
        (Returns::Fallible { ok, .. }, Some(Value::Result(Ok(value)))) => {
            half(ok, value.as_deref()).map(Returned::Value)
        }
        (Returns::Fallible { err: None, .. }, Some(Value::Result(Err(None)))) => {
            Ok(Returned::Error(String::new()))
        }
        (Returns::Fallible { err, .. }, Some(Value::Result(Err(value)))) => {
            let json = half(err, value.as_deref())?;
            let text = serde_json::from_str::<String>(&json);
            Ok(Returned::Error(text.unwrap_or(json)))
        }
        (Returns::Fallible { .. }, Some(_) | None) => Err(Unpublishable::of_type(String::new())),
    }
}

impl Unpublishable {
    pub(super) fn of_type(path: String) -> Self {
        Self { path, what: "is not of its type" }
    }

    /// Where it is: dotted, as in `readings.3.celsius` (rule V2); empty for the whole value.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The same seen from outside: `step` leads to the value.
    #[must_use]
    pub fn under(self, step: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Self { path: format!("{step}{dot}{}", self.path), what: self.what }
    }
}

/// As in ``"readings.3.celsius` is NaN, which JSON cannot say``.
impl fmt::Display for Unpublishable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, what } = self;
        if path.is_empty() { write!(f, "the value {what}") } else { write!(f, "`{path}` {what}") }
    }
}

impl std::error::Error for Unpublishable {}
