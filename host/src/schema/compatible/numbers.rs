//! Numbers and values that are equal, whichever way they are written.
//!
//! What cannot be told without rounding is not told.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::super::kinds::Kinds;

/// 2^53 − 1: no other integer is rounded to a float up to it.
const EXACT_MAX: i128 = (1 << 53) - 1;

/// How `one` compares to `other` (JSON Schema 2020-12 core, section 4.2.2: 1.0 is 1).
pub(super) fn order(one: &Number, other: &Number) -> Option<Ordering> {
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => Some(one.cmp(&other)),
        (Some(_) | None, Some(_) | None) => float(one)?.partial_cmp(&float(other)?),
    }
}

/// The integer that `number` is.
pub(super) fn whole(number: &Number) -> Option<i128> {
    let integer = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
    integer.or_else(|| {
        let float = number.as_f64().filter(|float| float.fract() == 0.0)?;
        (float.abs() <= EXACT_MAX as f64).then_some(float as i128)
    })
}

/// The float that `number` is.
fn float(number: &Number) -> Option<f64> {
    if number.is_f64() {
        return number.as_f64();
    }
    whole(number).filter(|whole| whole.abs() <= EXACT_MAX).map(|whole| whole as f64)
}

/// A length or a number of parts.
pub(super) fn count(value: &Value) -> Option<u64> {
    u64::try_from(whole(value.as_number()?)?).ok()
}

/// The types that `value` may be of; for a large float it is left open whether it is an integer.
pub(super) fn kinds(value: &Value) -> Kinds {
    match value {
        Value::Number(number) if whole(number).is_some() => Kinds::INTEGER,
        Value::Number(number) if number.as_f64().is_some_and(|float| float.fract() != 0.0) => {
            Kinds::FLOAT
        }
        Value::Number(_) => Kinds::INTEGER.or(Kinds::FLOAT),
        other => Kinds::of(other),
    }
}

/// Whether two values are equal (JSON Schema 2020-12 core, section 4.2.2).
pub(super) fn same(one: &Value, other: &Value) -> Option<bool> {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) if one == other => Some(true),
        (Value::Number(one), Value::Number(other)) => Some(order(one, other)?.is_eq()),
        (Value::Array(one), Value::Array(other)) => {
            if one.len() != other.len() {
                return Some(false);
            }
            all(one.iter().zip(other).map(|(one, other)| same(one, other)))
        }
        (Value::Object(one), Value::Object(other)) => {
            if one.len() != other.len() {
                return Some(false);
            }
            all(one.iter().map(|(key, one)| other.get(key).map_or(Some(false), |o| same(one, o))))
        }
        (one, other) => Some(one == other),
    }
}

/// Whether all are true.
pub(super) fn all(verdicts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut so_far = Some(true);
    for verdict in verdicts {
        match verdict {
            Some(true) => {}
            Some(false) => return Some(false),
            None => so_far = None,
        }
    }
    so_far
}

/// Whether any is true.
pub(super) fn any(verdicts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    all(verdicts.into_iter().map(|verdict| verdict.map(|is| !is))).map(|none| !none)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_equal_however_they_are_written() {
        for (one, other, expected) in [
            (json!(1), json!(1.0), Some(true)),
            (json!({"a": [1], "b": null}), json!({"b": null, "a": [1.0]}), Some(true)),
            (json!(-0.0), json!(0), Some(true)),
            (json!(1), json!(1.5), Some(false)),
            (json!(1), json!("1"), Some(false)),
            (json!(1), json!(true), Some(false)),
            (json!([1, 2]), json!([2, 1]), Some(false)),
            (json!(u64::MAX), json!(u64::MAX), Some(true)),
            (json!(u64::MAX), json!(i64::MIN), Some(false)),
            (json!(9_007_199_254_740_993_i64), json!(9_007_199_254_740_992.0), None),
            (json!(1e300), json!(1e300), Some(true)),
        ] {
            assert_eq!(same(&one, &other), expected, "{one} {other}");
            assert_eq!(same(&other, &one), expected, "{one} {other}");
        }
    }

    #[test]
    fn a_whole_float_is_an_integer() {
        assert_eq!(kinds(&json!(1.0)), Kinds::INTEGER);
        assert_eq!(kinds(&json!(0.5)), Kinds::FLOAT);
        assert_eq!(kinds(&json!(1e300)), Kinds::INTEGER.or(Kinds::FLOAT));
        assert_eq!(count(&json!(2.0)), Some(2));
        assert_eq!(count(&json!(-1)), None);
    }
}
