//! Pairs of schemas that apply others in place, refer to others, or are of arguments.

use serde_json::{Value, json};

use super::{accepts_all_arguments_of, accepts_all_of, check};

#[test]
fn unions_fit_arm_by_arm() {
    let (text, none) = (json!({"type": "string"}), json!({"type": "null"}));
    let (number, integer) = (json!({"type": "number"}), json!({"type": "integer"}));
    let record = |tag: &str, value: &Value| json!({"type": "object", "properties": {"kind": {"const": tag}, "value": value}, "required": ["kind"]});
    let one = |arms: &[Value]| json!({"oneOf": arms});
    check([
        (json!({"anyOf": [text, none]}), text.clone(), true),
        (json!({"anyOf": [text, none]}), json!({"type": ["null", "string"]}), true),
        (json!({"type": ["null", "string"]}), json!({"anyOf": [text, none]}), true),
        (json!({"anyOf": [none, number]}), json!({"anyOf": [integer, none]}), true),
        (json!({"anyOf": [text, none]}), json!({"anyOf": [text, integer, none]}), false),
        (json!({"anyOf": [text, none]}), json!({"anyOf": [text, integer], "type": "string"}), true),
        (
            json!({"anyOf": [text, number], "maxLength": 3}),
            json!({"anyOf": [{"type": "string", "maxLength": 2}, integer]}),
            true,
        ),
        (
            json!({"anyOf": [text, number], "maxLength": 1}),
            json!({"anyOf": [{"type": "string", "maxLength": 2}, integer]}),
            false,
        ),
        (
            json!({"properties": {"a": number}}),
            json!({"anyOf": [{"properties": {"a": integer}}, none]}),
            true,
        ),
        (
            json!({"allOf": [text, {"minLength": 1}]}),
            json!({"type": "string", "minLength": 1}),
            true,
        ),
        (
            json!({"type": "string", "minLength": 1}),
            json!({"allOf": [text, {"minLength": 1}]}),
            true,
        ),
        (json!({"allOf": [text, {"minLength": 1}]}), text.clone(), false),
        (
            json!({"type": "integer"}),
            json!({"allOf": [number, {"type": ["integer", "null"]}]}),
            true,
        ),
        (one(&[text.clone(), none.clone()]), json!({"type": ["string", "null"]}), true),
        (one(&[number.clone(), integer.clone()]), number.clone(), false),
        (one(&[number.clone(), integer.clone()]), integer.clone(), false),
        (one(&[number.clone(), integer.clone()]), one(&[number.clone(), integer.clone()]), true),
        (one(&[record("a", &number), record("b", &text)]), record("a", &integer), true),
        (
            one(&[record("a", &number), record("b", &text)]),
            one(&[record("b", &text), record("a", &integer)]),
            true,
        ),
        (one(&[record("a", &number), record("b", &text)]), record("c", &text), false),
        (one(&[record("a", &number), json!({"type": "object"})]), record("a", &integer), false),
        (json!({"not": text}), json!({"type": ["integer", "null"]}), true),
        (json!({"not": text}), json!({"type": ["string", "null"]}), false),
        (json!({"not": {"const": 1}}), json!({"enum": [2, 3]}), true),
        (
            json!({"not": {"pattern": "a"}}),
            json!({"not": {"pattern": "a"}, "type": "string"}),
            true,
        ),
        (json!({"not": {"pattern": "a"}}), json!({"not": {"pattern": "b"}}), false),
    ]);
}

