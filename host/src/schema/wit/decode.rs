//! From JSON to values.
//!
//! What is decoded was checked against the published schema already; whatever is left to be
//! wrong is told with its place, in the same words, and nothing panics.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Number, Value as Json};

use super::{Definition, Function, Integer, Named, Type, Value, cases, parts, scalars};
use crate::schema::Mismatch;
use crate::schema::mismatch::Problem;

/// Problems that are listed.
const PROBLEMS_MAX: usize = 256;

/// A value, or what is wrong with it.
pub(super) type Found<T> = Result<T, Vec<Problem>>;

/// The values of a function's parameters, in the order of declaration. What is left out is the
/// default, or none. `name` is what the arguments are called in errors.
///
/// # Errors
/// [`Mismatch`] with every error, at most 256.
pub fn decode_arguments(
    function: &Function,
    arguments: &Map<String, Json>,
    name: &str,
) -> Result<Vec<Value>, Mismatch> {
    let found = parts::fields(&function.parameters, arguments);
    let values = found.map_err(|problems| mismatch(name, problems))?;
    Ok(values.into_iter().map(|(_, value)| value).collect())
}

/// The value of a type that JSON says. `name` is what it is called in errors.
///
/// # Errors
/// As of [`decode_arguments`].
pub fn decode(ty: &Type, json: &Json, name: &str) -> Result<Value, Mismatch> {
    value(ty, json).map_err(|problems| mismatch(name, problems))
}

fn mismatch(name: &str, mut problems: Vec<Problem>) -> Mismatch {
    let more = problems.len() > PROBLEMS_MAX;
    problems.truncate(PROBLEMS_MAX);
    Mismatch::new(name, &problems, more)
}

pub(super) fn wrong<T>(message: impl AsRef<str>) -> Found<T> {
    Err(vec![Problem::new(message)])
}

/// The value that JSON says.
pub(super) fn value(ty: &Type, json: &Json) -> Found<Value> {
    match ty {
        Type::Alias(alias) => value(&alias.ty, json),
        Type::Named(named) => of_named(named, json),
        Type::Bool => match json {
            Json::Bool(value) => Ok(Value::Bool(*value)),
            _other => wrong("Input should be a valid boolean"),
        },
        Type::String => string(json).map(|text| Value::String(text.to_owned())),
        Type::Char => string(json).and_then(character),
        Type::Integer(integer, written) if written.is_text() => digits(*integer, json),
        Type::Integer(integer, _) => number(json, "integer").and_then(|n| whole(*integer, n)),
        Type::F32 => number(json, "number").and_then(|n| {
            let narrowed = n.as_f64().and_then(scalars::narrowed);
            narrowed.map(Value::F32).map_or_else(|| wrong("Input should be a finite number"), Ok)
        }),
        Type::F64 => number(json, "number").and_then(|n| {
            n.as_f64().map(Value::F64).map_or_else(|| wrong("Input should be a valid number"), Ok)
        }),
        Type::Bytes => string(json).and_then(|text| {
            let decoded = STANDARD.decode(text).map(Value::Bytes);
            decoded.or_else(|_| wrong("String should be valid base64"))
        }),
        Type::List(element) => parts::list(element, json).map(Value::List),
        Type::FixedList(element, length) => parts::fixed_list(element, *length, json),
        Type::Pairs(entry) => parts::entries(entry, json).map(|entries| {
            let pairs = entries.into_iter().map(|(key, value)| Value::Tuple(vec![key, value]));
            Value::List(pairs.collect())
        }),
        Type::Map(entry) => parts::entries(entry, json).map(Value::Map),
        Type::Tuple(types) => parts::tuple(types, json).map(Value::Tuple),
        Type::Option(inner) => cases::option(inner, json),
        Type::Result(either) => cases::result(either, json),
    }
}

fn string(json: &Json) -> Found<&str> {
    json.as_str().map_or_else(|| wrong("Input should be a valid string"), Ok)
}

fn character(text: &str) -> Found<Value> {
    match scalars::single(text) {
        Some(c) => Ok(Value::Char(c)),
        None if text.is_empty() => wrong("String should have at least 1 character"),
        None => wrong("String should have at most 1 character"),
    }
}

fn number<'j>(json: &'j Json, noun: &str) -> Found<&'j Number> {
    match json {
        Json::Number(number) => Ok(number),
        _other => wrong(format!("Input should be a valid {noun}")),
    }
}

/// An integral number, however it is spelled.
fn whole(integer: Integer, number: &Number) -> Found<Value> {
    let exact = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    let n = match (exact, number.as_f64()) {
        (Some(n), _) => n,
        // A float of this size is an integer that i128 holds exactly.
        #[expect(clippy::cast_possible_truncation, reason = "it is integral and in range")]
        (None, Some(float)) if float.fract() == 0.0 && float.abs() < 1e30 => float as i128,
        (None, Some(float)) if float.fract() == 0.0 => return out_of_range(integer, float > 0.0),
        (None, Some(_) | None) => {
            return wrong("Input should be a valid integer, got a number with a fractional part");
        }
    };
    Value::of_integer(integer, n).map_or_else(|| out_of_range(integer, n > 0), Ok)
}

fn digits(integer: Integer, json: &Json) -> Found<Value> {
    let text = string(json)?;
    if let Some(value) = scalars::digits(integer, text) {
        return Ok(value);
    }
    match text.parse::<i128>() {
        Ok(n) if Value::of_integer(integer, n).is_none() => out_of_range(integer, n > 0),
        Ok(_) | Err(_) => {
            let pattern = scalars::integer_pattern(integer);
            wrong(format!("String should match pattern '{pattern}'"))
        }
    }
}

fn out_of_range<T>(integer: Integer, is_above: bool) -> Found<T> {
    let (least, greatest) = integer.range();
    if is_above {
        wrong(format!("Input should be less than or equal to {greatest}"))
    } else {
        wrong(format!("Input should be greater than or equal to {least}"))
    }
}

/// All of the parts, or the problems of each under its step.
pub(super) fn all<T, S: std::fmt::Display>(
    parts: impl Iterator<Item = (S, Found<T>)>,
) -> Found<Vec<T>> {
    let mut values = Vec::new();
    let mut problems = Vec::new();
    for (step, found) in parts {
        match found {
            Ok(value) => values.push(value),
            Err(more) => problems.extend(more.into_iter().map(|problem| problem.under(&step))),
        }
        if problems.len() > PROBLEMS_MAX {
            break;
        }
    }
    if problems.is_empty() { Ok(values) } else { Err(problems) }
}

fn of_named(named: &Named, json: &Json) -> Found<Value> {
    match &named.definition {
        Definition::Record(fields_of) => match json {
            Json::Object(object) => parts::fields(fields_of, object).map(Value::Record),
            _other => {
                let name = super::names::pascal(&named.wit_name);
                wrong(format!("Input should be a valid dictionary or instance of {name}"))
            }
        },
        Definition::Variant(of) => {
            let (name, payload) = cases::case_of(of, json)?;
            Ok(Value::Variant(name, payload.map(Box::new)))
        }
        Definition::Enum(labels) => cases::label(labels, json).map(Value::Enum),
        Definition::Flags(labels) => cases::flags(labels, json),
    }
}
