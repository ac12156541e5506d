//! What is accepted while it is read is what the validator accepts, and is written the same.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::tests::laws::{document, value};
use super::super::{Bounds, Output, Refs, Style, Unverified};

fn load(schema: &Value, refs: Refs) -> Option<Output> {
    let style = Style { refs, titles: true };
    Output::load(&schema.to_string(), "t", style, &Bounds::default()).ok()
}

fn output(schema: &Value) -> Output {
    load(schema, Refs::Defs).unwrap()
}

/// What came of one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Came {
    /// The schema has no tree.
    Nowhere,
    /// Accepted while it was read.
    Streamed,
    /// Accepted, but not while it was read.
    Decided,
    Refused,
}

/// The law: what is accepted while it is read is accepted without that, and is the same text.
fn came(output: &Output, text: &str) -> Came {
    let decided = output.decide(text);
    if let Some(streamed) = output.read(text) {
        let whole = decided.unwrap_or_else(|why| {
            panic!("{text} was accepted by {:?}, but: {why}", output.published())
        });
        assert_eq!(streamed.structured().as_str(), whole.to_string());
        assert_eq!(output.verify(text).as_ref(), Ok(&streamed));
        return Came::Streamed;
    }
    assert_eq!(
        output.verify(text).map(|it| it.structured().to_map()).map_err(|it| it.to_string()),
        decided.clone().map(|it| it.as_object().unwrap().clone()).map_err(|it| it.to_string())
    );
    match decided {
        _any if output.stream().is_none() => Came::Nowhere,
        Ok(_) => Came::Decided,
        Err(_) => Came::Refused,
    }
}

/// Texts that are JSON, or nearly: other spellings, keys twice, numbers that do not fit.
fn text() -> impl Strategy<Value = String> {
    const LEAVES: &[&str] = &[
        "1",
        " 1",
        "2 ",
        "1.0",
        "-0",
        "0.50",
        "1e2",
        "1E+2",
        "1e30",
        "1e999",
        "01",
        "1.",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "9007199254740993",
        "null",
        "nul",
        "true",
        "false\n",
        "\"\"",
        "\"a\"",
        "\"\\u0061b\"",
        "\"\\/\\b\\u007f\"",
        "\"ü\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud800\"",
        "\"\u{1}\"",
        "\"AA==\"",
        "\"2024-02-29\"",
        "\"\u{7f}\"",
        "{}",
        "[ ]",
    ];
    const KEYS: &[&str] = &["a", "b", "c", "j", "k", "\\u0061", "\\n", "ü"];
    let leaf = prop::sample::select(LEAVES).prop_map(str::to_owned);
    leaf.prop_recursive(3, 16, 4, |inner| {
        let entry = (prop::sample::select(KEYS), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(" , "))),
            prop::collection::vec(entry, 0..4).prop_map(|entries| {
                let entries = entries.iter().map(|(key, value)| format!("\"{key}\" : {value}"));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }),
        ]
    })
}

static STREAMED: AtomicUsize = AtomicUsize::new(0);
static DECIDED: AtomicUsize = AtomicUsize::new(0);

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    fn each(
        author in document(),
        values in prop::collection::vec(value(), 8),
        texts in prop::collection::vec(text(), 8),
    ) {
        let unique = author.to_string().contains("uniqueItems");
        for refs in [Refs::Defs, Refs::Inline] {
            let Some(output) = load(&author, refs) else { continue };
            for text in values.iter().map(Value::to_string).chain(texts.iter().cloned()) {
                match came(&output, &text) {
                    Came::Streamed => { STREAMED.fetch_add(1, Relaxed); }
                    // An arm is known by the first key, and a float may equal an integer.
                    Came::Decided if !text.contains('{') && !unique => {
                        return Err(TestCaseError::fail(format!("{text} by {:?}", output.published())));
                    }
                    Came::Decided => { DECIDED.fetch_add(1, Relaxed); }
                    Came::Nowhere | Came::Refused => {}
                }
            }
        }
    }
}

#[test]
fn whatever_is_accepted_while_it_is_read_is_valid() {
    each();
    let (streamed, decided) = (STREAMED.load(Relaxed), DECIDED.load(Relaxed));
    assert!(streamed > 1000 && decided * 100 < streamed, "{streamed} streamed, {decided} not");
}

