//! What is said of numbers.
//!
//! Bounds are compared exactly, as the validator does: neither side is rounded.

use std::cmp::Ordering;

use jsonschema::Validator;
use serde_json::{Number, Value};

/// What is said of numbers.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    pub(super) bounds: Vec<Bound>,
    /// All else.
    pub(super) rest: Option<Validator>,
}

/// How every number compares to a given one.
#[derive(Debug)]
pub(super) struct Bound {
    to: Exact,
    allowed: fn(Ordering) -> bool,
}

/// A number as it is.
#[derive(Clone, Copy, Debug)]
enum Exact {
    Whole(i128),
    Float(f64),
}

impl Bound {
    /// None if `keyword` is none of the four, or `value` no number.
    pub(super) fn new(keyword: &str, value: &Value) -> Option<Self> {
        let allowed = match keyword {
            "minimum" => Ordering::is_ge,
            "maximum" => Ordering::is_le,
            "exclusiveMinimum" => Ordering::is_gt,
            "exclusiveMaximum" => Ordering::is_lt,
            _other => return None,
        };
        Some(Self { to: Exact::of(value.as_number()?)?, allowed })
    }
}

impl Numbers {
    pub(super) fn allow(&self, number: &Number) -> bool {
        let within = |bound: &Bound| {
            Exact::of(number).is_some_and(|number| (bound.allowed)(number.order(bound.to)))
        };
        self.bounds.iter().all(within)
            && self.rest.as_ref().is_none_or(|rest| rest.is_valid(&Value::Number(number.clone())))
    }
}

impl Exact {
    fn of(number: &Number) -> Option<Self> {
        let whole = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
        whole.map(Self::Whole).or_else(|| number.as_f64().map(Self::Float))
    }

    fn order(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Whole(one), Self::Whole(other)) => one.cmp(&other),
            // Neither is NaN, which JSON has no word for.
            (Self::Float(one), Self::Float(other)) => {
                one.partial_cmp(&other).unwrap_or(Ordering::Equal)
            }
            (Self::Float(one), Self::Whole(other)) => order(one, other),
            (Self::Whole(one), Self::Float(other)) => order(other, one).reverse(),
        }
    }
}

/// How `float` compares to `whole`, which fits s64 or u64.
fn order(float: f64, whole: i128) -> Ordering {
    let floor = float.floor();
    // Exact below 2^127; what is beyond that is beyond `whole` as well.
    let order = (floor as i128).cmp(&whole);
    if order.is_eq() && float > floor { Ordering::Greater } else { order }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// As jsonschema compares them.
    #[test]
    fn bounds_are_the_validators() {
        let max = 9_007_199_254_740_993_i64;
        let numbers = [
            json!(0),
            json!(-1),
            json!(1),
            json!(0.0),
            json!(-0.0),
            json!(0.5),
            json!(-0.5),
            json!(1.0),
            json!(1e300),
            json!(-1e300),
            json!(5e-324),
            json!(max),
            json!(max as f64),
            json!(i64::MIN),
            json!(i64::MIN as f64),
            json!(i64::MAX),
            json!(i64::MAX as f64),
            json!(u64::MAX),
            json!(u64::MAX as f64),
        ];
        for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
            for to in &numbers {
                let validator = jsonschema::validator_for(&json!({keyword: to})).unwrap();
                let bounds = vec![Bound::new(keyword, to).unwrap()];
                let ours = Numbers { bounds, rest: None };
                for value in &numbers {
                    let number = value.as_number().unwrap();
                    assert_eq!(
                        ours.allow(number),
                        validator.is_valid(value),
                        "{value} {keyword} {to}"
                    );
                }
            }
        }
    }
}
