//! The JSON of values, after the design's table of types: what must leave, and what may come.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Number, Value as Json, json};

use super::types::Ty;
use super::value::Value;

/// The JSON of a value; all of its numbers are finite.
pub(crate) fn json(ty: &Ty, value: &Value) -> Json {
    match (ty, value) {
        (Ty::Bool, Value::Bool(value)) => json!(value),
        (Ty::Char, Value::Char(c)) => json!(c.to_string()),
        (Ty::String, Value::String(text)) => json!(text),
        (Ty::Integer(_), Value::Integer(n)) => integer(*n),
        (Ty::F64, Value::F64(float)) => double(*float),
        // The shortest spelling.
        (Ty::F32, Value::F32(float)) => double(float.to_string().parse().expect("a number")),
        (Ty::List(_), Value::List(values)) if ty.is_bytes() => {
            let byte = |value: &Value| match value {
                Value::Integer(n) => u8::try_from(*n).expect("a byte"),
                other => panic!("no byte: {other:?}"),
            };
            json!(STANDARD.encode(values.iter().map(byte).collect::<Vec<u8>>()))
        }
        (Ty::List(element), Value::List(values)) => {
            values.iter().map(|value| json(element, value)).collect()
        }
        (Ty::Map(key, of), Value::Map(entries)) => Json::Object(
            entries.iter().map(|(name, value)| (self::key(key, name), json(of, value))).collect(),
        ),
        (Ty::Tuple(types), Value::Fields(values)) => {
            types.iter().zip(values).map(|(ty, value)| json(ty, value)).collect()
        }
        (Ty::Record(_, fields), Value::Fields(values)) => Json::Object(
            fields
                .iter()
                .zip(values)
                .map(|((name, ty), value)| (name.replace('-', "_"), json(ty, value)))
                .collect(),
        ),
        (Ty::Option(_), Value::Option(None)) => Json::Null,
        // An option of an option is tagged.
        (Ty::Option(some), Value::Option(Some(value))) => match **some {
            Ty::Option(_) => json!({ "some": json(some, value) }),
            _ => json(some, value),
        },
        (Ty::Result(ok, err), Value::Case(index, payload)) => match index {
            0 => case("ok", ok.as_deref(), payload.as_deref()),
            _ => case("err", err.as_deref(), payload.as_deref()),
        },
        (Ty::Variant(_, cases), Value::Case(index, payload)) => {
            let (name, ty) = &cases[*index];
            case(name, ty.as_ref(), payload.as_deref())
        }
        (Ty::Enum(_, names), Value::Case(index, None)) => json!(names[*index]),
        (Ty::Flags(_, names), Value::Flags(set)) => {
            names.iter().zip(set).filter(|(_, set)| **set).map(|(name, _)| json!(name)).collect()
        }
        (ty, value) => panic!("{value:?} is no {ty:?}"),
    }
}

/// Whether the value itself is the structured content, rather than `{"result": value}`.
pub(crate) fn is_object(ty: &Ty) -> bool {
    match ty {
        Ty::Record(..) => true,
        Ty::Map(key, _) => **key == Ty::String,
        _ => false,
    }
}

fn case(name: &str, ty: Option<&Ty>, payload: Option<&Value>) -> Json {
    match (ty, payload) {
        (Some(ty), Some(payload)) => {
            Json::Object(Map::from_iter([(name.to_owned(), json(ty, payload))]))
        }
        _ => json!(name),
    }
}

fn key(ty: &Ty, key: &Value) -> String {
    match json(ty, key) {
        Json::String(text) => text,
        scalar => scalar.to_string(),
    }
}

fn integer(n: i128) -> Json {
    let small = i64::try_from(n).map(Json::from);
    small.or_else(|_| u64::try_from(n).map(Json::from)).expect("no type has larger ones")
}

fn double(float: f64) -> Json {
    Json::Number(Number::from_f64(float).expect("it is finite"))
}
