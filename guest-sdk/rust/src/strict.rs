//! JSON text that every reader reads alike.
//!
//! Once it is a [`Value`], a key that was given twice and the digits of a large integer are gone,
//! and the host could not tell any more. So the text itself is looked through.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Error, Result, Value};

/// Reads a value.
pub(crate) fn value(text: &str) -> Result<Value> {
    let value = serde_json::from_str(text)?;
    serde_json::from_str::<KeysOnce>(text)?;
    if let Some(literal) = numbers(text).find(|it| !fits(it)) {
        let message = format!("the integer {literal} is out of range: it takes a string");
        return Err(Error::custom(message));
    }
    Ok(value)
}

/// The number literals of JSON text.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(|it: char| matches!(it, '"' | '-' | '0'..='9'))?;
            rest = &rest[start..];
            let is_part = |it: char| matches!(it, '+' | '-' | '.' | 'e' | 'E' | '0'..='9');
            let (token, after) = if let Some(string) = rest.strip_prefix('"') {
                ("", after_string(string))
            } else {
                rest.split_at(rest.find(|it| !is_part(it)).unwrap_or(rest.len()))
            };
            rest = after;
            if !token.is_empty() {
                return Some(token);
            }
        }
    })
}

fn after_string(string: &str) -> &str {
    let mut escaped = false;
    let end = string.find(|it| {
        let is_end = it == '"' && !escaped;
        escaped = it == '\\' && !escaped;
        is_end
    });
    end.map_or("", |end| &string[end + 1..])
}

fn fits(literal: &str) -> bool {
    literal.contains(['.', 'e', 'E'])
        || literal.parse::<i64>().is_ok()
        || literal.parse::<u64>().is_ok()
}

/// Any value in which no object has a key twice.
struct KeysOnce;

impl<'de> Deserialize<'de> for KeysOnce {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

macro_rules! without_keys {
    ($($method:ident($($ty:ty)?))*) => {
        $(fn $method<E>(self $(, _: $ty)?) -> std::result::Result<Self, E> {
            Ok(Self)
        })*
    };
}

impl<'de> Visitor<'de> for KeysOnce {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    without_keys! {
        visit_unit()
        visit_bool(bool)
        visit_i64(i64)
        visit_u64(u64)
        visit_f64(f64)
        visit_str(&str)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> std::result::Result<Self, A::Error> {
        while elements.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> std::result::Result<Self, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some((key, Self)) = entries.next_entry::<String, Self>()? {
            if let Some(key) = keys.replace(key) {
                return Err(A::Error::custom(format_args!("the key `{key}` is given twice")));
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use crate::Json;

    fn parse(text: &str) -> serde_json::Result<Json<()>> {
        Json::parse(text)
    }

    #[track_caller]
    fn refused(text: &str, message: &str) {
        assert_eq!(parse(text).unwrap_err().to_string(), message);
    }

    #[test]
    fn a_key_that_is_given_twice_is_told_at_any_depth() {
        refused(r#"{"a": 1, "\u0061": 2}"#, "the key `a` is given twice at line 1 column 21");
        refused(r#"[{"b": [{"a": 1, "a": 1}]}]"#, "the key `a` is given twice at line 1 column 24");
    }

    #[test]
    fn an_integer_beyond_64_bits_is_told() {
        refused(
            r#"{"1": "18446744073709551616\"", "id": [1, 18446744073709551616]}"#,
            "the integer 18446744073709551616 is out of range: it takes a string",
        );
        refused(
            "-9223372036854775809",
            "the integer -9223372036854775809 is out of range: it takes a string",
        );
    }

    #[test]
    fn other_values_are_as_they_were() {
        let text =
            r#"{"b":[18446744073709551615,-9223372036854775808,1e+30],"a":{"b":"\\"},"c":null}"#;
        assert_eq!(parse(text).unwrap().value().to_string(), text);
    }
}
