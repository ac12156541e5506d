//! What holds for every schema and every value.

use crate::present::text;
use crate::schema::{Bounds, Input, Output, Refs, Refused, Style, Unverified};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({"type": "integer"})),
        Just(json!({"type": "integer", "minimum": 0, "maximum": 3, "format": "uint8"})),
        Just(json!({"type": "number", "exclusiveMinimum": 0.5, "multipleOf": 0.5})),
        Just(json!({"type": "string", "maxLength": 2, "description": "d"})),
        Just(json!({"type": "string", "pattern": "^a", "minLength": 1})),
        Just(json!({"type": "string", "contentEncoding": "base64"})),
        Just(json!({"type": "string", "format": "date"})),
        Just(json!({"type": "boolean"})),
        Just(json!({"type": "null"})),
        Just(json!({"type": ["string", "null"], "maxLength": 1, "default": null})),
        Just(json!({"type": ["integer", "boolean"]})),
        Just(json!({"type": ["object", "null"], "properties": {"a": {}}, "required": ["a"]})),
        Just(json!({"enum": ["a", 1, null]})),
        Just(json!({"type": "string", "enum": ["a", "ab"]})),
        Just(json!({"const": "abc"})),
        Just(json!({"type": "array"})),
        Just(json!({"type": "object"})),
        Just(json!({})),
        Just(json!(true)),
        Just(json!(false)),
        Just(json!({"$ref": "#/$defs/A"})),
        Just(json!({"$ref": "#/$defs/B", "description": "beside"})),
        Just(json!({"$ref": "#/$defs/B", "minProperties": 1})),
        Just(json!({"$ref": "#anchored"})),
        Just(json!({"$ref": "#/$defs/A/$defs/Inner"})),
        Just(json!({"$ref": "#"})),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 24, 3, |inner| {
        let some = prop::collection::vec(inner.clone(), 1..3);
        let keys = prop::collection::btree_map("[abc]", inner.clone(), 1..3);
        let names = prop::sample::subsequence(vec!["a", "b", "c"], 0..3);
        prop_oneof![
            inner.clone().prop_map(|items| json!({"type": "array", "items": items, "maxItems": 3})),
            inner.clone().prop_map(|items| json!({"type": "array", "items": items, "uniqueItems": true})),
            inner.clone().prop_map(|contains| json!({"contains": contains, "maxContains": 1})),
            some.clone().prop_map(|prefix| json!({"prefixItems": prefix, "items": false, "minItems": 1})),
            (some.clone(), 0usize..4).prop_map(|(prefix, most)| json!({"type": "array", "prefixItems": prefix, "maxItems": most})),
            (some.clone(), inner.clone()).prop_map(|(prefix, rest)| json!({"prefixItems": prefix, "items": rest})),
            (keys.clone(), names.clone()).prop_map(|(properties, required)| json!({"type": "object", "properties": properties, "required": required})),
            (keys.clone(), names.clone()).prop_map(|(properties, required)| json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})),
            (keys.clone(), inner.clone()).prop_map(|(properties, rest)| json!({"properties": properties, "additionalProperties": rest})),
            inner.clone().prop_map(|rest| json!({"type": "object", "additionalProperties": rest, "maxProperties": 2})),
            inner.clone().prop_map(|rest| json!({"type": "object", "patternProperties": {"^a": rest}, "additionalProperties": false})),
            inner.clone().prop_map(|rest| json!({"type": "object", "additionalProperties": rest, "propertyNames": {"enum": ["a", "b"]}})),
            names.prop_map(|names| json!({"dependentRequired": {"a": names}})),
            inner.clone().prop_map(|dependent| json!({"dependentSchemas": {"a": dependent}})),
            some.clone().prop_map(|arms| json!({"anyOf": arms})),
            some.clone().prop_map(|arms| json!({"oneOf": arms, "title": "Own"})),
            some.prop_map(|arms| json!({"allOf": arms})),
            inner.clone().prop_map(|not| json!({"not": not})),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| json!({"if": a, "then": b, "else": c})),
            (keys, inner.clone()).prop_map(|(properties, rest)| json!({"allOf": [{"properties": properties}], "unevaluatedProperties": rest})),
            inner.prop_map(|a| json!({"type": "object", "properties": {"k": {"type": "object", "properties": {"a": a}, "$defs": {"Inner": {"type": "null"}}}, "j": {"$ref": "#/properties/k"}}})),
        ]
    })
}