fn streamed(schema: &Value, values: &[Value]) {
    let output = output(schema);
    assert!(output.stream().is_some(), "{schema} has no tree");
    for value in values {
        assert_eq!(came(&output, &value.to_string()), Came::Streamed, "{value} by {schema}");
    }
}

fn refused(schema: &Value, values: &[Value]) {
    let output = output(schema);
    for value in values {
        assert_eq!(came(&output, &value.to_string()), Came::Refused, "{value} by {schema}");
    }
}

#[test]
fn arms_are_told_apart_by_type_by_key_and_by_tag() {
    let tagged = |case: &str, payload: Value| {
        json!({
            "type": "object",
            "properties": {case: payload},
            "required": [case],
            "additionalProperties": false,
        })
    };
    let variant = json!({"oneOf": [
        tagged("circle", json!({"type": "number"})),
        {"type": "string", "enum": ["point", "none"]},
        tagged("square", json!({"type": "array", "items": {"type": "integer"}})),
    ]});
    let values = [json!({"circle": 0.5}), json!("point"), json!({"square": [1, 2]})];
    streamed(&variant, &values);
    let wrong =
        [json!({"circle": "x"}), json!({}), json!({"circle": 1, "square": []}), json!("other")];
    refused(&variant, &wrong);

    let arm = |tags: Value, of: Value| {
        json!({
            "type": "object",
            "properties": {"kind": tags, "of": of},
            "required": ["of"],
        })
    };
    let union = json!({"anyOf": [
        {"$ref": "#/$defs/A"},
        {"$ref": "#/$defs/B"},
        {"type": "null"},
    ], "$defs": {
        "A": arm(json!({"const": "a"}), json!({"type": "integer"})),
        "B": arm(json!({"type": "string", "enum": ["b", "c"]}), json!({"$ref": "#/$defs/A"})),
    }});
    let a = json!({"kind": "a", "of": 1, "more": [null]});
    streamed(&union, &[a.clone(), json!({"kind": "c", "of": a}), json!(null)]);
    refused(
        &union,
        &[json!({"kind": "c", "of": 1}), json!({"kind": "d", "of": 1}), json!({"kind": 1})],
    );
    let late = json!({"of": 1, "kind": "a"}).to_string();
    assert_eq!(came(&output(&union), &late), Came::Decided);

    let numbers = json!({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 2}]});
    streamed(&numbers, &[json!(1), json!(2.5)]);
    refused(&numbers, &[json!(2), json!(2.0), json!(1.5)]);
}

#[test]
fn keywords_of_one_value_are_checked() {
    let many: serde_json::Map<_, _> =
        (0..200).map(|n| (format!("p{n}"), json!({"type": "integer"}))).collect();
    let names: Vec<_> = many.keys().cloned().collect();
    let all: Value = names.iter().map(|name| (name.clone(), json!(1))).collect();
    let mut lacking = all.clone();
    lacking.as_object_mut().unwrap().remove("p130");
    for (schema, good, bad) in [
        (json!({"multipleOf": 0.1, "type": "number"}), json!([0.3, 2]), json!([0.25])),
        (
            json!({"enum": [1, null, true, "a"]}),
            json!([1.0, null, true, "a"]),
            json!([false, 2, "b", []]),
        ),
        (json!({"const": 7, "type": "integer"}), json!([7, 7.0]), json!(["7", 8])),
        (
            json!({"type": "string", "pattern": "^a+$", "maxLength": 2}),
            json!(["aa"]),
            json!(["aaa", "b"]),
        ),
        (
            json!({"type": "string", "minLength": 2, "maxLength": 2}),
            json!(["üü", "🌧🌧"]),
            json!(["ü", "aaa"]),
        ),
        (json!({"format": "date"}), json!(["2024-02-29", 1]), json!(["2023-02-29"])),
        (json!({"type": "string", "contentEncoding": "base64"}), json!(["AA=="]), json!(["AA"])),
        (
            json!({"type": "array", "minItems": 1, "maxItems": 2}),
            json!([[1], [1, [2]]]),
            json!([[], [1, 2, 3]]),
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "null"}}),
            json!([[], [1], [1, null]]),
            json!([[null], [1, 1]]),
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"pattern": "^a"}}),
            json!([{}, {"a": 1, "ab": 2}]),
            json!([{"b": 1}, {"a": "x"}]),
        ),
        (
            json!({"type": "object", "minProperties": 1, "maxProperties": 1}),
            json!([{"a": 1}]),
            json!([{}, {"a": 1, "b": 1}]),
        ),
        (
            json!({"type": "object", "required": ["a"], "additionalProperties": {"type": "null"}}),
            json!([{"a": null}]),
            json!([{}, {"a": 1}]),
        ),
        (
            json!({"type": "object", "properties": many, "required": names, "additionalProperties": false}),
            json!([all]),
            json!([lacking, {"p1": 1, "q": 1}]),
        ),
    ] {
        streamed(&schema, good.as_array().unwrap());
        refused(&schema, bad.as_array().unwrap());
    }
}

