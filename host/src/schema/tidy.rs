//! From what an author may write to what every client reads.
//!
//! Nothing here changes which values are valid, but for formats that nobody checks.

use serde_json::{Map, Value, json};

use super::walk;

/// Formats that are asserted, so that may be published (JSON Schema 2020-12 validation,
/// section 7.3; the ones for international names are left out, as few clients know them).
const FORMATS: [&str; 17] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "uri-template",
    "iri",
    "iri-reference",
    "uuid",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Keywords beside `type` that say something about null too, or whose arms do.
const ABOUT_NULL: [&str; 14] = [
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "$ref",
    "$dynamicRef",
    "$anchor",
    "$dynamicAnchor",
    "$defs",
];

/// Tidies `schema` and every schema within.
pub(super) fn tidy(schema: &mut Value) {
    // An item that `items` is about counts as evaluated.
    let may_name_items = !has(schema, "unevaluatedItems");
    walk::every_mut(schema, &mut |schema| {
        open_booleans(schema);
        drop_foreign_format(schema);
        drop_idle_words(schema);
        split_nullable(schema);
        if may_name_items {
            name_items(schema);
        }
    });
}

fn has(schema: &Value, keyword: &str) -> bool {
    let Value::Object(map) = schema else { return false };
    map.contains_key(keyword) || walk::children(map).any(|child| has(child.schema, keyword))
}

/// Writes the schema `true`, which some clients take for no schema, as `{}`, which is the same.
fn open_booleans(schema: &mut Map<String, Value>) {
    let open = |child: &mut Value| {
        if *child == Value::Bool(true) {
            *child = json!({});
        }
    };
    for keyword in ["properties", "patternProperties", "$defs"] {
        if let Some(Value::Object(children)) = schema.get_mut(keyword) {
            children.values_mut().for_each(open);
        }
    }
    for keyword in ["prefixItems", "anyOf", "oneOf", "allOf"] {
        if let Some(Value::Array(children)) = schema.get_mut(keyword) {
            children.iter_mut().for_each(open);
        }
    }
    if let Some(items) = schema.get_mut("items") {
        open(items);
    }
}

/// Drops a `format` that is not asserted, as `int32` and `double`: clients warn of each.
fn drop_foreign_format(schema: &mut Map<String, Value>) {
    let known = |format: &Value| format.as_str().is_some_and(|name| FORMATS.contains(&name));
    if schema.get("format").is_some_and(|format| !known(format)) {
        schema.shift_remove("format");
    }
}

/// Drops what says nothing: the dialect, which is that of the whole, and that names are strings.
/// An author says the latter of a dictionary whose keys stand for something else (rule W5).
fn drop_idle_words(schema: &mut Map<String, Value>) {
    schema.shift_remove("$schema");
    let any = [json!(true), json!({}), json!({"type": "string"})];
    if schema.get("propertyNames").is_some_and(|names| any.contains(names)) {
        schema.shift_remove("propertyNames");
    }
}

/// Writes `type: [T, "null"]` as `anyOf: [T, null]` (rule S3): clients refuse lists of types.
fn split_nullable(schema: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = schema.get("type") else { return };
    let kind = match types.as_slice() {
        [only] => {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
            return;
        }
        [kind, null] | [null, kind] if null == "null" && kind != "null" => kind.clone(),
        _more => return,
    };
    if schema.keys().any(|key| ABOUT_NULL.contains(&key.as_str())) {
        return;
    }
    let mut arm = Map::new();
    let mut outer = Map::new();
    for (keyword, value) in std::mem::take(schema) {
        if keyword == "type" {
            arm.insert(keyword, kind.clone());
        } else if walk::is_annotation(&keyword) {
            outer.insert(keyword, value);
        } else {
            arm.insert(keyword, value);
        }
    }
    outer.insert("anyOf".to_owned(), json!([arm, {"type": "null"}]));
    *schema = outer;
}

