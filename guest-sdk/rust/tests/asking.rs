//! A tool that asks runs again from its beginning with the answer.
#![allow(missing_docs, clippy::unwrap_used)]

use portcullis_guest::testing::{call, call_answered};
use portcullis_guest::{Call, Question, Reply, Result, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Name {
    name: String,
}

#[tool(content_only)]
fn greet(call: &Call) -> Result<String> {
    let name: Name = call.ask("name", Question::form::<Name>("Who?"))?.accepted()?;
    call.ask("sure", Question::url("Sure?", "https://a.example/"))?;
    Ok(format!("Hello, {}!", name.name))
}

fn answered(key: &str, reply: Reply) -> (String, Reply) {
    (key.to_owned(), reply)
}

#[test]
fn each_question_waits_for_the_answer_to_the_one_before() {
    let schema = json!({
        "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"],
    });
    let first = call_answered("greet", json!({}), []).unwrap();
    assert_eq!(
        first["asks"],
        json!({ "name": { "form": { "message": "Who?", "schema": schema } } })
    );
    let name = answered("name", Reply::Accepted(Some(json!({ "name": "Ann" }))));
    let second = call_answered("greet", json!({}), [name.clone()]).unwrap();
    let visit = json!({ "url": { "message": "Sure?", "url": "https://a.example/" } });
    assert_eq!(second["asks"], json!({ "sure": visit }));
    let state: Vec<(String, Reply)> = serde_json::from_value(second["state"].clone()).unwrap();
    assert_eq!(
        state,
        std::slice::from_ref(&name),
        "what was answered comes back with the next round"
    );
    let sure = answered("sure", Reply::Accepted(None));
    let done = call_answered("greet", json!({}), [name, sure]).unwrap();
    assert_eq!(done, json!({ "content": [{ "text": "Hello, Ann!" }] }));
}

#[test]
fn a_user_who_declines_and_a_client_that_cannot_be_asked_are_errors() {
    let declined = call_answered("greet", json!({}), [answered("name", Reply::Declined)]);
    assert_eq!(declined.unwrap_err().to_string(), "the user declined");
    assert!(call("greet", json!({})).is_err(), "a client that can do nothing");
}
