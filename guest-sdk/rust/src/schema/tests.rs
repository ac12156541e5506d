//! What the schema of a result looks like, form by form.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{Bytes, Json};

#[track_caller]
fn check<T: JsonSchema>(expected: &Value) {
    let schema = super::output::<T>();
    // As text, since the order of keys within `properties` counts.
    assert_eq!(format!("{schema:#}"), format!("{expected:#}"));
}

#[test]
fn scalars_have_the_exact_range_of_their_type_and_no_format() {
    check::<bool>(&json!({ "type": "boolean" }));
    check::<String>(&json!({ "type": "string" }));
    check::<f64>(&json!({ "type": "number" }));
    check::<f32>(&json!({ "type": "number" }));
    check::<()>(&json!({ "type": "null" }));
    check::<char>(&json!({ "type": "string", "minLength": 1, "maxLength": 1 }));
    check::<u8>(&json!({ "type": "integer", "minimum": 0, "maximum": 255 }));
    check::<i32>(&json!({ "type": "integer", "minimum": -2147483648, "maximum": 2147483647 }));
    check::<u32>(&json!({ "type": "integer", "minimum": 0, "maximum": 4294967295_u32 }));
    check::<i64>(&json!({
        "type": "integer", "minimum": -9223372036854775808_i64, "maximum": 9223372036854775807_i64,
    }));
    check::<u64>(&json!({
        "type": "integer", "minimum": 0, "maximum": 18446744073709551615_u64,
    }));
    check::<std::num::NonZeroU16>(&json!({ "type": "integer", "minimum": 1, "maximum": 65535 }));
}

#[test]
fn a_format_that_json_schema_knows_stays() {
    check::<std::net::Ipv4Addr>(&json!({ "type": "string", "format": "ipv4" }));
    check::<std::net::IpAddr>(&json!({ "type": "string" }));
}

#[test]
fn integers_that_json_cannot_carry_are_left_for_the_host_to_refuse() {
    check::<u128>(&json!({ "type": "integer", "format": "uint128", "minimum": 0 }));
}

#[test]
fn an_option_is_any_of_its_type_and_null() {
    check::<Option<String>>(&json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }));
    check::<Option<u8>>(&json!({
        "anyOf": [{ "type": "integer", "minimum": 0, "maximum": 255 }, { "type": "null" }],
    }));
    check::<Vec<Option<bool>>>(&json!({
        "type": "array", "items": { "anyOf": [{ "type": "boolean" }, { "type": "null" }] },
    }));
}

#[test]
fn lists_and_maps_have_no_titles() {
    check::<Vec<String>>(&json!({ "type": "array", "items": { "type": "string" } }));
    check::<HashMap<String, f64>>(
        &json!({ "type": "object", "additionalProperties": { "type": "number" } }),
    );
}

#[test]
fn keys_that_are_numbers_are_open_with_a_pattern() {
    check::<BTreeMap<u32, bool>>(&json!({
        "type": "object",
        "additionalProperties": { "type": "boolean" },
        "propertyNames": { "pattern": "^\\d+$" },
    }));
}

#[test]
fn a_tuple_says_its_length_and_what_its_items_may_be() {
    check::<(String, f64, String)>(&json!({
        "type": "array",
        "prefixItems": [{ "type": "string" }, { "type": "number" }, { "type": "string" }],
        "minItems": 3,
        "maxItems": 3,
        "items": { "anyOf": [{ "type": "string" }, { "type": "number" }] },
    }));
}

#[test]
fn bytes_are_base64() {
    check::<Bytes>(&json!({ "type": "string", "contentEncoding": "base64" }));
}

#[derive(Serialize, JsonSchema)]
struct Reading {
    /// Degrees Celsius.
    temperature: f64,
    note: Option<String>,
    wind: Option<Wind>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename = "WindData")]
struct Wind {
    speed: u8,
}

fn wind() -> Value {
    json!({
        "type": "object",
        "properties": { "speed": { "type": "integer", "minimum": 0, "maximum": 255 } },
        "required": ["speed"],
    })
}

#[test]
fn a_record_is_the_root_under_its_name_with_its_fields_in_order() {
    check::<Reading>(&json!({
        "title": "Reading",
        "type": "object",
        "properties": {
            "temperature": { "type": "number", "description": "Degrees Celsius." },
            "note": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
            "wind": { "anyOf": [{ "$ref": "#/$defs/WindData" }, { "type": "null" }] },
        },
        "required": ["temperature", "note", "wind"],
        "$defs": { "WindData": wind() },
    }));
}

#[test]
fn a_promised_value_has_the_schema_of_its_type() {
    assert_eq!(super::output::<Json<Reading>>(), super::output::<Reading>());
    check::<Vec<Json<Wind>>>(&json!({
        "type": "array",
        "items": { "$ref": "#/$defs/WindData" },
        "$defs": { "WindData": wind() },
    }));
}

#[derive(Serialize, JsonSchema)]
struct Tree {
    name: String,
    children: Vec<Tree>,
}

#[test]
fn a_record_that_holds_itself_stays_a_definition_as_well() {
    let object = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "children": { "type": "array", "items": { "$ref": "#/$defs/Tree" } },
        },
        "required": ["name", "children"],
    });
    let schema = super::output::<Tree>();
    assert_eq!(schema["title"], "Tree");
    assert_eq!(schema["properties"], object["properties"]);
    assert_eq!(schema["$defs"]["Tree"], object);
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only the type matters")]
enum Sky {
    Clear,
    Overcast,
    Rain { millimetres: f64 },
}

#[derive(Serialize, JsonSchema)]
#[expect(dead_code, reason = "only the type matters")]
enum Unit {
    Celsius,
    Kelvin,
}

#[test]
fn an_enum_is_its_names_or_one_object_for_each_case() {
    check::<Unit>(&json!({ "title": "Unit", "type": "string", "enum": ["Celsius", "Kelvin"] }));
    check::<Sky>(&json!({
        "title": "Sky",
        "oneOf": [
            { "type": "string", "enum": ["clear", "overcast"] },
            {
                "type": "object",
                "properties": {
                    "rain": {
                        "type": "object",
                        "properties": { "millimetres": { "type": "number" } },
                        "required": ["millimetres"],
                    },
                },
                "required": ["rain"],
                "additionalProperties": false,
            },
        ],
    }));
}
