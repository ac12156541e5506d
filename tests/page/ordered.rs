//! When two values are the same: order counts where a reader sees it.
//!
//! Of a schema, the order of properties counts, and that of keywords does not. Of data, the
//! order of all keys counts, since the text for the model has it.

use serde_json::{Map, Value};

/// Whether what stands under `key` of a definition or of a result is the same.
pub(crate) fn same(key: &str, a: Option<&Value>, b: Option<&Value>) -> bool {
    let form = |value: Option<&Value>| value.map(|value| form(key, value).to_string());
    form(a) == form(b)
}

fn form(key: &str, value: &Value) -> Value {
    match key {
        "inputSchema" | "outputSchema" => schema(value),
        "content" => deeply_sorted(value),
        _ => value.clone(),
    }
}

/// Keywords sorted; properties in their order.
fn schema(value: &Value) -> Value {
    let Value::Object(keywords) = value else { return value.clone() };
    let mut keywords: Vec<(&String, &Value)> = keywords.iter().collect();
    keywords.sort_by_key(|(keyword, _)| *keyword);
    let normal = keywords.into_iter().map(|(keyword, value)| {
        let value = match keyword.as_str() {
            "properties" => map(value, schema),
            "$defs" => sorted(&map(value, schema)),
            "items" | "additionalProperties" | "not" => schema(value),
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => match value {
                Value::Array(arms) => arms.iter().map(schema).collect(),
                other => other.clone(),
            },
            // Titles, types, bounds, references, and data such as defaults.
            _ => value.clone(),
        };
        (keyword.clone(), value)
    });
    Value::Object(normal.collect())
}

fn map(value: &Value, form: impl Fn(&Value) -> Value) -> Value {
    match value {
        Value::Object(entries) => {
            Value::Object(entries.iter().map(|(key, value)| (key.clone(), form(value))).collect())
        }
        other => other.clone(),
    }
}

/// Blocks of content, whose keys have no order: an embedded resource has some of its own.
fn deeply_sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(deeply_sorted).collect(),
        Value::Object(_) => sorted(&map(value, deeply_sorted)),
        other => other.clone(),
    }
}

/// The entries of `value` by their keys. Not deep: what is within `$defs` is in order already.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(entries) => {
            let mut entries: Vec<(String, Value)> = entries.clone().into_iter().collect();
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::Object(Map::from_iter(entries))
        }
        other => other.clone(),
    }
}
