//! What a provider may say beside a value: a narrower schema for one result.

use libtest_mimic::Trial;
use serde_json::{Map, Value as Json, json};

use crate::generated::{Described, Served, provider, wave};
use crate::harness::{named, trials as named_trials};

pub(crate) fn trials() -> Vec<Trial> {
    named_trials(
        "provider",
        named![
            an_exact_schema_is_checked_and_reaches_the_app,
            an_exact_schema_is_wrapped_as_the_declared_one_is,
            a_value_has_to_fit_the_exact_schema_too,
            an_exact_schema_does_not_replace_the_declared_one,
            an_exact_schema_has_the_bounds_of_any_other,
        ],
    )
}

/// Any rows.
const DECLARED: &str = r#"{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object"}}},"required":["rows"]}"#;

/// Rows of one column.
const EXACT: &str = r#"{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{"city_name":{"type":"string"}},"required":["city_name"]}}},"required":["rows"]}"#;

/// What a tool `query` gives that declares `declared` and gives `json` under `exact`.
fn query(declared: &str, json: &str, exact: &str) -> Map<String, Json> {
    let outcome = format!(
        "ok(value({{json: {}, schema: exact({})}}))",
        wave::quoted(json),
        wave::quoted(exact)
    );
    let served = Served::component(&provider(&[Described::new("query", declared)], &outcome));
    served.call("query", &json!({}))
}

fn an_exact_schema_is_checked_and_reaches_the_app() {
    let result = query(DECLARED, r#"{"rows":[{"city_name":"Oslo"}]}"#, EXACT);
    assert_eq!(result["isError"], json!(false));
    assert_eq!(result["structuredContent"], json!({ "rows": [{ "city_name": "Oslo" }] }));
    // As any schema is published: rules S1 (titles) and W3 (a record is not wrapped).
    let published = json!({
        "type": "object",
        "title": "queryOutput",
        "properties": {
            "rows": {
                "type": "array",
                "title": "Rows",
                "items": {
                    "type": "object",
                    "properties": { "city_name": { "type": "string", "title": "City Name" } },
                    "required": ["city_name"],
                },
            },
        },
        "required": ["rows"],
    });
    assert_eq!(result["_meta"], json!({ "portcullis/exactSchema": published }));
}

fn an_exact_schema_is_wrapped_as_the_declared_one_is() {
    let any = r#"{"type":"array","items":{}}"#;
    let numbers = r#"{"type":"array","items":{"type":"integer"}}"#;
    let result = query(any, "[1,2]", numbers);
    assert_eq!(result["structuredContent"], json!({ "result": [1, 2] }));
    let exact = &result["_meta"]["portcullis/exactSchema"];
    assert_eq!(exact["required"], json!(["result"]));
    assert_eq!(exact["properties"]["result"]["items"], json!({ "type": "integer" }));
}

fn a_value_has_to_fit_the_exact_schema_too() {
    let result = query(DECLARED, r#"{"rows":[{"city_name":"Oslo"},{}]}"#, EXACT);
    let text = "Error executing tool query: 1 validation error for queryOutput\n\
                rows.1.city_name\n  Field required";
    assert_eq!(Json::Object(result), failed(text));
}

fn an_exact_schema_does_not_replace_the_declared_one() {
    let result = query(DECLARED, r#"{"lines":[]}"#, r#"{"type":"object"}"#);
    let text = "Error executing tool query: 1 validation error for queryOutput\n\
                rows\n  Field required";
    assert_eq!(Json::Object(result), failed(text));
}

fn an_exact_schema_has_the_bounds_of_any_other() {
    let result = query(DECLARED, r#"{"rows":[]}"#, r#"{"$ref":"https://a.example/s.json"}"#);
    assert_eq!(result["isError"], json!(true));
    assert_eq!(result.get("structuredContent"), None);
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    let begin = "Error executing tool query: the result's own schema is refused: ";
    assert!(text.starts_with(begin) && text.contains("https://a.example/s.json"), "{text}");
}

fn failed(text: &str) -> Json {
    json!({ "content": [{ "type": "text", "text": text }], "isError": true })
}