pub(in crate::schema) fn document() -> impl Strategy<Value = Value> {
    (schema(), schema(), schema()).prop_map(|(root, a, b)| {
        let Value::Object(mut root) = root else { return root };
        let below = |schema: Value| json!({"type": "object", "properties": {"a": schema, "b": {"$ref": "#/$defs/B"}}});
        let mut a = below(a);
        a["$defs"] = json!({"Inner": {"type": "integer", "$anchor": "anchored"}});
        root.insert("$defs".into(), json!({"A": a, "B": {"type": "array", "items": b}}));
        Value::Object(root)
    })
}

pub(in crate::schema) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        (-2i64..6).prop_map(|n| json!(n)),
        prop::sample::select(vec![0.5, 1.0, 1.5, 3.0]).prop_map(|n| json!(n)),
        prop::sample::select(vec!["", "a", "ab", "abc", "AA==", "2024-02-29", "1", "true", "[1]"])
            .prop_map(|s| json!(s)),
        any::<bool>().prop_map(|b| json!(b)),
        Just(json!(null)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| json!(items)),
            prop::collection::btree_map("[abckj]", inner, 0..3).prop_map(|entries| json!(entries)),
        ]
    })
}

fn author_says(author: &Value) -> jsonschema::Validator {
    jsonschema::options()
        .should_validate_formats(true)
        .with_keyword("contentEncoding", |_: &Map<_, _>, _: &Value, _| Ok(Box::new(Base64)))
        .build(author)
        .unwrap()
}

struct Base64;

