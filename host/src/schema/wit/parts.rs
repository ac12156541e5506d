//! Lists, tuples, maps and records from JSON.
//!
//! Every part that is wrong is told, in the order of declaration.

use serde_json::{Map, Value as Json};

use super::decode::{Found, all, value, wrong};
use super::keys::Key;
use super::{Entry, Field, Type, Value};
use crate::schema::mismatch::Problem;

pub(super) fn array<'j>(json: &'j Json, noun: &str) -> Found<&'j [Json]> {
    match json {
        Json::Array(items) => Ok(items),
        _other => wrong(format!("Input should be a valid {noun}")),
    }
}

pub(super) fn list(element: &Type, json: &Json) -> Found<Vec<Value>> {
    let items = array(json, "list")?;
    all(items.iter().enumerate().map(|(index, item)| (index, value(element, item))))
}

pub(super) fn fixed_list(element: &Type, length: u32, json: &Json) -> Found<Value> {
    let values = list(element, json)?;
    let count = values.len();
    match usize::try_from(length) {
        Ok(length) if length == count => Ok(Value::FixedList(values)),
        Ok(length) if length < count => {
            wrong(format!("List should have at most {length} items after validation, not {count}"))
        }
        Ok(_) | Err(_) => {
            wrong(format!("List should have at least {length} items after validation, not {count}"))
        }
    }
}

pub(super) fn tuple(types: &[Type], json: &Json) -> Found<Vec<Value>> {
    let items = array(json, "tuple")?;
    if items.len() > types.len() {
        let (most, count) = (types.len(), items.len());
        return wrong(format!(
            "Tuple should have at most {most} items after validation, not {count}"
        ));
    }
    all(types.iter().enumerate().map(|(index, ty)| {
        let item = items.get(index);
        (index, item.map_or_else(|| wrong("Field required"), |item| value(ty, item)))
    }))
}

/// WIT names and values.
pub(super) fn fields(fields: &[Field], object: &Map<String, Json>) -> Found<Vec<(String, Value)>> {
    let given = fields.iter().map(|field| {
        let found = match (object.get(&field.name), &field.notes.default) {
            (Some(json), _) | (None, Some(json)) => value(&field.ty, json),
            (None, None) if field.ty.is_option() => Ok(Value::Option(None)),
            (None, None) => wrong("Field required"),
        };
        (field.name.as_str(), found.map(|value| (field.wit_name.clone(), value)))
    });
    let known = |name: &str| fields.iter().any(|field| field.name == *name);
    let unknown = object
        .keys()
        .filter(|name| !known(name))
        .map(|name| (name.as_str(), wrong("Extra inputs are not permitted")));
    all(given.chain(unknown))
}

/// The keys and values of a map, which is an object or an array of pairs.
pub(super) fn entries(entry: &Entry, json: &Json) -> Found<Vec<(Value, Value)>> {
    let key = Key::of(&entry.key);
    if !key.is_scalar() {
        return pairs(entry, json);
    }
    let Json::Object(object) = json else { return wrong("Input should be a valid dictionary") };
    let found = all(object.iter().map(|(name, json)| {
        let key = key.read(name).map_err(|message| vec![Problem::new(message).under("[key]")]);
        (name, key.and_then(|key| Ok((key, value(&entry.value, json)?))))
    }))?;
    distinct(entry, found)
}

fn pairs(entry: &Entry, json: &Json) -> Found<Vec<(Value, Value)>> {
    let items = array(json, "list")?;
    let types = [entry.key.clone(), entry.value.clone()];
    let found = all(items.iter().enumerate().map(|(index, item)| {
        let pair = tuple(&types, item).and_then(|pair| match <[Value; 2]>::try_from(pair) {
            Ok([key, value]) => Ok((key, value)),
            Err(_) => wrong("Input should be a valid tuple"),
        });
        (index, pair)
    }))?;
    distinct(entry, found)
}

/// Two names may say one key: `1.0` and `1.00`.
fn distinct(entry: &Entry, found: Vec<(Value, Value)>) -> Found<Vec<(Value, Value)>> {
    let mut seen = std::collections::HashSet::new();
    let written = |key| super::encode(&entry.key, key).unwrap_or_default();
    if found.iter().all(|(key, _)| seen.insert(written(key))) {
        return Ok(found);
    }
    wrong("Dictionary should have no key twice")
}
