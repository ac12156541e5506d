//! The spelling of single numbers and characters.
//!
//! A value has one spelling, and comes back from it exactly.

use super::{Integer, Value};

/// Digits as they are written: no sign but `-`, no zeros in front.
const INTEGER: &str = "^(0|-?[1-9][0-9]*)$";
const UNSIGNED: &str = "^(0|[1-9][0-9]*)$";

/// The pattern of an integer that is written as a string.
pub(super) fn integer_pattern(integer: Integer) -> &'static str {
    if integer.range().0 < 0 { INTEGER } else { UNSIGNED }
}

/// An integer from its digits; none if they are not spelled as it is written, or out of range.
pub(super) fn digits(integer: Integer, text: &str) -> Option<Value> {
    let n: i128 = text.parse().ok()?;
    let value = Value::of_integer(integer, n)?;
    (n.to_string() == text).then_some(value)
}

/// The only character of a text.
pub(super) fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    let first = characters.next()?;
    characters.next().is_none().then_some(first)
}

/// The nearest number of 32 bits, if it is finite.
pub(super) fn narrowed(float: f64) -> Option<f32> {
    #[expect(clippy::cast_possible_truncation, reason = "rounding is what is meant")]
    let narrowed = float as f32;
    narrowed.is_finite().then_some(narrowed)
}

/// The number of 64 bits with the shortest spelling of `float`, so that who reads that spelling
/// and writes it again has the same text.
pub(super) fn widened(float: f32) -> f64 {
    let spelling = serde_json::to_string(&float);
    spelling.ok().and_then(|text| text.parse().ok()).unwrap_or_else(|| f64::from(float))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_have_one_spelling() {
        assert_eq!(digits(Integer::U64, "18446744073709551615"), Some(Value::U64(u64::MAX)));
        assert_eq!(digits(Integer::S64, "-9223372036854775808"), Some(Value::S64(i64::MIN)));
        for text in ["", "-0", "+1", "01", " 1", "1.0", "1e3", "18446744073709551616", "-1"] {
            assert_eq!(digits(Integer::U64, text), None, "{text}");
        }
    }

    #[test]
    fn a_float_of_32_bits_comes_back_from_its_spelling() {
        for bits in (0..=u32::MAX).step_by(9973) {
            let float = f32::from_bits(bits);
            if float.is_finite() {
                let back = narrowed(widened(float)).unwrap();
                assert_eq!(back.to_bits(), bits, "{float}");
            }
        }
        assert_eq!(widened(0.1), 0.1);
        assert_eq!(narrowed(3.5e38), None);
    }
}
