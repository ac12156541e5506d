//! Values that mean harm, and what is said of them.

use super::hostile::expressions;
use crate::present::clean;
use crate::schema::{Bounds, Input, Output, Refs, Refused, Style, Unverified};
use serde_json::{Value, json};

fn output(schema: &Value) -> Result<Output, Refused> {
    Output::load(&schema.to_string(), "t", Style::default(), &Bounds::default())
}

fn input(schema: &Value) -> Result<Input, Refused> {
    Input::load(&schema.to_string(), "t", Style::default(), &Bounds::default())
}

#[test]
fn errors_are_bounded_and_repeat_no_value() {
    let secret = "hunter2".repeat(700_000);
    let schema = output(&json!({
        "type": "object",
        "properties": {"n": {"type": "integer"}, "e": {"enum": ["a"]}, "s": {"maxLength": 3}},
        "additionalProperties": false,
    }))
    .unwrap();
    let value = json!({"n": secret, "e": secret, "s": secret, secret.as_str(): 1});
    let error = schema.verify(&value.to_string()).unwrap_err();
    let text = error.to_string();
    assert!(text.len() <= 2048, "{}", text.len());
    let list = output(&json!({"items": {"type": "integer"}, "type": "array"})).unwrap();
    let error = list.verify(&json!(vec!["x"; 1_000_000]).to_string()).unwrap_err().to_string();
    assert!(error.len() <= 2048 && error.starts_with("at least 100 validation errors"));
    let mut late = vec![json!(1); 1_000_000];
    late.push(json!("x"));
    let error = list.verify(&json!(late).to_string()).unwrap_err().to_string();
    assert!(error.contains("result.1000000\n"), "{error}");
    let map =
        output(&json!({"additionalProperties": {"type": "integer"}, "type": "object"})).unwrap();
    let key = "\u{1b}[2J\u{202e}\n".repeat(10_000);
    let error = map.verify(&json!({key: "x"}).to_string()).unwrap_err().to_string();
    assert!(error.len() <= 2048 && clean::is_clean(&error), "{error}");
}

#[test]
fn hidden_characters_are_refused_everywhere_in_a_schema() {
    for hidden in ["\u{1b}[2J", "\u{85}", "\u{202e}", "\u{e0041}", "\u{200b}"] {
        for schema in [
            json!({"description": hidden}),
            json!({"title": hidden}),
            json!({"properties": {hidden: {}}}),
            json!({"enum": [hidden]}),
            json!({"default": {"a": [hidden]}}),
            json!({"$comment": hidden}),
            json!({"x-own": {hidden: 1}}),
            json!({"$defs": {hidden: {}}}),
        ] {
            let error = output(&schema).unwrap_err();
            assert!(matches!(error, Refused::Hidden { .. }), "{error}");
            assert!(clean::is_clean(&error.to_string()));
        }
    }
}

#[test]
fn what_was_evaluated_is_found_out_in_time() {
    for keyword in ["unevaluatedProperties", "unevaluatedItems"] {
        let mut schema = json!({"properties": {"a": {}}, "prefixItems": [{}]});
        for _ in 0..5 {
            schema = json!({"allOf": [schema], keyword: false});
        }
        let schema = output(&json!({"items": schema, "type": "array"})).unwrap();
        let value = json!([{"a": 1}, [1]]).to_string();
        schema.verify(&value).unwrap();
        let value = json!([{"b": 1}, [1, 2]]).to_string();
        let other = json!([{"a": 1, "b": 1}, [1, 2]]);
        let other = other.to_string();
        assert!(schema.verify(&other).is_err());
        assert!(schema.verify(&value).is_err());
    }
}