#[test]
fn what_no_rule_is_about_is_the_same() {
    let condition =
        |then: Value| json!({"if": {"required": ["a"]}, "then": then, "properties": {"a": {}}});
    let left = |schema: Value| json!({"allOf": [{"properties": {"a": schema}}], "unevaluatedProperties": false});
    check([
        (condition(json!({"minProperties": 2})), condition(json!({"minProperties": 2})), true),
        (condition(json!({"minProperties": 2})), condition(json!({"minProperties": 3})), false),
        (condition(json!({"minProperties": 2})), json!({"minProperties": 2}), true),
        (
            condition(json!({"minProperties": 2})),
            json!({"if": {"required": ["a"]}, "else": {"minProperties": 2}}),
            false,
        ),
        (left(json!({"type": "string"})), left(json!({"type": "string", "title": "t"})), true),
        (left(json!({"type": "string"})), left(json!({"type": "string", "maxLength": 1})), false),
        (left(json!({"type": "string"})), json!({"unevaluatedProperties": false}), false),
        (json!({"properties": {"a": {}}}), left(json!(true)), true),
        (
            json!({"dependencies": {"a": ["b"]}}),
            json!({"dependencies": {"a": ["b"]}, "minProperties": 1}),
            true,
        ),
    ]);
}

#[test]
fn references_are_followed_on_both_sides() {
    let list = |item: &str| {
        json!({
            "$ref": "#/$defs/List",
            "$defs": {"List": {
                "type": "object",
                "properties": {"head": {"type": item}, "tail": {"anyOf": [{"$ref": "#/$defs/List"}, {"type": "null"}]}},
                "additionalProperties": false,
            }},
        })
    };
    let twice = json!({
        "type": "object",
        "properties": {"head": {"type": "integer"}, "tail": {"type": ["object", "null"], "properties": {
            "head": {"type": "integer"}, "tail": {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
        }, "additionalProperties": false}},
        "additionalProperties": false,
    });
    let negated =
        |kind: &str| json!({"not": {"$ref": "#/$defs/A"}, "$defs": {"A": {"pattern": kind}}});
    check([
        (list("number"), list("integer"), true),
        (list("integer"), list("number"), false),
        (list("number"), twice.clone(), true),
        (twice.clone(), list("integer"), true),
        (twice, list("number"), false),
        (
            json!({"$ref": "#/$defs/A", "minLength": 2, "$defs": {"A": {"type": "string"}}}),
            json!({"type": "string", "minLength": 2}),
            true,
        ),
        (
            json!({"type": "string", "minLength": 2}),
            json!({"$ref": "#/$defs/A", "minLength": 2, "$defs": {"A": {"type": "string"}}}),
            true,
        ),
        (
            json!({"$ref": "#/definitions/A", "definitions": {"A": {"not": {"pattern": "a"}}}}),
            json!({"$ref": "#/$defs/B", "$defs": {"B": {"not": {"pattern": "a"}}}}),
            true,
        ),
        (negated("a"), negated("a"), true),
        (negated("a"), negated("b"), false),
        (json!({"$ref": "#/$defs/None"}), json!({"type": "string"}), false),
        (json!({"$ref": "https://a.example/s"}), json!({"$ref": "https://a.example/s"}), false),
        (
            json!({"$dynamicRef": "#a", "$defs": {"A": {"$dynamicAnchor": "a"}}}),
            json!({"$dynamicRef": "#a", "$defs": {"A": {"$dynamicAnchor": "a"}}}),
            false,
        ),
        // References that never go into the value.
        (
            json!({"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}}}),
            json!({"type": "string"}),
            false,
        ),
        (
            json!({"$ref": "#/x/A", "x": {"A": {"anyOf": [{"$ref": "#/x/A"}, {"type": "null"}]}}}),
            json!({"type": "string"}),
            false,
        ),
    ]);
}

#[test]
fn an_assumption_that_fails_takes_with_it_what_followed() {
    // That `Even` fits follows from the assumption that `Odd` does, and that it does not is found
    // at `z`, after that. The second arm asks about `Even` once more.
    let definitions = |z: Value| {
        json!({
            "Even": {"properties": {"odd": {"$ref": "#/$defs/Odd"}}},
            "Odd": {"properties": {"even": {"$ref": "#/$defs/Even"}, "z": z}},
        })
    };
    let even = json!({"$ref": "#/$defs/Even"});
    let later = json!({"properties": {"odd": {"properties": {"even": even}}}});
    let wide = json!({
        "anyOf": [{"properties": {"a": even}}, {"properties": {"a": later}}],
        "$defs": definitions(json!({"type": "integer"})),
    });
    let narrow = |z| json!({"properties": {"a": even}, "$defs": definitions(z)});
    check([(wide.clone(), narrow(json!({})), false), (wide, narrow(json!({"const": 1})), true)]);
}

#[test]
fn arguments_that_are_not_known_are_refused_whatever_the_schema_says() {
    let (text, number) = (json!({"type": "string"}), json!({"type": "number"}));
    let object =
        |properties: Value| json!({"type": "object", "properties": properties, "required": ["a"]});
    let one = object(json!({"a": text}));
    let two = object(json!({"a": text, "b": number}));
    let mut open = one.clone();
    open["additionalProperties"] = json!(true);
    let nested = |inner: &Value| object(json!({"a": inner}));
    let mut in_place = one.clone();
    in_place["allOf"] = json!([{"$ref": "#/$defs/More"}]);
    in_place["$defs"] = json!({"More": {"properties": {"b": {"type": "integer"}}}});
    for (new, old, expected) in [
        (&two, &one, true),
        (&one, &two, false),
        (&one, &one, true),
        (&open, &one, true),
        (&open, &two, true),
        (&one, &open, false),
        (&two, &open, false),
        (&nested(&two), &nested(&one), false),
        (&two, &in_place, true),
        (&in_place, &two, false),
        (&in_place, &one, true),
        (&one, &json!({"properties": {"a": text}}), false),
        (&json!({"properties": {"a": text}}), &one, true),
        (
            &json!({"properties": {"a": text}, "type": "object"}),
            &json!({"properties": {"a": text}}),
            true,
        ),
        (&json!({}), &json!({"type": "object"}), true),
        (&one, &json!({"$ref": "#/x", "x": {}}), false),
    ] {
        assert_eq!(accepts_all_arguments_of(new, old), expected, "{new} of {old}");
    }
    assert!(!accepts_all_of(&two, &one));
    assert!(accepts_all_of(&one, &two));
}

#[test]
fn no_pair_takes_long_or_much_of_the_stack() {
    let run = || {
        let mut deep = [json!({"type": "integer"}), json!({"type": "number"})];
        for level in 0..60 {
            deep = deep.map(|schema| match level % 2 {
                0 => json!({"items": schema, "minItems": 1}),
                _ => json!({"additionalProperties": schema, "type": "object"}),
            });
        }
        let [narrow, wide] = deep;
        assert!(accepts_all_of(&wide, &narrow));
        assert!(!accepts_all_of(&narrow, &wide));
        let arm = |index: usize| json!({"properties": {"a": {"anyOf": [{"minimum": index}, {"maxLength": index}]}}});
        let unions: Vec<_> =
            (0..30).map(|_| json!({"anyOf": (0..8).map(arm).collect::<Vec<_>>()})).collect();
        let wide = json!({"properties": {"a": {"pattern": "a"}, "b": false}});
        assert!(!accepts_all_of(&wide, &json!({"allOf": unions})));
        let cases = |cases: std::ops::Range<i32>| json!({"anyOf": cases.map(|n| json!({"const": n})).collect::<Vec<_>>()});
        assert!(accepts_all_of(&cases(0..256), &cases(1..256)));
        assert!(!accepts_all_of(&cases(1..256), &cases(0..256)));
        let ring = |length: usize| {
            let next = |n: usize| json!({"properties": {"next": {"$ref": format!("#/$defs/{}", (n + 1) % length)}}});
            let definitions: serde_json::Map<_, _> =
                (0..length).map(|n| (n.to_string(), next(n))).collect();
            json!({"$ref": "#/$defs/0", "$defs": definitions})
        };
        assert!(accepts_all_of(&ring(7), &ring(11)));
        accepts_all_of(&ring(101), &ring(103));
        let mut deeper = json!(true);
        for _ in 0..400 {
            deeper = json!([deeper]);
        }
        assert!(!accepts_all_of(&json!({"const": deeper}), &json!({"const": deeper})));
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}