#[test]
fn keys_are_given_once() {
    let map = output(&json!({"type": "object", "additionalProperties": {"type": "integer"}}));
    let record = output(&json!({"type": "object", "properties": {"k7": {}, "k0": {}}}));
    for last in 0..40 {
        let keys = (0..40).chain([last]).map(|n| format!("\"k{n}\":{n}")).collect::<Vec<_>>();
        let (once, twice) = (keys[..40].join(","), keys.join(","));
        for output in [&map, &record] {
            assert_eq!(came(output, &format!("{{{once}}}")), Came::Streamed);
            assert_eq!(came(output, &format!("{{{twice}}}")), Came::Refused);
            let escaped = twice.replacen(&format!("\"k{last}"), &format!("\"\\u006b{last}"), 1);
            assert_eq!(came(output, &format!("{{{escaped}}}")), Came::Refused);
        }
    }
}

#[test]
fn recursion_ends_at_the_depth_of_values() {
    let tree = output(&json!({"type": "array", "items": {"$ref": "#"}}));
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert_eq!(came(&tree, &nested(100)), Came::Streamed);
    assert_eq!(came(&tree, &nested(101)), Came::Refused);
    assert_eq!(came(&tree, &"[".repeat(1_000_000)), Came::Refused);
    let any = output(&json!({}));
    assert_eq!(came(&any, &r#"{"a":"#.repeat(1_000_000)), Came::Refused);
}

#[test]
fn too_many_parts_are_too_costly_all_the_same() {
    let arms: Vec<_> = (0..250).map(|arm| json!({"const": format!("c{arm}")})).collect();
    let schema = output(&json!({"type": "array", "items": {"anyOf": arms}}));
    assert_eq!(came(&schema, &json!(vec!["c249"; 1000]).to_string()), Came::Streamed);
    let many = json!(vec!["c0"; 200_000]).to_string();
    assert!(schema.read(&many).is_none());
    assert!(matches!(schema.verify(&many), Err(Unverified::TooCostly { parts: 200_001 })));
}

#[test]
fn what_one_pass_cannot_tell_has_no_tree() {
    let list = json!({"type": "array", "items": {"type": "integer"}});
    let record = |name: &str| json!({"type": "object", "properties": {name: {}}});
    for schema in [
        json!({"not": {"type": "null"}}),
        json!({"allOf": [{"type": "integer"}, {"minimum": 1}]}),
        json!({"if": {}, "then": {}}),
        json!({"anyOf": [list, {"type": "array", "items": {"type": "string"}}]}),
        json!({"anyOf": [record("a"), record("b")]}),
        json!({"anyOf": [{}, {"type": "null"}], "minLength": 1}),
        json!({"$ref": "#/$defs/A", "minLength": 1, "$defs": {"A": {"type": "string"}}}),
        json!({"enum": [[1]]}),
        json!({"type": "array", "contains": {}}),
        json!({"type": "array", "uniqueItems": true, "items": {"type": "number"}}),
        json!({"type": "object", "patternProperties": {"a": {}}}),
        json!({"type": "object", "unevaluatedProperties": false}),
        json!({"type": "object", "dependentRequired": {"a": ["b"]}}),
    ] {
        assert!(output(&schema).stream().is_none(), "{schema}");
    }
}