/// Says what the items of an array are, in words that readers of older dialects take alike:
/// some refuse an array without `items`, and some read `items: false` as no items at all.
fn name_items(schema: &mut Map<String, Value>) {
    let prefix = schema.get("prefixItems").and_then(Value::as_array).cloned();
    let items = schema.get("items");
    let Some(prefix) = prefix.filter(|prefix| !prefix.is_empty()) else {
        if items.is_none() && schema.get("type").is_some_and(|kind| kind == "array") {
            schema.insert("items".to_owned(), json!({}));
        }
        return;
    };
    let length = prefix.len() as u64;
    let items_max = schema.get("maxItems").and_then(Value::as_u64);
    let closed = items.is_some_and(|items| *items == Value::Bool(false));
    if closed && items_max.is_none_or(|items_max| items_max > length) {
        schema.insert("maxItems".to_owned(), length.into());
    } else if !closed && (items.is_some() || items_max.is_none_or(|items_max| items_max > length)) {
        schema.entry("items").or_insert_with(|| json!({}));
        return;
    }
    let mut arms: Vec<Value> = Vec::new();
    for arm in prefix {
        if !arms.contains(&arm) {
            arms.push(arm);
        }
    }
    strip_names(&mut arms);
    schema.insert("items".to_owned(), json!({"anyOf": arms}));
}

/// Removes anchors from copies: an anchor is there once.
fn strip_names(arms: &mut [Value]) {
    for arm in arms {
        walk::every_mut(arm, &mut |schema| {
            schema.shift_remove("$anchor");
            schema.shift_remove("$dynamicAnchor");
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidied(mut schema: Value) -> Value {
        tidy(&mut schema);
        schema
    }

    #[test]
    fn formats_that_are_not_asserted_are_dropped() {
        for format in ["int32", "int64", "uint", "uint8", "float", "double", "binary", "path"] {
            assert_eq!(tidied(json!({"items": {"format": format}})), json!({"items": {}}));
        }
        for format in FORMATS {
            assert_eq!(tidied(json!({"format": format})), json!({"format": format}));
        }
    }

    #[test]
    fn the_schema_true_is_written_as_an_object() {
        let schema = json!({
            "properties": {"a": true, "b": false},
            "additionalProperties": true,
            "anyOf": [true, {"items": true}],
        });
        let expected = json!({
            "properties": {"a": {}, "b": false},
            "additionalProperties": true,
            "anyOf": [{}, {"items": {}}],
        });
        assert_eq!(tidied(schema), expected);
    }

    #[test]
    fn a_list_of_a_type_and_null_becomes_a_union() {
        let schema = json!({
            "description": "d",
            "type": ["string", "null"],
            "maxLength": 3,
            "default": null,
        });
        let union = json!({
            "description": "d",
            "default": null,
            "anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}],
        });
        assert_eq!(tidied(schema), union);
        let other_order = json!({"anyOf": [{"type": "integer"}, {"type": "null"}]});
        assert_eq!(tidied(json!({"type": ["null", "integer"]})), other_order);
        assert_eq!(tidied(json!({"type": ["string"]})), json!({"type": "string"}));
        for kept in [
            json!({"type": ["string", "integer"]}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ] {
            assert_eq!(tidied(kept.clone()), kept);
        }
    }

    #[test]
    fn every_array_says_what_its_items_are() {
        assert_eq!(tidied(json!({"type": "array"})), json!({"type": "array", "items": {}}));
        let pair = json!([{"type": "string"}, {"type": "integer"}]);
        let closed = json!({"prefixItems": pair, "maxItems": 2, "items": {"anyOf": pair}});
        assert_eq!(tidied(json!({"prefixItems": pair, "maxItems": 2})), closed);
        assert_eq!(tidied(json!({"prefixItems": pair, "maxItems": 2, "items": false})), closed);
        assert_eq!(
            tidied(json!({"prefixItems": pair, "items": false})),
            json!({"prefixItems": pair, "items": {"anyOf": pair}, "maxItems": 2})
        );
        let open = json!({"prefixItems": pair, "items": {}});
        assert_eq!(tidied(json!({"prefixItems": pair})), open);
        let typed = json!({"prefixItems": pair, "items": {"type": "null"}});
        assert_eq!(tidied(typed.clone()), typed);
    }
}
