//! The keys of maps.
//!
//! A scalar is written as the string that a reader expects, and one key in one way; a map with
//! any other keys is an array of pairs (rule W5).

use serde_json::{Map, Value as Json, json};

use super::{Definition, Integer, Label, Type, Value, scalars};

/// A number as JSON has it.
const FLOAT: &str = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$";

/// What a type is as a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key<'t> {
    /// A string that is itself.
    Text,
    /// A scalar that has one way to be written as a string.
    Bool,
    Char,
    Integer(Integer),
    F32,
    F64,
    /// One of these names.
    Enum(&'t [Label]),
    /// Nothing that a string says well.
    Compound,
}

impl<'t> Key<'t> {
    pub(super) fn of(ty: &'t Type) -> Self {
        match ty.plain() {
            Type::String => Self::Text,
            Type::Bool => Self::Bool,
            Type::Char => Self::Char,
            Type::Integer(integer, _) => Self::Integer(*integer),
            Type::F32 => Self::F32,
            Type::F64 => Self::F64,
            Type::Named(named) => match &named.definition {
                Definition::Enum(labels) => Self::Enum(labels),
                Definition::Record(_) | Definition::Variant(_) | Definition::Flags(_) => {
                    Self::Compound
                }
            },
            Type::Bytes
            | Type::List(_)
            | Type::FixedList(..)
            | Type::Pairs(_)
            | Type::Map(_)
            | Type::Tuple(_)
            | Type::Option(_)
            | Type::Result(_)
            | Type::Alias(_) => Self::Compound,
        }
    }

    /// Whether a map with such keys is an object.
    pub(super) fn is_scalar(self) -> bool {
        self != Self::Compound
    }

    /// What property names are like; none if they are any string. An enum is referred to.
    pub(super) fn names(self) -> Option<Map<String, Json>> {
        let names = match self {
            Self::Text | Self::Enum(_) | Self::Compound => return None,
            Self::Bool => json!({"enum": ["true", "false"]}),
            Self::Char => json!({"minLength": 1, "maxLength": 1}),
            Self::Integer(integer) => json!({"pattern": scalars::integer_pattern(integer)}),
            Self::F32 | Self::F64 => json!({"pattern": FLOAT}),
        };
        names.as_object().cloned()
    }

    /// A key as a property name; none if it is not of the type, or not finite.
    pub(super) fn write(self, key: &Value) -> Option<String> {
        match (self, key) {
            (Self::Text, Value::String(text)) => Some(text.clone()),
            (Self::Bool, Value::Bool(value)) => Some(value.to_string()),
            (Self::Char, Value::Char(c)) => Some(c.to_string()),
            (Self::Integer(integer), value) => {
                value.integer().filter(|(of, _)| *of == integer).map(|(_, n)| n.to_string())
            }
            (Self::F32, Value::F32(float)) if float.is_finite() => {
                serde_json::to_string(&scalars::widened(*float)).ok()
            }
            (Self::F64, Value::F64(float)) if float.is_finite() => {
                serde_json::to_string(float).ok()
            }
            (Self::Enum(labels), Value::Enum(name)) => {
                labels.iter().any(|label| label.name == *name).then(|| name.clone())
            }
            (
                Self::Text
                | Self::Bool
                | Self::Char
                | Self::F32
                | Self::F64
                | Self::Enum(_)
                | Self::Compound,
                _,
            ) => None,
        }
    }

    /// The key that a property name says.
    ///
    /// # Errors
    /// What it should be.
    pub(super) fn read(self, name: &str) -> Result<Value, String> {
        let number = || name.parse::<serde_json::Number>().ok();
        let float = || number().and_then(|number| number.as_f64());
        let found = match self {
            Self::Text => Some(Value::String(name.to_owned())),
            Self::Bool => match name {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _other => None,
            },
            Self::Char => scalars::single(name).map(Value::Char),
            Self::Integer(integer) => scalars::digits(integer, name),
            Self::F32 => float().and_then(scalars::narrowed).map(Value::F32),
            Self::F64 => float().map(Value::F64),
            Self::Enum(labels) => labels
                .iter()
                .find(|label| label.name == name)
                .map(|label| Value::Enum(label.name.clone())),
            Self::Compound => None,
        };
        found.ok_or_else(|| format!("Key should be {}", self.noun()))
    }

    fn noun(self) -> String {
        match self {
            Self::Text | Self::Compound => "a valid string".to_owned(),
            Self::Bool => "'true' or 'false'".to_owned(),
            Self::Char => "one character".to_owned(),
            Self::Integer(integer) => {
                let (least, greatest) = integer.range();
                format!("a valid integer from {least} to {greatest}")
            }
            Self::F32 | Self::F64 => "a valid number".to_owned(),
            Self::Enum(labels) => super::cases::one_of(labels.iter().map(|label| &label.name)),
        }
    }
}
