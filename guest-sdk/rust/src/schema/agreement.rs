//! Whether a parameter's bounds agree with its type, with each other, and with its default.
//!
//! Patterns are left to the host, which has regular expressions.

use std::cmp::Ordering;
use std::fmt::{self, Display};

use schemars::Schema;
use serde_json::{Map, Number, Value};

use super::constraint::{definition, unless_null};
use super::subset;

/// The keywords that bound one measure of a value.
struct Measure {
    least: &'static str,
    greatest: &'static str,
    below: Option<&'static str>,
    of: fn(&Value) -> Option<Number>,
}

const MEASURES: [Measure; 4] = [
    Measure {
        least: "minimum",
        greatest: "maximum",
        below: Some("exclusiveMaximum"),
        of: |value| value.as_number().cloned(),
    },
    Measure {
        least: "minLength",
        greatest: "maxLength",
        below: None,
        of: |value| value.as_str().map(|it| it.chars().count().into()),
    },
    Measure {
        least: "minItems",
        greatest: "maxItems",
        below: None,
        of: |value| value.as_array().map(|it| it.len().into()),
    },
    Measure {
        least: "minProperties",
        greatest: "maxProperties",
        below: None,
        of: |value| value.as_object().map(|it| it.len().into()),
    },
];

/// Fails where no value of the type can keep the bounds, or the default does not.
pub(super) fn check(
    of_type: &Schema,
    bounded: &Schema,
    default: Option<&Value>,
    definitions: &Map<String, Value>,
) -> Result<(), String> {
    let (of_type, bounded) = (keywords(of_type, definitions), keywords(bounded, definitions));
    for measure in &MEASURES {
        let (old, new) = (measure.bounds(&of_type), measure.bounds(&bounded));
        within_type(&old, &new)?;
        not_empty(&new)?;
        if let Some(default) = default
            && let Some(size) = (measure.of)(default)
            && let Some(bound) = new.iter().find(|bound| !bound.admits(&size))
        {
            return Err(format!("the default {default} does not keep {bound}: change one of them"));
        }
    }
    Ok(())
}

fn within_type(old: &[Bound<'_>], new: &[Bound<'_>]) -> Result<(), String> {
    for bound in new.iter().filter(|it| !old.contains(it)) {
        let last = bound.last();
        if let Some(of_type) = old.iter().find(|of_type| !of_type.admits(&last)) {
            return Err(format!("{bound} is beyond what the type holds, {of_type}"));
        }
    }
    Ok(())
}

fn not_empty(bounds: &[Bound<'_>]) -> Result<(), String> {
    for least in bounds.iter().filter(|it| it.side == Side::Least) {
        if let Some(other) = bounds.iter().find(|it| !it.admits(least.number)) {
            return Err(format!("no value keeps both {least} and {other}"));
        }
    }
    Ok(())
}

/// All that is said of a parameter, by itself and by the definition that it refers to.
fn keywords(schema: &Schema, definitions: &Map<String, Value>) -> Map<String, Value> {
    let mut object = schema.as_object().cloned().unwrap_or_default();
    let own = std::mem::take(unless_null(&mut object));
    let definition = definition(&own, definitions).cloned().and_then(|it| it.try_into().ok());
    let mut all = definition.map_or_else(Map::new, |mut definition: Schema| {
        subset::narrow(&mut definition);
        std::mem::take(definition.ensure_object())
    });
    all.extend(own);
    all
}

impl Measure {
    fn bounds<'a>(&self, object: &'a Map<String, Value>) -> Vec<Bound<'a>> {
        let is_integer = object.get("type").is_some_and(|it| it == "integer");
        let bound = |keyword: Option<&'static str>, side| {
            let number = object.get(keyword?)?.as_number()?;
            Some(Bound { keyword: keyword?, side, number, is_integer })
        };
        [
            bound(Some(self.least), Side::Least),
            bound(Some(self.greatest), Side::Greatest),
            bound(self.below, Side::Below),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// One bound.
#[derive(PartialEq)]
struct Bound<'a> {
    keyword: &'static str,
    side: Side,
    number: &'a Number,
    is_integer: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Least,
    Greatest,
    Below,
}

impl Bound<'_> {
    fn admits(&self, number: &Number) -> bool {
        let order = compare(number, self.number);
        match self.side {
            Side::Least => order.is_ge(),
            Side::Greatest => order.is_le(),
            Side::Below => order.is_lt(),
        }
    }

    /// The last number that it admits, or, where there is none, the one that it stops at.
    fn last(&self) -> Number {
        let before = || Number::from_i128(self.number.as_i128()? - 1);
        let steps = self.is_integer && self.side == Side::Below;
        steps.then(before).flatten().unwrap_or_else(|| self.number.clone())
    }
}

