//! Every rule on a definition that it is about, and on the same one mended.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::rules;

/// A definition with that schema of arguments, which has a type and properties if it says none.
pub(super) fn input(mut schema: Value) -> Value {
    let map = schema.as_object_mut().unwrap();
    map.entry("type").or_insert_with(|| json!("object"));
    map.entry("properties").or_insert_with(|| json!({}));
    json!({"name": "t", "inputSchema": schema})
}

fn parameter(schema: Value) -> Value {
    input(json!({"properties": {"p": schema}}))
}

fn output(mut schema: Value) -> Value {
    schema.as_object_mut().unwrap().entry("type").or_insert_with(|| json!("object"));
    let mut definition = input(json!({}));
    definition["outputSchema"] = schema;
    definition
}

fn named(name: &str) -> Value {
    let mut definition = input(json!({}));
    definition["name"] = name.into();
    definition
}

fn described(chars: usize) -> Value {
    let mut definition = input(json!({}));
    definition["description"] = "d".repeat(chars).into();
    definition
}

fn with_parameter(name: &str) -> Value {
    let schema = json!({"type": "string"});
    input(json!({"properties": {name: schema}}))
}

fn nested(levels: usize) -> Value {
    let inner = json!({"type": "string"});
    let outer = |inner: Value, _| json!({"type": "object", "properties": {"p": inner}});
    input((0..levels).fold(inner, outer))
}

fn many(count: usize) -> Value {
    let property = |index| (format!("p{index}"), json!({"type": "string"}));
    input(json!({"properties": Value::Object((0..count).map(property).collect())}))
}

fn choice(count: usize) -> Value {
    let values: Vec<String> = (0..count).map(|index| index.to_string()).collect();
    parameter(json!({"type": "string", "enum": values}))
}

/// The rule, a definition that it is about and where, and the same one mended.
type Twin = (&'static str, Value, &'static str, Value);

const P: &str = "/inputSchema/properties/p";

fn twins() -> Vec<Twin> {
    let mut twins = about_names();
    twins.extend(about_roots());
    twins.extend(about_types());
    twins.extend(about_references());
    twins.extend(about_keywords());
    twins.extend(about_sizes());
    twins
}

fn about_names() -> Vec<Twin> {
    vec![
        ("name-characters", named("a.b"), "/name", named("a-b")),
        ("name-characters", named("a/b"), "/name", named("a_b")),
        ("name-word", named("a-b"), "/name", named("a_b")),
        ("name-double-underscore", named("a__b"), "/name", named("a_b_c")),
        ("name-start", named("2fa"), "/name", named("_2fa")),
        ("name-length", named(&"n".repeat(65)), "/name", named(&"n".repeat(64))),
        ("name-length-cursor", named(&"n".repeat(59)), "/name", named(&"n".repeat(58))),
        ("name-with-server", named(&"n".repeat(41)), "/name", named(&"n".repeat(40))),
        (
            "parameter-name",
            with_parameter("$.xgafv"),
            "/inputSchema/properties/$.xgafv",
            with_parameter("x.gafv"),
        ),
        ("parameter-name", with_parameter(""), "/inputSchema/properties/", with_parameter("p")),
        (
            "parameter-name-word",
            with_parameter("a-b"),
            "/inputSchema/properties/a-b",
            with_parameter("a_b"),
        ),
        (
            "parameter-name-word",
            with_parameter("2a"),
            "/inputSchema/properties/2a",
            with_parameter("a2"),
        ),
        ("description-length", described(1025), "/description", described(1024)),
        ("description-cut", described(2049), "/description", described(2048)),
    ]
}

fn about_roots() -> Vec<Twin> {
    let union = json!([{"required": ["p"]}]);
    vec![
        (
            "root-union",
            input(json!({"anyOf": union})),
            "/inputSchema/anyOf",
            parameter(json!({"anyOf": union})),
        ),
        (
            "root-union",
            input(json!({"allOf": union})),
            "/inputSchema/allOf",
            input(json!({"required": ["p"]})),
        ),
        ("root-type", input(json!({"type": "string"})), "/inputSchema", input(json!({}))),
        (
            "root-properties",
            json!({"name": "t", "inputSchema": {"type": "object"}}),
            "/inputSchema",
            input(json!({})),
        ),
        ("output-root", output(json!({"type": "integer"})), "/outputSchema", output(json!({}))),
        (
            "output-dialect",
            output(json!({"$schema": "http://json-schema.org/draft-07/schema#"})),
            "/outputSchema/$schema",
            output(json!({"$schema": "https://json-schema.org/draft/2020-12/schema"})),
        ),
    ]
}

