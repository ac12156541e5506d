//! Options, variants, enums and flags from JSON.
//!
//! What is none of the cases is told all of them.

use serde_json::{Map, Value as Json};

use super::decode::{Found, all, value, wrong};
use super::parts::array;
use super::{Case, Either, Label, Type, Value};

pub(super) fn option(inner: &Type, json: &Json) -> Found<Value> {
    let some = match json {
        Json::Null => return Ok(Value::Option(None)),
        json if !inner.is_option() => value(inner, json)?,
        Json::Object(object) if object.len() == 1 && object.contains_key("some") => {
            let found = value(inner, &object["some"]);
            all(std::iter::once(("some", found)))?.swap_remove(0)
        }
        _other => return wrong("Input should be null, or an object with one key, 'some'"),
    };
    Ok(Value::Option(Some(Box::new(some))))
}

pub(super) fn result(either: &Either, json: &Json) -> Found<Value> {
    let case = |name: &str, payload: &Option<Type>| Case {
        name: name.to_owned(),
        payload: payload.clone(),
        docs: None,
    };
    let (name, payload) = case_of(&[case("ok", &either.ok), case("err", &either.err)], json)?;
    let payload = payload.map(Box::new);
    Ok(Value::Result(if name == "ok" { Ok(payload) } else { Err(payload) }))
}

/// The case that a string, or an object with one key, is of.
pub(super) fn case_of(cases: &[Case], json: &Json) -> Found<(String, Option<Value>)> {
    match json {
        Json::String(name) => {
            let case = cases.iter().find(|case| case.name == *name && case.payload.is_none());
            if let Some(case) = case {
                return Ok((case.name.clone(), None));
            }
        }
        Json::Object(object) => {
            if let Some((case, ty, json)) = keyed(cases, object) {
                let found = value(ty, json);
                let payload = all(std::iter::once((&case.name, found)))?.pop();
                return Ok((case.name.clone(), payload));
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) => {}
    }
    wrong(format!("Input should be {}", legal(cases)))
}

fn keyed<'a>(
    cases: &'a [Case],
    object: &'a Map<String, Json>,
) -> Option<(&'a Case, &'a Type, &'a Json)> {
    let (key, json) = object.iter().next().filter(|_| object.len() == 1)?;
    let case = cases.iter().find(|case| case.name == *key)?;
    Some((case, case.payload.as_ref()?, json))
}

fn legal(cases: &[Case]) -> String {
    let (keyed, bare): (Vec<_>, Vec<_>) = cases.iter().partition(|case| case.payload.is_some());
    let list = |cases: &[&Case]| one_of(cases.iter().map(|case| &case.name));
    match (bare.is_empty(), keyed.is_empty()) {
        (false, true) => list(&bare),
        (true, _) => format!("an object with one key, {}", list(&keyed)),
        (false, false) => format!("{}, or an object with one key, {}", list(&bare), list(&keyed)),
    }
}

/// `'a', 'b' or 'c'`.
pub(super) fn one_of<'n>(names: impl Iterator<Item = &'n String>) -> String {
    let names: Vec<String> = names.map(|name| format!("'{name}'")).collect();
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

pub(super) fn label(labels: &[Label], json: &Json) -> Found<String> {
    let found = labels.iter().find(|label| Some(label.name.as_str()) == json.as_str());
    let legal = || one_of(labels.iter().map(|label| &label.name));
    found.map_or_else(
        || wrong(format!("Input should be {}", legal())),
        |label| Ok(label.name.clone()),
    )
}

/// In the order of declaration.
pub(super) fn flags(labels: &[Label], json: &Json) -> Found<Value> {
    let items = array(json, "list")?;
    let names = all(items.iter().enumerate().map(|(index, item)| (index, label(labels, item))))?;
    let set: Vec<String> = labels
        .iter()
        .map(|label| &label.name)
        .filter(|name| names.contains(name))
        .cloned()
        .collect();
    if set.len() != names.len() {
        return wrong("List should have no item twice");
    }
    Ok(Value::Flags(set))
}