#[test]
fn a_value_of_many_parts_is_checked_in_time_or_refused() {
    let arms: Vec<_> = (0..250).map(|arm| json!({"not": {"const": format!("c{arm}")}})).collect();
    let every = json!({"allOf": [{"allOf": arms}, {"allOf": arms}]});
    let schema = output(&json!({"type": "array", "items": every})).unwrap();
    let many = json!(vec![1; 2_000_000]).to_string();
    let result = schema.verify(&many).unwrap_err();
    assert!(matches!(result, Unverified::TooCostly { parts: 2_000_001 }), "{result:?}");
    let fits = json!(vec![1; 30_000]).to_string();
    let result = schema.verify(&fits).is_ok();
    assert!(result);
    let plain = output(&json!({"type": "array", "items": {"type": "integer"}})).unwrap();
    let result = plain.verify(&many).is_ok();
    assert!(result);
}

#[test]
fn a_union_that_overlaps_is_checked_as_any_other() {
    let mut schema = expressions();
    let good = json!({"op": "mul", "left": {"op": "add", "left": 1, "right": 2}, "right": 1});
    let bad = json!({"op": "mul", "left": {"op": "add", "left": 1, "right": "2"}, "right": 1});
    for refs in [Refs::Defs, Refs::Inline] {
        let style = Style { refs, titles: true };
        let schema = Output::load(&schema.to_string(), "t", style, &Bounds::default()).unwrap();
        assert!(schema.verify(&good.to_string()).is_ok());
        assert!(schema.verify(&bad.to_string()).is_err());
        // What was found for one value says nothing about another at the same place.
        for _ in 0..100 {
            assert!(schema.verify(&good.to_string()).is_ok());
            assert!(schema.verify(&bad.to_string()).is_err());
        }
    }
    schema["$defs"]["E"]["$anchor"] = json!("e");
    schema["$ref"] = json!("#e");
    let anchored = output(&schema).unwrap();
    assert!(anchored.verify(&good.to_string()).is_ok());
    assert!(anchored.verify(&bad.to_string()).is_err());
    schema["$defs"]["E"]["unevaluatedProperties"] = json!(false);
    assert!(matches!(output(&schema), Err(Refused::Overlap { .. })));
}

#[test]
fn a_large_schema_compiles_in_time() {
    let mut properties = serde_json::Map::new();
    for number in 0..900 {
        properties.insert(
            format!("p{number}"),
            json!({"type": ["string", "null"], "maxLength": 5, "title": "x"}),
        );
    }
    let schema = json!({"type": "object", "properties": properties}).to_string();
    for refs in [Refs::Defs, Refs::Inline] {
        let style = Style { refs, titles: true };
        let result = Output::load(&schema, "t", style, &Bounds::default());
        result.unwrap();
    }
    let mut defs = serde_json::Map::new();
    for number in 0..800 {
        let next = json!({"$ref": format!("#/$defs/d{}", number + 1)});
        defs.insert(format!("d{number}"), json!({"properties": {"a": next}}));
    }
    defs.insert("d800".into(), json!({}));
    let chain = json!({"$ref": "#/$defs/d0", "$defs": defs}).to_string();
    let result = Output::load(&chain, "t", Style::default(), &Bounds::default());
    result.unwrap();
    let style = Style { refs: Refs::Inline, titles: true };
    let result = Output::load(&chain, "t", style, &Bounds::default());
    assert!(matches!(result, Err(Refused::TooDeep { .. })));
}

/// The tool that the official conformance suite lists (SEP-1613, SEP-2106).
#[test]
fn the_schema_of_the_conformance_suite_keeps_its_keywords() {
    let author = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    });
    let schema = input(&author).unwrap();
    for keyword in ["$schema", "allOf", "if", "then", "else", "additionalProperties"] {
        assert_eq!(schema.published()[keyword], author[keyword]);
    }
    assert_eq!(schema.published()["$defs"]["address"]["$anchor"], "addressDef");
    let check = |arguments: Value| schema.check(arguments.as_object().unwrap().clone());
    assert!(check(json!({"email": "a@b", "address": {"street": "s"}})).is_ok());
    let error = check(json!({"contactMethod": "phone", "email": "a@b"})).unwrap_err();
    assert_eq!(error.errors().collect::<Vec<_>>(), [("phone", "Field required")]);
}
