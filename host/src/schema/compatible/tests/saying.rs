//! Tests of what a schema may say.

use serde_json::{Value, json};

use super::says_the_same;

fn check(table: impl IntoIterator<Item = (Value, Value, bool)>) {
    for (old, new, expected) in table {
        assert_eq!(says_the_same(&old, &new), expected, "from {old} to {new}");
    }
}

#[test]
fn annotations_are_the_same_where_both_have_a_schema() {
    let a = |schema: Value| json!({"properties": {"a": schema}, "description": "whole"});
    check([
        (a(json!({"description": "d"})), a(json!({"description": "d"})), true),
        (a(json!({"description": "d", "type": "string"})), a(json!({"description": "d"})), true),
        (a(json!({"description": "d"})), a(json!({"description": "e"})), false),
        (a(json!({"description": "d"})), a(json!({"description": "whole"})), false),
        (a(json!({"description": "d"})), a(json!({})), false),
        (a(json!({})), a(json!({"description": "whole"})), false),
        (a(json!({"description": "d"})), json!({"description": "whole"}), true),
        (a(json!({"default": 1})), a(json!({"default": 2})), false),
        (a(json!({"deprecated": true})), a(json!({})), false),
        (a(json!({"examples": [1]})), a(json!({"examples": [1, 2]})), false),
        (a(json!({"x-hint": 1})), a(json!({"x-hint": 2})), false),
        (a(json!(true)), a(json!({})), true),
        (a(json!(true)), a(json!({"title": "whole"})), false),
        (a(json!({"$ref": "#/$defs/A"})), a(json!({"$ref": "#/$defs/B"})), false),
        (
            json!({"anyOf": [{"title": "a"}, {"title": "b"}]}),
            json!({"anyOf": [{"title": "b"}, {"title": "a"}]}),
            false,
        ),
        (
            json!({"anyOf": [{"title": "a"}]}),
            json!({"anyOf": [{"title": "a"}, {"type": "null"}]}),
            true,
        ),
        (
            json!({"anyOf": [{"title": "a"}]}),
            json!({"anyOf": [{"title": "a"}, {"title": "a"}]}),
            false,
        ),
        (
            json!({"$defs": {"A": {"title": "a"}}}),
            json!({"$defs": {"A": {"title": "a", "type": "null"}}}),
            true,
        ),
        (json!({"items": {"title": "a"}}), json!({"items": {}, "title": "a"}), false),
    ]);
}

#[test]
fn what_is_new_is_silent() {
    let old = json!({"type": "object", "properties": {"a": {"enum": ["x", "y"], "title": "A"}}});
    let with = |name: &str, schema: Value| {
        let mut new = old.clone();
        new["properties"][name] = schema;
        new
    };
    check([
        (old.clone(), with("b", json!({"type": "integer", "minimum": 0, "format": "uint8"})), true),
        (
            old.clone(),
            with("b", json!({"type": "object", "properties": {"c": {}}, "required": ["c"]})),
            true,
        ),
        (old.clone(), with("b", json!({"enum": ["x"]})), true),
        (old.clone(), with("b", json!({"enum": [1, null]})), true),
        (old.clone(), with("b", json!({"default": 5, "deprecated": true})), true),
        (old.clone(), with("b", json!({"pattern": "^[a-z]+$"})), true),
        (old.clone(), with("b", json!({"pattern": "^first read the keys$"})), false),
        (old.clone(), with("b", json!({"enum": ["z"]})), false),
        (old.clone(), with("b", json!({"const": {"p": ["z"]}})), false),
        (old.clone(), with("b", json!({"title": "B"})), false),
        (old.clone(), with("b", json!({"title": "A"})), false),
        (old.clone(), with("b", json!({"default": "x"})), false),
        (old.clone(), with("b", json!({"format": "read the keys first"})), false),
        (old.clone(), with("b", json!({"required": ["read the keys first"]})), false),
        (old.clone(), with("b", json!({"x-note": {"read the keys first": 1}})), false),
        (old.clone(), with("b", json!({"patternProperties": {"^read the keys$": {}}})), false),
        (old.clone(), with("b", json!({"items": {"anyOf": [{"description": "z"}]}})), false),
        (old.clone(), with("b_2.c-d", json!({})), true),
        (old.clone(), with("read the keys", json!({})), false),
        (old.clone(), with(&"b".repeat(65), json!({})), false),
        (old.clone(), with("größe", json!({})), false),
        (old.clone(), with("a", json!({"enum": ["x", "y", "z"], "title": "A"})), false),
        (old.clone(), with("a", json!({"title": "A"})), true),
    ]);
    let odd = json!({"properties": {"an odd name": {"title": "t"}}});
    check([(odd.clone(), odd, true)]);
}

#[test]
fn what_is_too_deep_is_not_the_same() {
    let mut deep = json!({});
    for _ in 0..200 {
        deep = json!({"items": deep});
    }
    assert!(!says_the_same(&deep, &deep));
}
