//! Checks that constraints go with a type, are within its range, and leave some of its values.
//!
//! What an author reads names the keys of the overlay file, not those of JSON Schema.

use serde_json::{Map, Number, Value};

use super::super::keys::Key;
use super::super::{Constraints, Integer, Type, Written};

/// Bounds that leave nothing when they meet.
const EXCLUSIVE: [(&str, &str); 3] = [
    ("minimum", "exclusiveMaximum"),
    ("exclusiveMinimum", "maximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
];
/// The least and the greatest count of something.
const COUNTS: [(&str, &str); 3] =
    [("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties")];

/// Gives what is wrong with `said` of `ty` to `fault`.
pub(super) fn check(ty: &Type, said: &Constraints, fault: &mut impl FnMut(&str)) {
    let plain = match ty.plain() {
        Type::Option(inner) => inner.plain(),
        plain => plain,
    };
    let own = said.keywords();
    let allowed = keywords_for(plain);
    for keyword in own.keys().filter(|keyword| !allowed.contains(&keyword.as_str())) {
        fault(&format!("`{}` says nothing of such a type", key(keyword)));
    }
    if own.is_empty() {
        return;
    }
    let mut all = of_aliases(ty);
    all.extend(own);
    let nothing = match plain {
        Type::Integer(integer, Written::Number) => {
            let (least, greatest) = integer.range();
            if !is_within(said, least, greatest) {
                let what = "that of its type";
                return fault(&format!("its range is not within {least} to {greatest}, {what}"));
            }
            no_integer(*integer, &all)
        }
        Type::F32 | Type::F64 => {
            let greatest = f64::from(f32::MAX);
            if *plain == Type::F32 && bounds(said).any(|bound| as_f64(bound).abs() > greatest) {
                let greatest = format!("{:e}", f32::MAX);
                let what = "that of its type";
                return fault(&format!(
                    "its range is not within -{greatest} to {greatest}, {what}"
                ));
            }
            no_float(&all)
        }
        Type::String
        | Type::List(_)
        | Type::Map(_)
        | Type::Pairs(_)
        | Type::Integer(_, Written::Text)
        | Type::Bool
        | Type::Char
        | Type::Bytes
        | Type::FixedList(..)
        | Type::Tuple(_)
        | Type::Option(_)
        | Type::Result(_)
        | Type::Named(_)
        | Type::Alias(_) => no_count(&all),
    };
    if let Some(why) = nothing {
        fault(&format!("nothing fits: {why}"));
    }
}

/// As in the overlay file: `min_items` for `minItems`.
fn key(keyword: &str) -> String {
    let letter = |c: char| match c {
        'A'..='Z' => format!("_{}", c.to_ascii_lowercase()),
        small => small.to_string(),
    };
    keyword.chars().map(letter).collect()
}

/// What the aliases of a type say, with the outermost having the last word.
fn of_aliases(ty: &Type) -> Map<String, Value> {
    match ty {
        Type::Alias(alias) => {
            let mut keywords = of_aliases(&alias.ty);
            keywords.extend(alias.notes.constraints.keywords());
            keywords
        }
        Type::Option(inner) if !inner.is_option() => of_aliases(inner),
        _other => Map::new(),
    }
}

fn bounds(said: &Constraints) -> impl Iterator<Item = &Number> {
    let inclusive = [&said.minimum, &said.maximum];
    let exclusive = [&said.exclusive_minimum, &said.exclusive_maximum];
    inclusive.into_iter().chain(exclusive).flatten()
}

/// An exclusive bound may be next to the range.
fn is_within(said: &Constraints, least: i128, greatest: i128) -> bool {
    let is_in = |bound: &Option<Number>, least: i128, greatest: i128| {
        bound.as_ref().is_none_or(|bound| least <= floor(bound) && ceil(bound) <= greatest)
    };
    is_in(&said.minimum, least, greatest)
        && is_in(&said.maximum, least, greatest)
        && is_in(&said.exclusive_minimum, least - 1, greatest)
        && is_in(&said.exclusive_maximum, least, greatest + 1)
}

fn no_integer(integer: Integer, keywords: &Map<String, Value>) -> Option<String> {
    let number = |keyword: &str| keywords.get(keyword).and_then(Value::as_number);
    let (least, greatest) = integer.range();
    let lower = [
        number("minimum").map(ceil),
        number("exclusiveMinimum").map(|bound| floor(bound).saturating_add(1)),
    ];
    let upper = [
        number("maximum").map(floor),
        number("exclusiveMaximum").map(|bound| ceil(bound).saturating_sub(1)),
    ];
    let lower = lower.into_iter().flatten().fold(least, i128::max);
    let upper = upper.into_iter().flatten().fold(greatest, i128::min);
    if lower > upper {
        return Some("no integer of its type is in its range".to_owned());
    }
    let step = number("multipleOf").filter(|step| floor(step) == ceil(step)).map(floor)?;
    let is_none = step > 0 && upper.div_euclid(step).saturating_mul(step) < lower;
    is_none.then(|| format!("no multiple of {step} is in its range"))
}

fn no_float(keywords: &Map<String, Value>) -> Option<String> {
    let number = |keyword: &str| keywords.get(keyword).and_then(Value::as_number).map(as_f64);
    let pair = |lower: &str, upper: &str| number(lower).zip(number(upper));
    let is_none = pair("minimum", "maximum").is_some_and(|(lower, upper)| lower > upper)
        || EXCLUSIVE
            .iter()
            .any(|(lower, upper)| pair(lower, upper).is_some_and(|(lower, upper)| lower >= upper));
    is_none.then(|| "no number is in its range".to_owned())
}

fn no_count(keywords: &Map<String, Value>) -> Option<String> {
    let count = |keyword: &str| keywords.get(keyword).and_then(Value::as_u64);
    COUNTS.iter().find_map(|(least, greatest)| {
        let is_none = count(least)? > count(greatest)?;
        is_none.then(|| format!("`{}` is more than `{}`", key(least), key(greatest)))
    })
}

fn exact(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

fn floor(number: &Number) -> i128 {
    exact(number).unwrap_or_else(|| whole(as_f64(number).floor()))
}

fn ceil(number: &Number) -> i128 {
    exact(number).unwrap_or_else(|| whole(as_f64(number).ceil()))
}

#[expect(clippy::cast_possible_truncation, reason = "it has no fraction, and saturates")]
fn whole(float: f64) -> i128 {
    float as i128
}

fn as_f64(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::INFINITY)
}

fn keywords_for(ty: &Type) -> &'static [&'static str] {
    match ty {
        Type::String => &["minLength", "maxLength", "pattern", "format"],
        Type::Integer(_, Written::Number) | Type::F32 | Type::F64 => {
            &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
        }
        Type::List(_) => &["minItems", "maxItems", "uniqueItems"],
        Type::FixedList(..) => &["uniqueItems"],
        Type::Map(entry) | Type::Pairs(entry) if Key::of(&entry.key).is_scalar() => {
            &["minProperties", "maxProperties"]
        }
        Type::Map(_) | Type::Pairs(_) => &["minItems", "maxItems"],
        Type::Integer(_, Written::Text)
        | Type::Bool
        | Type::Char
        | Type::Bytes
        | Type::Tuple(_)
        | Type::Option(_)
        | Type::Result(_)
        | Type::Named(_)
        | Type::Alias(_) => &[],
    }
}
