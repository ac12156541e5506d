//! From what schemars writes to the conservative subset.
//!
//! What the types say stays; only the spelling changes, and formats that JSON Schema does not
//! define go.

use schemars::Schema;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::{Map, Value, json};

use super::integer;

/// Formats that JSON Schema 2020-12 defines, and those of integers that JSON cannot carry
/// safely: the host refuses these, which it could not if they were gone.
const FORMATS_KEPT: [&str; 21] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
    "int128",
    "uint128",
];

/// Keywords that say something about a schema and nothing about values.
const ANNOTATIONS: [&str; 8] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
];

/// Brings a schema and all within it into the subset.
pub(super) fn narrow(schema: &mut Schema) {
    Narrow.transform(schema);
}

struct Narrow;

impl Transform for Narrow {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let Some(object) = schema.as_object_mut() else {
            return;
        };
        integer::exact_range(object);
        drop_format(object);
        open_keys(object);
        tuple_items(object);
        nullable(object);
    }
}

fn drop_format(object: &mut Map<String, Value>) {
    let known = |format: &Value| format.as_str().is_some_and(|it| FORMATS_KEPT.contains(&it));
    if object.get("format").is_some_and(|format| !known(format)) {
        object.shift_remove("format");
    }
}

/// Maps whose keys have a pattern: many clients read `additionalProperties` alone, and would
/// refuse every key.
fn open_keys(object: &mut Map<String, Value>) {
    if object.get("additionalProperties") != Some(&Value::Bool(false))
        || object.contains_key("properties")
    {
        return;
    }
    let Some(Value::Object(patterns)) = object.get("patternProperties") else {
        return;
    };
    let mut patterns = patterns.clone().into_iter();
    let (Some((pattern, value)), None) = (patterns.next(), patterns.next()) else {
        return;
    };
    object.shift_remove("patternProperties");
    object.insert("additionalProperties".to_owned(), value);
    object.insert("propertyNames".to_owned(), json!({ "pattern": pattern }));
}

/// Some clients demand `items`, and readers of older drafts take `items: false` for a list that
/// is always empty.
fn tuple_items(object: &mut Map<String, Value>) {
    let Some(Value::Array(elements)) = object.get("prefixItems") else {
        return;
    };
    if !matches!(object.get("items"), None | Some(Value::Bool(false))) {
        return;
    }
    let count = elements.len();
    let mut distinct: Vec<Value> = Vec::new();
    for element in elements {
        if !distinct.contains(element) {
            distinct.push(element.clone());
        }
    }
    object.insert("items".to_owned(), json!({ "anyOf": distinct }));
    object.entry("maxItems").or_insert_with(|| count.into());
}

/// `type: [T, null]` as `anyOf`.
fn nullable(object: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = object.get_mut("type") else {
        return;
    };
    let before = types.len();
    types.retain(|it| it != "null");
    if types.is_empty() || types.len() == before {
        return;
    }
    if types.len() == 1 {
        let only = types.remove(0);
        object.insert("type".to_owned(), only);
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|it| !it.is_null());
    }
    let (annotations, assertions): (Map<_, _>, Map<_, _>) = std::mem::take(object)
        .into_iter()
        .partition(|(key, _)| ANNOTATIONS.contains(&key.as_str()));
    *object = annotations;
    object.insert("anyOf".to_owned(), json!([assertions, { "type": "null" }]));
}

/// Takes the null out of `anyOf: [T, null]`.
pub(super) fn without_null(object: &mut Map<String, Value>) {
    let Some(Value::Array(arms)) = object.get("anyOf") else {
        return;
    };
    if let [Value::Object(only), null] = arms.as_slice()
        && *null == json!({ "type": "null" })
    {
        let only = only.clone();
        object.shift_remove("anyOf");
        object.extend(only);
    }
}