fn about_types() -> Vec<Twin> {
    let text = json!({"type": "string"});
    let or_null = json!({"anyOf": [text, {"type": "null"}]});
    let required =
        |required: &[&str]| input(json!({"properties": {"p": or_null}, "required": required}));
    let integer = |maximum: u64| {
        output(json!({"properties": {"n": {"type": "integer", "maximum": maximum}}}))
    };
    let signed = |minimum: i64| output(json!({"items": {"type": "integer", "minimum": minimum}}));
    vec![
        (
            "array-items",
            parameter(json!({"type": "array"})),
            P,
            parameter(json!({"type": "array", "items": {}})),
        ),
        (
            "array-items",
            parameter(json!({"type": ["array", "null"], "prefixItems": [{}]})),
            P,
            parameter(json!({"type": "array", "prefixItems": [{}], "items": {}})),
        ),
        ("boolean-schema", parameter(json!(true)), P, parameter(json!({}))),
        ("untyped-property", parameter(json!({"title": "P"})), P, parameter(text.clone())),
        (
            "type-list",
            parameter(json!({"type": ["null", "string"]})),
            "/inputSchema/properties/p/type",
            parameter(or_null.clone()),
        ),
        (
            "enum-type",
            parameter(json!({"enum": ["a"]})),
            P,
            parameter(json!({"type": "string", "enum": ["a"]})),
        ),
        (
            "enum-values",
            parameter(json!({"type": "integer", "enum": [1, 2]})),
            "/inputSchema/properties/p/enum",
            parameter(json!({"type": "string", "enum": ["1", "2"]})),
        ),
        (
            "enum-values",
            parameter(json!({"type": "string", "enum": ["a", ""]})),
            "/inputSchema/properties/p/enum",
            parameter(json!({"type": "string", "enum": ["a"]})),
        ),
        ("required-null", required(&["p"]), P, required(&[])),
        ("large-integer", integer(u64::MAX), "/outputSchema/properties/n", integer((1 << 53) - 1)),
        ("large-integer", signed(-(1 << 53)), "/outputSchema/items", signed(1 - (1 << 53))),
    ]
}

fn about_references() -> Vec<Twin> {
    let list = |next: Value| {
        let list = json!({"type": "object", "properties": {"next": next}});
        input(json!({"properties": {"p": {"$ref": "#/$defs/L%201"}}, "$defs": {"L 1": list}}))
    };
    let result = |reference: &str| {
        output(json!({"items": {"$ref": reference}, "$defs": {"A b": {"$anchor": "here"}}}))
    };
    vec![
        (
            "reference",
            list(json!({"type": "null"})),
            "/inputSchema/properties/p/$ref",
            parameter(json!({"type": "object"})),
        ),
        (
            "recursive-reference",
            list(json!({"anyOf": [{"$ref": "#/$defs/L%201"}, {"type": "null"}]})),
            "/inputSchema/$defs/L 1/properties/next/anyOf/0/$ref",
            list(json!({"type": "null"})),
        ),
        (
            "dangling-reference",
            result("#/items/$defs/A"),
            "/outputSchema/items/$ref",
            result("#/$defs/A%20b"),
        ),
        ("dangling-reference", result("a.json"), "/outputSchema/items/$ref", result("#here")),
        (
            "dynamic-reference",
            parameter(json!({"$dynamicRef": "#node"})),
            "/inputSchema/properties/p/$dynamicRef",
            parameter(json!({"$ref": "#node"})),
        ),
    ]
}

fn about_keywords() -> Vec<Twin> {
    let arms = json!([{"type": "string"}, {"type": "integer"}]);
    let text = |format: &str| parameter(json!({"type": "string", "format": format}));
    let number = |format: &str| output(json!({"items": {"type": "integer", "format": format}}));
    let format = "/inputSchema/properties/p/format";
    vec![
        (
            "one-of",
            parameter(json!({"oneOf": arms})),
            "/inputSchema/properties/p/oneOf",
            parameter(json!({"anyOf": arms})),
        ),
        (
            "not-without-type",
            parameter(json!({"not": {"enum": ["a"]}})),
            "/inputSchema/properties/p/not",
            parameter(json!({"not": {"type": "string", "enum": ["a"]}})),
        ),
        (
            "strict-keyword",
            parameter(json!({"allOf": arms})),
            "/inputSchema/properties/p/allOf",
            parameter(json!({"anyOf": arms})),
        ),
        (
            "gemini-keyword",
            parameter(json!({"type": "integer", "exclusiveMinimum": 0})),
            "/inputSchema/properties/p/exclusiveMinimum",
            parameter(json!({"type": "integer", "minimum": 1})),
        ),
        ("foreign-format", number("uint64"), "/outputSchema/items/format", number("uuid")),
        ("openai-format", text("uri"), format, text("uuid")),
        ("gemini-format", text("uri"), format, text("date-time")),
        (
            "pattern-look-around",
            parameter(json!({"type": "string", "pattern": "^(?!null$)"})),
            "/inputSchema/properties/p/pattern",
            parameter(json!({"type": "string", "pattern": "^(?:null)$"})),
        ),
    ]
}

fn about_sizes() -> Vec<Twin> {
    let deep = "/inputSchema/properties/p/properties/p/properties/p/properties/p/properties/p\
                /properties/p/properties/p/properties/p/properties/p/properties/p/properties/p";
    vec![
        ("strict-depth", nested(11), deep, nested(10)),
        ("strict-properties", many(5001), "/inputSchema", many(5000)),
        ("strict-enum-values", choice(1001), "/inputSchema", choice(1000)),
    ]
}

#[test]
fn every_rule_finds_what_it_is_about_and_not_the_mended_twin() {
    for (id, broken, at, mended) in twins() {
        let rule = rules().find(|rule| rule.id == id).unwrap();
        assert_eq!((rule.find)(&broken), [at], "{id}: {broken}");
        assert_eq!((rule.find)(&mended), [""; 0], "{id}: {mended}");
        assert!(broken.pointer(at).is_some(), "{id}: nothing at {at}");
    }
}

#[test]
fn no_rule_is_without_a_twin() {
    let tested: BTreeSet<&str> = twins().iter().map(|(id, ..)| *id).collect();
    let all: BTreeSet<&str> = rules().map(|rule| rule.id).collect();
    assert_eq!(tested, all);
}
