//! Strict reading of JSON text.
//!
//! What passes here is read alike by every reader: one value, no key twice, no integer that
//! does not fit, no half of a surrogate pair.

use std::cell::Cell;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::present::clean;

/// Levels of arrays and objects in a value.
pub const VALUE_DEPTH_MAX: usize = 100;

/// Bytes of a key that an error repeats.
const KEY_BYTES_MAX: usize = 64;

/// Why a text is not JSON that every reader reads alike.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} (at byte {offset})")]
pub struct NotJson {
    /// What is wrong; bounded and clean.
    what: String,
    /// Where, in bytes from the start of the text.
    offset: usize,
}

/// Reads one JSON value of at most 100 levels.
///
/// # Errors
/// [`NotJson`] for anything that RFC 8259 does not allow, and for what it leaves to the reader:
/// duplicate keys, integers beyond the ranges of s64 and u64, numbers beyond that of f64, lone
/// surrogates.
pub fn strict_json(text: &str) -> Result<Value, NotJson> {
    read(text, VALUE_DEPTH_MAX).map(|(value, _)| value)
}

/// Reads one JSON value of at most `depth_max` levels, and counts its parts.
pub(crate) fn read(text: &str, depth_max: usize) -> Result<(Value, usize), NotJson> {
    let (large, parts) = (Cell::new(false), Cell::new(0));
    let mut reader = serde_json::Deserializer::from_str(text);
    let seed = Seed { depth_left: depth_max, depth_max, large: &large, parts: &parts };
    let value = seed.deserialize(&mut reader).map_err(|error| located(text, &error))?;
    reader.end().map_err(|error| located(text, &error))?;
    if large.get() {
        integers_fit(text)?;
    }
    Ok((value, parts.get()))
}

/// The values that `value` is made of, itself included.
pub(super) fn parts(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(parts).sum::<usize>(),
        Value::Object(entries) => 1 + entries.values().map(parts).sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

fn located(text: &str, error: &serde_json::Error) -> NotJson {
    let mut what = error.to_string();
    if let Some(end) = what.rfind(" at line ") {
        what.truncate(end);
    }
    let line_start: usize =
        text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    NotJson { what, offset: (line_start + error.column()).min(text.len()) }
}

/// Checks that every integer literal of `text`, which is JSON, fits s64 or u64.
///
/// # Errors
/// [`NotJson`] with the offset of the first that does not.
pub fn integers_fit(text: &str) -> Result<(), NotJson> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at),
            b'-' | b'0'..=b'9' => {
                let end = number_end(bytes, at);
                let literal = &text[at..end];
                if !literal.contains(['.', 'e', 'E']) && !integer_fits(literal) {
                    let what = "an integer is out of range; send it as a string".to_owned();
                    return Err(NotJson { what, offset: at });
                }
                at = end;
            }
            _other => at += 1,
        }
    }
    Ok(())
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _other => at += 1,
        }
    }
    at
}

fn number_end(bytes: &[u8], start: usize) -> usize {
    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    start + bytes[start..].iter().take_while(|&byte| is_part(byte)).count()
}

fn integer_fits(literal: &str) -> bool {
    literal.parse::<i64>().is_ok() || literal.parse::<u64>().is_ok()
}

/// Reads a value, its depth counted.
#[derive(Clone, Copy)]
struct Seed<'a> {
    depth_left: usize,
    depth_max: usize,
    /// Set when a number was read that may have been an integer out of range.
    large: &'a Cell<bool>,
    /// Values that were read.
    parts: &'a Cell<usize>,
}

impl Seed<'_> {
    fn deeper<E: de::Error>(mut self) -> Result<Self, E> {
        self.depth_left = self.depth_left.checked_sub(1).ok_or_else(|| {
            E::custom(format_args!("nested deeper than {} levels", self.depth_max))
        })?;
        Ok(self)
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.parts.set(self.parts.get() + 1);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        // 2^63: no smaller float was an integer literal that does not fit.
        if value.abs() >= 9_223_372_036_854_775_808.0 {
            self.large.set(true);
        }
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("a number is not finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut array = Vec::new();
        while let Some(element) = elements.next_element_seed(inner)? {
            array.push(element);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                let key = clean::bounded(&key, KEY_BYTES_MAX);
                return Err(de::Error::custom(format_args!("the key `{key}` is given twice")));
            }
            let value = entries.next_value_seed(inner)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        strict_json(text).unwrap_err().to_string()
    }

    #[test]
    fn values_keep_order_and_the_spelling_of_floats() {
        let text = r#"{"b":1,"a":[1.0,-0.0,1e+30,null,true,"ü\u0041"]}"#;
        let written = strict_json(text).unwrap().to_string();
        assert_eq!(written, r#"{"b":1,"a":[1.0,-0.0,1e+30,null,true,"üA"]}"#);
        assert!(strict_json("-0").unwrap().as_f64().unwrap().is_sign_negative());
    }

    #[test]
    fn integers_are_exact_or_refused() {
        for fits in ["-9223372036854775808", "9223372036854775807", "18446744073709551615"] {
            assert_eq!(strict_json(fits).unwrap().to_string(), fits);
        }
        for large in ["-9223372036854775809", "18446744073709551616", "1000000000000000000000000"] {
            assert_eq!(
                fault(&format!(r#"{{"a\"":[1,"{large}",{large}]}}"#)),
                format!(
                    "an integer is out of range; send it as a string (at byte {})",
                    13 + large.len()
                )
            );
        }
        for float in ["1e30", "1000000000000000000000000.0", "-1E+300"] {
            assert!(strict_json(float).is_ok(), "{float}");
        }
    }

    #[test]
    fn duplicate_keys_are_refused_at_every_level() {
        assert_eq!(fault(r#"{"a":1,"a":2}"#), "the key `a` is given twice (at byte 10)");
        assert_eq!(
            fault(r#"[{"x":{"a":1,"\u0061":2}}]"#),
            "the key `a` is given twice (at byte 21)"
        );
        assert!(strict_json(r#"[{"a":1},{"a":1}]"#).is_ok());
    }

    #[test]
    fn what_is_not_one_json_value_is_refused() {
        for text in [
            "",
            "1 2",
            "[1,]",
            "{\"a\":1,}",
            "nul",
            "NaN",
            "Infinity",
            "01",
            "+1",
            "1.",
            ".5",
            "'a'",
            "\"a",
            "\"\u{1}\"",
            r#""\ud800""#,
            r#""\udc00""#,
            r#""\ud800\u0041""#,
            "1e400",
            "\u{feff}1",
            "[1",
            "// c\n1",
        ] {
            assert!(strict_json(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn depth_is_capped_without_using_up_the_stack() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(strict_json(&nested(100)).is_ok());
        assert_eq!(fault(&nested(101)), "nested deeper than 100 levels (at byte 102)");
        assert!(strict_json(&"[".repeat(1_000_000)).is_err());
        assert!(strict_json(&r#"{"a":"#.repeat(1_000_000)).is_err());
    }

    #[test]
    fn keys_in_errors_are_bounded_and_clean() {
        let key = "\u{202e}".repeat(1000);
        let text = fault(&format!(r#"{{"{key}":1,"{key}":1}}"#));
        assert!(text.len() < 128, "{text}");
        assert!(clean::is_clean(&text));
    }
}
