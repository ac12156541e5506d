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
    /// Either of them has too many bytes.
    TooLarge,
}

/// Writes a value as JSON text.
///
/// # Errors
/// [`Unpublishable`] for a number that is not finite, for a key that is there twice, and for a
/// value that is not of the type.
pub fn encode(ty: &Type, value: &Value) -> Result<String, Unpublishable> {
    let json = encode_within(ty, value, usize::MAX)?;
    json.ok_or_else(|| Unpublishable::of_type(String::new()))
}

/// The same; none if the text has more than `bytes_max` bytes.
fn encode_within(
    ty: &Type,
    value: &Value,
    bytes_max: usize,
) -> Result<Option<String>, Unpublishable> {
    let mut writer = Writer::new(bytes_max);
    let written = writer.value(ty, value);
    writer.finish(written)
}

/// Writes what a function gave: its whole result, a top-level `result` among it; nothing if it
/// has none. The text of an `err` that is a string in JSON is that string; of any other `err`,
/// its JSON text. Of neither is more than about `bytes_max` bytes of JSON ever written.
///
/// # Errors
/// As of [`encode`].
pub fn encode_returned(
    function: &Function,
    result: Option<&Value>,
    bytes_max: usize,
) -> Result<Returned, Unpublishable> {
    let half = |ty: &Option<Type>, value: Option<&Value>| match (ty, value) {
        (None, None) => Ok(Some("null".to_owned())),
        (Some(ty), Some(value)) => encode_within(ty, value, bytes_max),
        (Some(_), None) | (None, Some(_)) => Err(Unpublishable::of_type(String::new())),
    };
    let value = |json: Option<String>| json.map_or(Returned::TooLarge, Returned::Value);
    match (&function.returns, result) {
        (Returns::Value(ty), result) => half(ty, result).map(value),
        (Returns::Fallible { ok, .. }, Some(Value::Result(Ok(given)))) => {
            half(ok, given.as_deref()).map(value)
        }
        (Returns::Fallible { err: None, .. }, Some(Value::Result(Err(None)))) => {
            Ok(Returned::Error(String::new()))
        }
        (Returns::Fallible { err, .. }, Some(Value::Result(Err(given)))) => {
            let Some(json) = half(err, given.as_deref())? else { return Ok(Returned::TooLarge) };
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
