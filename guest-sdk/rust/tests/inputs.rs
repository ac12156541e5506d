//! What a function's parameters publish, and how arguments reach them.

use std::collections::BTreeMap;

use portcullis_guest::{Call, testing, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Unit {
    #[default]
    Celsius,
    Kelvin,
}

#[derive(Deserialize, JsonSchema)]
struct Station {
    name: String,
}

/// Takes defaults.
///
/// And more:
///  - than that
#[tool(title = "All defaults", read_only, destructive = false)]
fn defaults(
    /// How many days.
    #[default(3)]
    days: u32,
    #[default("kelvin")] unit: Unit,
    #[default] other: Unit,
    #[default(vec!["London".to_owned()])] cities: Vec<String>,
    note: Option<String>,
) -> Value {
    json!([days, unit, other, cities, note])
}

#[tool]
fn constraints(
    #[length(1..=80)]
    #[pattern("^[A-Z]")]
    city: String,
    #[range(1..=14)] days: u32,
    #[range(-90.0..)] latitude: Option<f64>,
    #[range(..18_446_744_073_709_551_615)] id: u64,
    #[length(..5)] cities: Vec<String>,
    #[length(2)] pair: BTreeMap<String, bool>,
) -> usize {
    let _ = (latitude, id);
    city.len() + days as usize + cities.len() + pair.len()
}

/// Names as they come.
#[tool]
fn namedAnyHow(
    r#type: String,
    cityName: String,
    _unused: bool,
    #[rename("self")]
    #[title("Who asks")]
    this: String,
    mut count: u8,
) -> String {
    count += 1;
    format!("{type} {cityName} {this} {count}")
}

#[tool]
fn facts(call: &Call, station: Station, owned: Call) -> String {
    assert_eq!(call.id(), owned.id());
    station.name
}

fn described(name: &str) -> Value {
    let component = testing::describe().unwrap();
    let tools = component["tools"].as_array().unwrap();
    tools.iter().find(|tool| tool["name"] == name).unwrap().clone()
}

#[track_caller]
fn check_inputs(name: &str, expected: &Value) {
    let schema = &described(name)["input_schema"];
    assert_eq!(format!("{schema:#}"), format!("{expected:#}"));
}

#[track_caller]
fn check_call(name: &str, arguments: Value, expected: Value) {
    let outcome = testing::call(name, arguments).unwrap();
    assert_eq!(outcome, json!({ "value": expected }));
}

#[test]
fn the_component_is_named_after_the_crate_and_its_tools_are_in_source_order() {
    let component = testing::describe().unwrap();
    assert_eq!(component["name"], "portcullis-guest");
    assert_eq!(component["version"], "0.1.0");
    let tools = component["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["defaults", "constraints", "namedAnyHow", "facts"]);
}

#[test]
fn the_tool_says_what_its_author_wrote() {
    let tool = described("defaults");
    assert_eq!(tool["title"], "All defaults");
    assert_eq!(tool["description"], "Takes defaults.\n\nAnd more:\n - than that");
    assert_eq!(
        tool["hints"],
        json!({ "read_only": true, "destructive": false, "idempotent": null, "open_world": null })
    );
    assert_eq!(described("constraints")["description"], Value::Null);
}

#[test]
fn defaults_are_published_and_arguments_with_one_may_be_left_out() {
    check_inputs(
        "defaults",
        &json!({
            "type": "object",
            "properties": {
                "days": {
                    "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32,
                    "description": "How many days.", "default": 3,
                },
                "unit": { "$ref": "#/$defs/Unit", "default": "kelvin" },
                "other": { "$ref": "#/$defs/Unit", "default": "celsius" },
                "cities": {
                    "type": "array", "items": { "type": "string" }, "default": ["London"],
                },
                "note": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
            },
            "$defs": { "Unit": { "type": "string", "enum": ["celsius", "kelvin"] } },
        }),
    );
    check_call("defaults", json!({}), json!([3, "kelvin", "celsius", ["London"], null]));
    check_call(
        "defaults",
        json!({ "days": 1, "unit": "celsius", "other": "kelvin", "cities": [], "note": "x" }),
        json!([1, "celsius", "kelvin", [], "x"]),
    );
}

#[test]
fn constraints_are_spelled_as_the_type_asks() {
    check_inputs(
        "constraints",
        &json!({
            "type": "object",
            "properties": {
                "city": {
                    "type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[A-Z]",
                },
                "days": { "type": "integer", "minimum": 1, "maximum": 14 },
                "latitude": {
                    "anyOf": [{ "type": "number", "minimum": -90.0 }, { "type": "null" }],
                },
                "id": {
                    "type": "integer", "minimum": 0, "exclusiveMaximum": u64::MAX,
                },
                "cities": { "type": "array", "items": { "type": "string" }, "maxItems": 4 },
                "pair": {
                    "type": "object", "additionalProperties": { "type": "boolean" },
                    "minProperties": 2, "maxProperties": 2,
                },
            },
            "required": ["city", "days", "id", "cities", "pair"],
        }),
    );
}

#[test]
fn parameters_have_any_name() {
    check_inputs(
        "namedAnyHow",
        &json!({
            "type": "object",
            "properties": {
                "type": { "type": "string" },
                "cityName": { "type": "string" },
                "unused": { "type": "boolean" },
                "self": { "type": "string", "title": "Who asks" },
                "count": { "type": "integer", "minimum": 0, "maximum": 255 },
            },
            "required": ["type", "cityName", "unused", "self", "count"],
        }),
    );
    check_call(
        "namedAnyHow",
        json!({ "type": "a", "cityName": "b", "unused": true, "self": "c", "count": 1 }),
        json!("a b c 2"),
    );
}

#[test]
fn the_facts_of_the_call_are_no_argument() {
    check_inputs(
        "facts",
        &json!({
            "type": "object",
            "properties": { "station": { "$ref": "#/$defs/Station" } },
            "required": ["station"],
            "$defs": {
                "Station": {
                    "type": "object",
                    "properties": { "name": { "type": "string" } },
                    "required": ["name"],
                },
            },
        }),
    );
    check_call("facts", json!({ "station": { "name": "north" } }), json!("north"));
}

#[test]
fn a_wrong_argument_is_named_and_the_tool_does_not_run() {
    let error = testing::call("facts", json!({ "station": {} })).unwrap_err();
    assert_eq!(format!("{error:?}"), "InvalidArguments: argument `station`: missing field `name`");
    let error = testing::call("facts", json!({})).unwrap_err();
    assert_eq!(format!("{error:?}"), "InvalidArguments: argument `station` is missing");
}

#[test]
fn a_tool_that_is_not_there_is_not_found() {
    let error = testing::call("fact", json!({})).unwrap_err();
    assert_eq!(format!("{error:?}"), "NotFound: there is no tool `fact`");
}
