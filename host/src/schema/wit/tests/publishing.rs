//! Schemas of types.

use serde_json::{Value as Json, json};

use super::super::testing::{function, function_of, map, ty};
use super::super::*;

/// The output schema of a type that needs these items.
fn published(items: &str, wit: &str) -> Json {
    output_schema(&function_of(&ty(items, wit)))
}

fn check(wit: &str, expected: Json) {
    assert_eq!(published("", wit), expected, "{wit}");
}

#[test]
fn scalars_are_published_by_the_table() {
    check("bool", json!({"type": "boolean"}));
    check("string", json!({"type": "string"}));
    check("char", json!({"type": "string", "minLength": 1, "maxLength": 1}));
    check("f32", json!({"type": "number"}));
    check("f64", json!({"type": "number"}));
    check("list<u8>", json!({"type": "string", "contentEncoding": "base64"}));
}

#[test]
fn integers_have_the_range_of_their_type() {
    let range = |minimum: i64, maximum: u64| json!({"type": "integer", "minimum": minimum, "maximum": maximum});
    check("s8", range(-128, 127));
    check("s16", range(-32768, 32767));
    check("s32", range(-2147483648, 2147483647));
    check("s64", range(i64::MIN, i64::MAX as u64));
    check("u8", range(0, 255));
    check("u16", range(0, 65535));
    check("u32", range(0, 4294967295));
    check("u64", range(0, u64::MAX));
}

#[test]
fn large_integers_can_be_text() {
    let text = |integer| output_schema(&function_of(&Type::Integer(integer, Written::Text)));
    let (unsigned, signed) = ("^(0|[1-9][0-9]*)$", "^(0|-?[1-9][0-9]*)$");
    assert_eq!(text(Integer::U64), json!({"type": "string", "pattern": unsigned}));
    assert_eq!(text(Integer::S64), json!({"type": "string", "pattern": signed}));
}

#[test]
fn lists_and_tuples_say_what_their_items_are() {
    let string = json!({"type": "string"});
    let byte = json!({"type": "integer", "minimum": 0, "maximum": 255});
    check("list<string>", json!({"type": "array", "items": string}));
    check(
        "list<list<u8>>",
        json!({
            "type": "array",
            "items": {"type": "string", "contentEncoding": "base64"},
        }),
    );
    check(
        "list<string, 3>",
        json!({
            "type": "array", "items": string, "minItems": 3, "maxItems": 3,
        }),
    );
    check(
        "tuple<string, u8, string>",
        json!({
            "type": "array",
            "minItems": 3,
            "maxItems": 3,
            "prefixItems": [string, byte, string],
            "items": {"anyOf": [string, byte]},
        }),
    );
}