impl Display for Bound<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let article = if self.side == Side::Below { "an" } else { "a" };
        write!(f, "{article} `{}` of {}", self.keyword, self.number)
    }
}

fn compare(this: &Number, other: &Number) -> Ordering {
    match (this.as_i128(), other.as_i128()) {
        (Some(this), Some(other)) => this.cmp(&other),
        // No number of JSON is NaN.
        _ => this.as_f64().partial_cmp(&other.as_f64()).unwrap_or(Ordering::Equal),
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use crate::parameter::{Parameter, Published, Spec, parameter};
    use crate::schema::constraint::Constraint;
    use crate::schema::inputs::Inputs;

    fn publish<T>(constraints: &[Constraint], default: T) -> Result<(), String>
    where
        T: Parameter<'static> + Published,
    {
        let spec = Spec { name: "it", title: None, header: None, docs: &[], constraints };
        parameter::<T>().publish_with_default(&mut Inputs::new(), spec, Ok(default))
    }

    #[track_caller]
    fn refused<T>(constraints: &[Constraint], default: T, message: &str)
    where
        T: Parameter<'static> + Published,
    {
        assert_eq!(publish(constraints, default).unwrap_err(), message);
    }

    fn range(least: i64, greatest: i64) -> [Constraint; 2] {
        [Constraint::at_least(least), Constraint::at_most(greatest)]
    }

    fn length(min: usize, max: usize) -> [Constraint; 1] {
        [Constraint::length(Some(min), Some(max))]
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Hour(#[schemars(range(max = 23))] u8);

    #[test]
    fn a_default_keeps_the_bounds() {
        refused(
            &range(1, 14),
            20,
            "parameter `it`: the default 20 does not keep a `maximum` of 14: change one of them",
        );
        refused(
            &[Constraint::below(1.5)],
            Some(1.5),
            "parameter `it`: the default 1.5 does not keep an `exclusiveMaximum` of 1.5: \
             change one of them",
        );
        refused(
            &length(4, 5),
            "äöü".to_owned(),
            "parameter `it`: the default \"äöü\" does not keep a `minLength` of 4: \
             change one of them",
        );
        refused(
            &length(0, 1),
            vec![1, 2],
            "parameter `it`: the default [1,2] does not keep a `maxItems` of 1: change one of them",
        );
    }

    #[test]
    fn bounds_leave_something() {
        refused(
            &range(14, 1),
            5,
            "parameter `it`: no value keeps both a `minimum` of 14 and a `maximum` of 1",
        );
        refused(
            &length(3, 2),
            String::new(),
            "parameter `it`: no value keeps both a `minLength` of 3 and a `maxLength` of 2",
        );
    }

    #[test]
    fn bounds_are_within_the_type() {
        let beyond = "is beyond what the type holds";
        refused(
            &range(0, 300),
            5_u8,
            &format!("parameter `it`: a `maximum` of 300 {beyond}, a `maximum` of 255"),
        );
        refused(
            &range(-1, 9),
            Some(5_u8),
            &format!("parameter `it`: a `minimum` of -1 {beyond}, a `minimum` of 0"),
        );
        refused(
            &range(0, 24),
            Hour(5),
            &format!("parameter `it`: a `maximum` of 24 {beyond}, a `maximum` of 23"),
        );
        refused(
            &[Constraint::below(257_i64)],
            5_u8,
            &format!("parameter `it`: an `exclusiveMaximum` of 257 {beyond}, a `maximum` of 255"),
        );
    }

    #[test]
    fn a_default_is_a_number_of_json() {
        refused(
            &[],
            f64::NAN,
            "the default of `it`: the value is NaN, which JSON has no number for",
        );
    }

    #[test]
    fn what_agrees_is_published() {
        assert_eq!(publish(&[Constraint::below(256_i64)], 255_u8), Ok(()));
        assert_eq!(publish(&[Constraint::below(u64::MAX)], 5_u64), Ok(()));
        assert_eq!(publish(&range(14, 14), 14), Ok(()));
        assert_eq!(publish(&range(1, 23), Hour(23)), Ok(()));
        assert_eq!(publish(&range(1, 2), None::<i64>), Ok(()));
        assert_eq!(publish(&[Constraint::at_least(0_i64), Constraint::below(1.0)], 0.5), Ok(()));
        assert_eq!(publish(&length(3, 3), "äöü".to_owned()), Ok(()));
    }
}