impl<'i> jsonschema::Keyword<'i> for Base64 {
    fn validate(&self, instance: &'i Value) -> Result<(), jsonschema::ValidationError<'i>> {
        if jsonschema::Keyword::is_valid(self, instance) {
            Ok(())
        } else {
            Err(jsonschema::ValidationError::custom(""))
        }
    }
    fn is_valid(&self, instance: &'i Value) -> bool {
        instance.as_str().is_none_or(|text| matches!(text, "" | "AA==" | "true"))
    }
}

fn has_type(author: &Value) -> bool {
    author.get("type").is_some()
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, max_global_rejects: 1_000_000, ..ProptestConfig::default() })]

    #[test]
    fn publishing_changes_no_verdict(author in document(), values in prop::collection::vec(value(), 8)) {
        for refs in [Refs::Defs, Refs::Inline] {
            let style = Style { refs, titles: true };
            let output = match Output::load(&author.to_string(), "t", style, &Bounds::default()) {
                Ok(output) => output,
                Err(Refused::Dangling { .. } | Refused::Endless { .. } | Refused::Nothing | Refused::Overlap { .. } | Refused::TooManySteps { .. } | Refused::TooManySchemas { .. } | Refused::TooLarge { .. } | Refused::TooDeep { .. }) => continue,
                Err(other) => { return Err(TestCaseError::fail(format!("{other}"))); }
            };
            prop_assert_eq!(&output.published()["type"], "object");
            let says = author_says(&author);
            for value in &values {
                let verdict = output.verify(&value.to_string());
                let expected = says.is_valid(value)
                    && (output.wraps() || has_type(&author) || value.is_object());
                match verdict {
                    Ok(verified) => {
                        prop_assert!(expected, "takes {value} by {:?}", output.published());
                        prop_assert_eq!(verified.json(), value.to_string());
                        let blocks = text::blocks(&verified, usize::MAX).unwrap_or_default();
                        match value {
                            Value::String(text) => prop_assert_eq!(&blocks, std::slice::from_ref(text)),
                            Value::Array(items) if !items.is_empty() => {
                                prop_assert_eq!(blocks.len(), items.len());
                                for (block, item) in blocks.iter().zip(items) {
                                    match item {
                                        Value::String(text) => prop_assert_eq!(block, text),
                                        other => prop_assert_eq!(&serde_json::from_str::<Value>(block).unwrap(), other),
                                    }
                                }
                            }
                            other => prop_assert_eq!(&serde_json::from_str::<Value>(&blocks[0]).unwrap(), other),
                        }
                    }
                    Err(Unverified::Mismatch(mismatch)) => {
                        prop_assert!(!expected, "refuses {value} by {:?}: {mismatch}", output.published());
                        for (at, what) in mismatch.errors() {
                            prop_assert!(what != "Input should match the schema", "no reason for {value} at {at} by {:?}", output.published());
                        }
                        prop_assert!(mismatch.to_string().len() <= 2048);
                    }
                    Err(other) => prop_assert!(false, "{other}"),
                }
            }
        }
    }

    #[test]
    fn arguments_that_pass_are_valid_and_those_that_are_valid_stay(
        properties in prop::collection::btree_map("[abc]", schema(), 1..3),
        arguments in prop::collection::btree_map("[abc]", value(), 0..3),
    ) {
        let author = json!({"type": "object", "properties": properties, "$defs": {
            "A": {"type": "integer", "$defs": {"Inner": {"type": "null", "$anchor": "anchored"}}},
            "B": {"type": "array", "items": {"type": "integer"}},
        }});
        for refs in [Refs::Defs, Refs::Inline] {
        let style = Style { refs, titles: true };
        let input = match Input::load(&author.to_string(), "t", style, &Bounds::default()) {
            Ok(input) => input,
            Err(Refused::Dangling { .. } | Refused::Endless { .. } | Refused::Overlap { .. } | Refused::TooManySteps { .. } | Refused::TooManySchemas { .. } | Refused::TooDeep {..} | Refused::TooLarge {..}) => continue,
            Err(other) => { return Err(TestCaseError::fail(format!("{other}"))); }
        };
        let says = author_says(&author);
        let sent: Map<String, Value> = arguments.clone().into_iter().collect();
        let known = sent.keys().all(|name| properties.contains_key(name));
        let valid = says.is_valid(&Value::Object(sent.clone()));
        match input.check(sent.clone()) {
            Ok(read) => {
                prop_assert!(known);
                prop_assert!(says.is_valid(&Value::Object(read.as_map().clone())), "{:?}", read);
                if valid {
                    // A whole float may have become an integer, which is equal.
                    prop_assert!(json_equal(&Value::Object(sent.clone()), &Value::Object(read.as_map().clone())), "{read:?}");
                }
            }
            Err(mismatch) => {
                prop_assert!(!valid || !known, "{mismatch} {:?}", input.published());
                prop_assert!(mismatch.errors().count() > 0);
                for (at, what) in mismatch.errors() {
                    prop_assert!(what != "Input should match the schema", "no reason at {at} by {:?}", input.published());
                }
            }
        }
        }
    }

    #[test]
    fn what_is_published_is_published_as_it_is(author in document()) {
        for refs in [Refs::Defs] {
            let style = Style { refs, titles: true };
            let Ok(output) = Output::load(&author.to_string(), "t", style, &Bounds::default()) else { continue };
            let text = serde_json::to_string(output.published().as_ref()).unwrap();
            let again = Output::load(&text, "t", style, &Bounds::default()).unwrap();
            prop_assert!(!again.wraps());
            prop_assert_eq!(again.published(), output.published());
        }
    }
}

fn json_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| json_equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| json_equal(a, b)))
        }
        (a, b) => a == b,
    }
}
