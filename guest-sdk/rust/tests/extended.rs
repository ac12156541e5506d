//! What authors write beside the types of parameters: headers, and rules between them.

use portcullis_guest::{testing, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
enum Speed {
    Slow,
    Fast,
}

#[tool(
    content_only,
    extend = r#"{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }"#
)]
fn notify(
    /// Where to.
    #[header("Region")]
    region: String,
    #[header("Count")]
    #[range(1..)]
    count: Option<u8>,
    #[header("Speed")] speed: Option<Speed>,
    phone: Option<String>,
    email: Option<String>,
) -> String {
    let fast = matches!(speed, Some(Speed::Fast));
    format!("{region} {count:?} {fast} {phone:?} {email:?}")
}

#[test]
fn headers_and_rules_are_published() {
    let component = testing::describe().unwrap();
    let text = json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] });
    assert_eq!(
        component["tools"][0]["input_schema"],
        json!({
            "type": "object",
            "properties": {
                "region": { "type": "string", "description": "Where to.", "x-mcp-header": "Region" },
                "count": {
                    "type": "integer", "minimum": 1, "maximum": 255, "x-mcp-header": "Count",
                },
                "speed": {
                    "type": "string", "enum": ["slow", "fast"], "x-mcp-header": "Speed",
                },
                "phone": text,
                "email": text,
            },
            "required": ["region"],
            "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }],
        })
    );
}

#[test]
fn an_argument_with_a_header_may_be_left_out() {
    let outcome = testing::call("notify", json!({ "region": "eu", "phone": "1" })).unwrap();
    assert!(outcome.to_string().contains(r#"eu None false Some(\"1\") None"#), "{outcome}");
}
