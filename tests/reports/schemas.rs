//! What clients stumble over in schemas, looked for in every schema that is derived from types:
//! those of all echoes of the laws.

use serde_json::{Map, Value as Json};

use crate::laws;

/// microsoft/vscode#246119: "array type must have items".
pub(super) fn every_array_says_what_its_items_are() {
    every_subschema(&mut |schema, place| {
        if schema.get("type").is_some_and(|kind| kind == "array") {
            let items = schema.get("items").and_then(Json::as_object);
            assert!(items.is_some_and(|items| !items.is_empty()), "{place}: {schema:?}");
        }
    });
}

/// ZhangHanDong/mempal#84: `format: "uint"` draws warnings.
pub(super) fn no_number_has_a_format() {
    every_subschema(&mut |schema, place| {
        assert_eq!(schema.get("format"), None, "{place}: {schema:?}");
    });
}

/// cursor/cursor#3778: lists of types, such as `["null", "string"]`.
pub(super) fn every_type_is_one_word() {
    every_subschema(&mut |schema, place| {
        let kind = schema.get("type");
        assert!(kind.is_none_or(Json::is_string), "{place}: {schema:?}");
    });
}

/// nearai/ironclaw#1303: a typed schema replaced by `{}` makes the model loop.
pub(super) fn no_schema_says_nothing() {
    every_subschema(&mut |schema, place| {
        let says = ["type", "enum", "$ref", "anyOf", "oneOf", "pattern", "minLength"];
        assert!(says.iter().any(|keyword| schema.contains_key(*keyword)), "{place}: {schema:?}");
    });
}

/// makenotion/notion-mcp-server#341: `anyOf` at the top of a schema is refused; and
/// anthropics/claude-code#88882: a `$schema` of another draft.
pub(super) fn every_root_is_a_flat_object() {
    for (root, place) in roots() {
        assert_eq!(root["type"], "object", "{place}: {root:?}");
        for keyword in ["anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref", "$schema", "$id"]
        {
            assert!(!root.contains_key(keyword), "{place}: {root:?}");
        }
    }
}

fn roots() -> impl Iterator<Item = (&'static Map<String, Json>, String)> {
    let definitions = laws::all().iter().flat_map(|echoes| &echoes.served.definitions);
    definitions.flat_map(|definition| {
        ["inputSchema", "outputSchema"].map(|key| {
            let place = format!("{} {key}", definition["name"]);
            (definition[key].as_object().unwrap_or_else(|| panic!("{place}: no object")), place)
        })
    })
}

fn every_subschema(check: &mut dyn FnMut(&Map<String, Json>, &str)) {
    for (root, place) in roots() {
        visit(root, &place, check);
    }
}

fn visit(schema: &Map<String, Json>, place: &str, check: &mut dyn FnMut(&Map<String, Json>, &str)) {
    check(schema, place);
    for (keyword, value) in schema {
        let mut sub = |value: &Json| match value {
            Json::Object(sub) => visit(sub, &format!("{place}/{keyword}"), check),
            Json::Bool(_) if keyword == "additionalProperties" => {}
            other => panic!("{place}/{keyword} is no schema: {other}"),
        };
        match keyword.as_str() {
            "items" | "additionalProperties" | "propertyNames" => sub(value),
            "anyOf" | "oneOf" | "prefixItems" => {
                value.as_array().into_iter().flatten().for_each(sub);
            }
            "properties" | "$defs" => {
                value.as_object().into_iter().flat_map(Map::values).for_each(sub)
            }
            "type" | "title" | "description" | "default" | "enum" | "required" | "minimum"
            | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems" | "uniqueItems"
            | "pattern" | "contentEncoding" | "$ref" => {}
            other => panic!("{place}: the keyword {other} is not of the conservative subset"),
        }
    }
}