#[test]
fn maps_with_scalar_keys_are_objects() {
    let values = json!({"type": "number"});
    check("map<string, f64>", json!({"type": "object", "additionalProperties": values}));
    for (key, names) in [
        ("bool", json!({"enum": ["true", "false"]})),
        ("char", json!({"minLength": 1, "maxLength": 1})),
        ("u8", json!({"pattern": "^(0|[1-9][0-9]*)$"})),
        ("s64", json!({"pattern": "^(0|-?[1-9][0-9]*)$"})),
        ("f64", json!({"pattern": r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"})),
    ] {
        let expected = json!({
            "type": "object",
            "additionalProperties": values,
            "propertyNames": names,
        });
        assert_eq!(output_schema(&function_of(&map("", key, "f64"))), expected, "{key}");
    }
    let colors = map("enum color { red, green }", "color", "f64");
    assert_eq!(
        output_schema(&function_of(&colors)),
        json!({
            "type": "object",
            "additionalProperties": values,
            "propertyNames": {"$ref": "#/$defs/Color"},
            "$defs": {"Color": {"type": "string", "enum": ["red", "green"]}},
        })
    );
}

#[test]
fn maps_with_other_keys_are_arrays_of_pairs() {
    let bytes = json!({"type": "string", "contentEncoding": "base64"});
    let value = json!({"type": "boolean"});
    assert_eq!(
        output_schema(&function_of(&map("", "list<u8>", "bool"))),
        json!({
            "type": "array",
            "items": {
                "type": "array",
                "minItems": 2,
                "maxItems": 2,
                "prefixItems": [bytes, value],
                "items": {"anyOf": [bytes, value]},
            },
        })
    );
}

#[test]
fn an_option_is_nullable_and_an_option_of_an_option_is_tagged() {
    let none = json!({"type": "null"});
    let inner = json!({"anyOf": [{"type": "string"}, none]});
    check("option<string>", inner.clone());
    check(
        "option<option<string>>",
        json!({"anyOf": [
            {
                "type": "object",
                "properties": {"some": inner},
                "required": ["some"],
                "additionalProperties": false,
            },
            none,
        ]}),
    );
}

#[test]
fn a_variant_is_tagged_from_outside() {
    let items = "
        /// What happened.
        variant event {
            /// It began.
            started,
            /// Some of it is done.
            in-progress(u8),
            stopped,
        }";
    assert_eq!(
        published(items, "event")["$defs"]["Event"],
        json!({
            "description": "What happened.",
            "oneOf": [
                {"type": "string", "enum": ["started", "stopped"], "description": "- started: It began."},
                {
                    "type": "object",
                    "properties": {"in-progress": {"type": "integer", "minimum": 0, "maximum": 255}},
                    "required": ["in-progress"],
                    "additionalProperties": false,
                    "description": "Some of it is done.",
                },
            ],
        })
    );
}

#[test]
fn a_result_within_is_tagged() {
    let ok = json!({
        "type": "object",
        "properties": {"ok": {"type": "string"}},
        "required": ["ok"],
        "additionalProperties": false,
    });
    let err = json!({
        "type": "object",
        "properties": {"err": {"type": "boolean"}},
        "required": ["err"],
        "additionalProperties": false,
    });
    let bare = |name: &str| json!({"type": "string", "enum": [name]});
    let within = |wit: &str| published("", &format!("list<{wit}>"))["items"]["oneOf"].clone();
    assert_eq!(within("result<string, bool>"), json!([ok, err]));
    assert_eq!(within("result<string>"), json!([ok, bare("err")]));
    assert_eq!(within("result<_, bool>"), json!([bare("ok"), err]));
    assert_eq!(within("result"), json!([{"type": "string", "enum": ["ok", "err"]}]));
}

#[test]
fn enums_and_flags_are_names_and_docs_of_cases_are_described() {
    let items = "
        /// A colour.
        enum color {
            /// Hot.
            dark-red,
            green,
        }
        flags perm { r, w, x }
        record lamp { color: color, perm: perm }";
    let schema = published(items, "lamp");
    assert_eq!(schema["$ref"], "#/$defs/Lamp");
    assert_eq!(
        schema["$defs"]["Color"],
        json!({
            "type": "string",
            "enum": ["dark-red", "green"],
            "description": "A colour.\n- dark-red: Hot.",
        })
    );
    assert_eq!(
        schema["$defs"]["Perm"],
        json!({
            "type": "array",
            "items": {"type": "string", "enum": ["r", "w", "x"]},
            "uniqueItems": true,
        })
    );
}

const PERSON: &str = "
    record street { name: string, number: s8 }
    /// Someone with an address.
    record person {
        /// Given name first.
        full-name: string,
        home: street,
        work: option<street>,
    }";

#[test]
fn a_result_record_has_every_field() {
    assert_eq!(
        published(PERSON, "person"),
        json!({
            "$ref": "#/$defs/Person",
            "$defs": {
                "Person": {
                    "type": "object",
                    "properties": {
                        "full_name": {"type": "string", "description": "Given name first."},
                        "home": {"$ref": "#/$defs/Street"},
                        "work": {"anyOf": [{"$ref": "#/$defs/Street"}, {"type": "null"}]},
                    },
                    "required": ["full_name", "home", "work"],
                    "description": "Someone with an address.",
                },
                "Street": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "number": {"type": "integer", "minimum": -128, "maximum": 127},
                    },
                    "required": ["name", "number"],
                },
            },
        })
    );
}

#[test]
fn an_argument_may_leave_options_out() {
    let function = function(&format!("{PERSON} f: func(person: person, note: option<string>);"));
    let schema = input_schema(&function);
    assert_eq!(schema["required"], json!(["person"]));
    assert_eq!(
        schema["properties"],
        json!({
            "person": {"$ref": "#/$defs/Person"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null},
        })
    );
    let person = &schema["$defs"]["Person"];
    assert_eq!(person["required"], json!(["full_name", "home"]));
    let work = json!({"anyOf": [{"$ref": "#/$defs/Street"}, {"type": "null"}], "default": null});
    assert_eq!(person["properties"]["work"], work);
}

#[test]
fn a_tool_without_parameters_takes_an_empty_object_and_no_result_is_null() {
    let function = function("f: func();");
    assert_eq!(input_schema(&function), json!({"type": "object", "properties": {}}));
    assert_eq!(output_schema(&function), json!({"type": "null"}));
}

#[test]
fn the_result_of_a_fallible_function_is_its_ok() {
    let returns = |result: &str| output_schema(&function(&format!("f: func() -> {result};")));
    assert_eq!(returns("result<string, u8>"), json!({"type": "string"}));
    assert_eq!(returns("result<_, u8>"), json!({"type": "null"}));
    assert_eq!(returns("result"), json!({"type": "null"}));
}

#[test]
fn an_alias_says_what_it_stands_for() {
    let items = "
        /// Who.
        type user-id = u8;
        record pair { first: user-id, /// The other.
            second: user-id }";
    let id = |description: &str| json!({"type": "integer", "minimum": 0, "maximum": 255, "description": description});
    assert_eq!(published(items, "user-id"), id("Who."));
    let pair = &published(items, "pair")["$defs"]["Pair"]["properties"];
    assert_eq!(*pair, json!({"first": id("Who."), "second": id("The other.")}));
}

#[test]
fn two_types_of_one_name_are_told_apart_by_their_interfaces() {
    let wit = "package a:b;
        interface flat-shapes { record point { x: bool } }
        interface solid { record point { z: bool } }
        interface api {
            use flat-shapes.{point};
            use solid.{point as solid-point};
            f: func(a: point, b: solid-point, c: point);
        }
        world w { export api; }";
    let read = super::super::testing::read_wit(wit);
    let schema = input_schema(&read.functions[0]);
    let references: Vec<_> =
        schema["properties"].as_object().unwrap().values().map(|p| p["$ref"].clone()).collect();
    assert_eq!(references, ["#/$defs/Point", "#/$defs/SolidPoint", "#/$defs/Point"]);
    assert_eq!(schema["$defs"].as_object().unwrap().len(), 2);
}
