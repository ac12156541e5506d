//! What a function's return type publishes, and what becomes of its value.

use std::collections::BTreeMap;
use std::fmt;

use portcullis_guest::{Content, Embedded, Error, Full, Json, Link, Result, testing, tool};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Serialize, JsonSchema)]
struct Reading {
    temperature: f64,
}

type Answer<T> = std::result::Result<T, NoReading>;

#[derive(Debug)]
struct NoReading;

impl fmt::Display for NoReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no reading")
    }
}

#[tool]
fn nothing() {}

#[tool]
fn record() -> Reading {
    Reading { temperature: 16.2 }
}

#[tool]
fn fails(how: String) -> Answer<Reading> {
    match how.as_str() {
        "well" => Ok(record()),
        _ => Err(NoReading),
    }
}

#[tool]
fn fails_in_its_own_way(how: String) -> Result<i64> {
    match how.as_str() {
        "arguments" => Err(Error::invalid_arguments("end is before start")),
        "internal" => Err(Error::internal("no table")),
        number => Ok(number.parse()?),
    }
}

#[tool]
fn promised() -> Result<Json<Reading>> {
    Ok(Json::parse(r#"{"humidity": 1}"#)?)
}

#[tool]
fn not_finite() -> BTreeMap<String, Option<f64>> {
    BTreeMap::from([("London".to_owned(), Some(f64::NAN))])
}

#[tool]
fn full() -> Full<Vec<i64>> {
    Full::new(vec![1, 2]).meta("station", "north").exact_schema(json!({ "maxItems": 2 })).error()
}

#[tool(own_content)]
fn full_with_content() -> Result<Full<i64>, String> {
    Ok(Full::new(1).content("one").content(Content::text("uno")))
}

#[tool]
fn content_unasked() -> Full<i64> {
    Full::new(1).content("one")
}

#[tool]
fn block() -> Content {
    Content::text("text").for_user().priority(0.5)
}

#[tool]
fn full_block() -> Full<Content> {
    Full::new("text".into()).content("more").meta("pages", 2)
}

#[tool]
fn blocks() -> Result<Vec<Content>> {
    Ok(vec![
        Content::image([1, 2, 3], "image/png"),
        Link::new("https://a.example/", "a").title("A").into(),
        Embedded::text("file:///a", "text").mime_type("text/plain").into(),
    ])
}

#[tool(content_only)]
fn text() -> String {
    "\"text\"".to_owned()
}

#[tool(content_only)]
fn written_out() -> Vec<Reading> {
    vec![record()]
}

#[tool(content_only)]
fn full_text() -> Full<String> {
    Full::new("text".to_owned()).content("more").meta("pages", 2)
}

#[tool(content_only)]
fn content_blocks() -> Vec<Content> {
    vec!["a".into(), "b".into()]
}

fn output_schema(name: &str) -> Value {
    let component = testing::describe().unwrap();
    let tools = component["tools"].as_array().unwrap();
    let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
    tool["output_schema"].clone()
}

fn call(name: &str, how: &str) -> Result<Value, String> {
    testing::call(name, json!({ "how": how })).map_err(|error| format!("{error:?}"))
}

fn reading() -> Value {
    json!({
        "title": "Reading",
        "type": "object",
        "properties": { "temperature": { "type": "number" } },
        "required": ["temperature"],
    })
}

#[test]
fn a_value_answers_to_the_schema_of_its_type() {
    assert_eq!(output_schema("record"), reading());
    assert_eq!(call("record", "").unwrap(), json!({ "value": { "temperature": 16.2 } }));
    assert_eq!(output_schema("nothing"), json!({ "type": "null" }));
    assert_eq!(call("nothing", "").unwrap(), json!({ "value": null }));
}

#[test]
fn a_result_behind_an_alias_is_a_result() {
    assert_eq!(output_schema("fails"), reading());
    assert_eq!(call("fails", "well").unwrap(), json!({ "value": { "temperature": 16.2 } }));
    assert_eq!(call("fails", "badly").unwrap_err(), "Tool: no reading");
}

#[test]
fn an_author_says_what_kind_of_failure_it_is() {
    assert_eq!(call("fails_in_its_own_way", "5").unwrap(), json!({ "value": 5 }));
    let failure = |how| call("fails_in_its_own_way", how).unwrap_err();
    assert_eq!(failure("five"), "Tool: invalid digit found in string");
    assert_eq!(failure("arguments"), "InvalidArguments: end is before start");
    assert_eq!(failure("internal"), "Internal: no table");
}

#[test]
fn a_promised_value_goes_to_the_host_as_it_is() {
    assert_eq!(output_schema("promised"), reading());
    assert_eq!(call("promised", "").unwrap(), json!({ "value": { "humidity": 1 } }));
}

#[test]
fn a_number_that_is_not_finite_is_never_null() {
    assert_eq!(
        call("not_finite", "").unwrap_err(),
        "Tool: `London` is NaN, which JSON has no number for"
    );
}

#[test]
fn a_full_result_has_all_that_its_author_gave_it() {
    assert_eq!(
        call("full", "").unwrap(),
        json!({
            "value": [1, 2], "exact_schema": { "maxItems": 2 }, "content": [], "meta": { "station": "north" }, "is_error": true,
        })
    );
    assert_eq!(
        call("full_with_content", "").unwrap()["content"],
        json!([{ "text": "one" }, { "text": "uno" }])
    );
}

#[test]
fn content_that_the_host_would_not_read_is_refused() {
    assert_eq!(
        call("content_unasked", "").unwrap_err(),
        "Internal: the tool gives content of its own with `.content(…)`, which its description \
         does not announce: write `#[tool(own_content)]` on the function"
    );
}

#[test]
fn blocks_have_no_schema() {
    assert_eq!(output_schema("block"), Value::Null);
    assert_eq!(call("block", "").unwrap(), json!({ "content": [{ "text": "text" }] }));
    assert_eq!(output_schema("full_block"), Value::Null);
    assert_eq!(
        call("full_block", "").unwrap(),
        json!({
            "value": null,
            "exact_schema": null,
            "content": [{ "text": "text" }, { "text": "more" }],
            "meta": { "pages": 2 },
            "is_error": false,
        })
    );
    assert_eq!(output_schema("blocks"), Value::Null);
    assert_eq!(
        call("blocks", "").unwrap(),
        json!({
            "content": [
                { "image": { "mime_type": "image/png", "bytes": 3 } },
                { "link": { "uri": "https://a.example/", "name": "a" } },
                { "embedded": { "uri": "file:///a" } },
            ],
        })
    );
}

#[test]
fn a_content_only_tool_has_its_value_written_out() {
    assert_eq!(output_schema("text"), Value::Null);
    assert_eq!(call("text", "").unwrap(), json!({ "content": [{ "text": "\"text\"" }] }));
    assert_eq!(
        call("written_out", "").unwrap(),
        json!({ "content": [{ "text": "{\n  \"temperature\": 16.2\n}" }] })
    );
    assert_eq!(
        call("full_text", "").unwrap(),
        json!({
            "value": null,
            "exact_schema": null,
            "content": [{ "text": "text" }, { "text": "more" }],
            "meta": { "pages": 2 },
            "is_error": false,
        })
    );
    assert_eq!(
        call("content_blocks", "").unwrap(),
        json!({ "content": [{ "text": "a" }, { "text": "b" }] })
    );
}
