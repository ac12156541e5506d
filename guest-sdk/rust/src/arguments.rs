//! The arguments of one call.

use serde::de::value::Error as Refusal;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use crate::error::Error;

/// The arguments of one call, by name.
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// Reads the JSON object that the host sends.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text)
            .map(Self)
            .map_err(|error| Error::invalid_arguments(format_args!("no JSON object: {error}")))
    }

    /// Whether there is such an argument.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Takes an argument out, if it is there.
    pub(crate) fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, Error> {
        let Some(value) = self.0.swap_remove(name) else {
            return Ok(None);
        };
        match T::deserialize(value) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(Error::invalid_arguments(format_args!("argument `{name}`: {error}"))),
        }
    }
}

/// What a type makes of an argument that is not there: an `Option` is none, others need one.
pub(crate) fn absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Absent).ok()
}

/// Nothing to deserialize from, in serde's own reading of a field that is missing.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Refusal;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Refusal> {
        Err(Refusal::custom("missing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_can_be_absent_and_a_string_cannot() {
        assert_eq!(absent::<Option<String>>(), Some(None));
        assert_eq!(absent::<String>(), None);
        assert_eq!(absent::<Vec<i64>>(), None);
        assert_eq!(absent::<Value>(), None);
    }

    #[test]
    fn a_wrong_argument_is_named() {
        let mut arguments = Arguments::parse(r#"{"days": "two"}"#).unwrap();
        let error = arguments.take::<i64>("days").unwrap_err();
        assert_eq!(
            error.to_string(),
            "argument `days`: invalid type: string \"two\", expected i64"
        );
    }
}
