//! What is said of numbers.
//!
//! Bounds are compared exactly, as the validator does: neither side is rounded.

use std::cmp::Ordering;

use jsonschema::Validator;
use serde_json::{Number, Value};

/// What is said of numbers.
#[derive(Debug)]
pub(super) struct Numbers {
    /// Of integers.
    least: i128,
    most: i128,
    /// Of floats.
    bounds: Vec<Bound>,
    /// All else.
    pub(super) rest: Option<Validator>,
}

/// How every number compares to a given one.
#[derive(Debug)]
struct Bound {
    to: Exact,
    allowed: fn(Ordering) -> bool,
}

/// A number as it is.
#[derive(Clone, Copy, Debug)]
enum Exact {
    Whole(i128),
    Float(f64),
}

impl Default for Numbers {
    fn default() -> Self {
        Self { least: i128::MIN, most: i128::MAX, bounds: Vec::new(), rest: None }
    }
}

impl Numbers {
    /// Adds one of the four bounds. None if `keyword` is no bound, or `value` no number.
    pub(super) fn bound(&mut self, keyword: &str, value: &Value) -> Option<()> {
        let to = Exact::of(value.as_number()?)?;
        let (floor, ceiling) = to.around();
        let allowed = match keyword {
            "minimum" => {
                self.least = self.least.max(ceiling);
                Ordering::is_ge
            }
            "maximum" => {
                self.most = self.most.min(floor);
                Ordering::is_le
            }
            "exclusiveMinimum" => {
                self.least = self.least.max(floor.saturating_add(1));
                Ordering::is_gt
            }
            "exclusiveMaximum" => {
                self.most = self.most.min(ceiling.saturating_sub(1));
                Ordering::is_lt
            }
            _other => return None,
        };
        self.bounds.push(Bound { to, allowed });
        Some(())
    }

    pub(super) fn allow_integer(&self, integer: i128) -> bool {
        self.least <= integer
            && integer <= self.most
            && self.rest.as_ref().is_none_or(|rest| rest.is_valid(&number(integer)))
    }

    pub(super) fn allow_float(&self, float: f64) -> bool {
        self.bounds.iter().all(|bound| (bound.allowed)(bound.to.order(float)))
            && self.rest.as_ref().is_none_or(|rest| rest.is_valid(&Value::from(float)))
    }
}

/// An integer that fits s64 or u64.
fn number(integer: i128) -> Value {
    i64::try_from(integer).map_or_else(|_| Value::from(integer as u64), Value::from)
}

impl Exact {
    fn of(number: &Number) -> Option<Self> {
        let whole = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
        whole.map(Self::Whole).or_else(|| number.as_f64().map(Self::Float))
    }

    /// The greatest integer that is not above, and the least that is not below; of floats beyond
    /// 2^127, what is beyond every integer that is compared with it.
    fn around(self) -> (i128, i128) {
        match self {
            Self::Whole(whole) => (whole, whole),
            Self::Float(float) => (float.floor() as i128, float.ceil() as i128),
        }
    }

    /// How `float` compares to this.
    fn order(self, float: f64) -> Ordering {
        match self {
            Self::Whole(whole) => order(float, whole),
            // Neither is NaN, which JSON has no word for.
            Self::Float(to) => float.partial_cmp(&to).unwrap_or(Ordering::Equal),
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
                let mut ours = Numbers::default();
                ours.bound(keyword, to).unwrap();
                for value in &numbers {
                    let allowed = match value.as_number().and_then(Number::as_i128) {
                        Some(integer) => ours.allow_integer(integer),
                        None => ours.allow_float(value.as_f64().unwrap()),
                    };
                    assert_eq!(allowed, validator.is_valid(value), "{value} {keyword} {to}");
                }
            }
        }
    }
}
