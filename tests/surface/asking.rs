//! Calls that ask: natively in the later era, by requests to the client in the earlier.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{ERAS, OfAnyGuest, error, result, serve, serve_able, text};
use crate::harness::{
    Era, Line, Server, conformance, named, rename_over, surface, trials as named_trials,
};

pub(super) const OF_ANY_GUEST: &[OfAnyGuest] = named![
    a_client_of_the_later_era_answers_and_calls_again,
    a_client_of_the_earlier_era_is_asked,
    rounds_follow_each_other_in_both_eras,
    a_prompt_asks_as_a_tool_does,
    a_client_that_cannot_be_asked_is_told_what_it_lacks,
    a_user_may_decline,
];

pub(crate) fn trials() -> Vec<Trial> {
    named_trials(
        "surface::asking",
        named![
            a_forged_state_is_refused,
            answers_are_checked_against_the_form,
            answers_that_come_before_their_question_are_checked_against_it,
            a_component_that_was_replaced_gets_no_answer_to_another,
            a_question_is_withdrawn_with_its_request,
            a_question_is_one_that_may_be_asked,
            a_call_does_not_ask_for_ever,
        ],
    )
}

const NAME: &str = "test_input_required_result_elicitation";

fn call(tool: &str, arguments: &Value) -> Value {
    json!({ "name": tool, "arguments": arguments })
}

/// The same request, with answers to what `asked` asks.
fn again(tool: &str, asked: &Value, answers: &Value) -> Value {
    let mut params = call(tool, &json!({}));
    params["inputResponses"] = answers.clone();
    params["requestState"] = asked["requestState"].clone();
    params
}

fn accepted(content: &Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// What a component that is served without a config goes by.
fn own_name(guest: &Path) -> &str {
    guest.file_stem().and_then(|stem| stem.to_str()).expect("it has a name")
}

fn asked_anybody(server: &Server) -> bool {
    server.lines().iter().any(|line| matches!(line, Line::Request(_)))
}

fn a_client_of_the_later_era_answers_and_calls_again(guest: &Path) {
    let mut server = serve(Era::Stateless, guest);
    let asked = result(&mut server, "tools/call", call(NAME, &json!({})));
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    // As the scenario of the conformance suite has it, after who asks.
    let expected = json!({
        "user_name": {
            "method": "elicitation/create",
            "params": {
                "mode": "form",
                "message": format!("{}: What is your name?", own_name(guest)),
                "requestedSchema": {
                    "type": "object",
                    "properties": { "name": { "type": "string" } },
                    "required": ["name"],
                },
            },
        },
    });
    assert_eq!(asked["inputRequests"], expected);
    let answers = json!({ "user_name": accepted(&json!({ "name": "Alice" })), "other": 1 });
    let done = result(&mut server, "tools/call", again(NAME, &asked, &answers));
    assert_eq!(text(&done), "Hello, Alice!", "{done}");
    assert!(!asked_anybody(&server), "clients of this era are sent no requests");
}

fn a_client_of_the_earlier_era_is_asked(guest: &Path) {
    let mut server = serve(Era::Handshake, guest);
    let id = server.send_call("test_input_required_result_multiple_inputs", json!({}));
    let form = server.wait_for_request("elicitation/create", 1);
    assert_eq!(
        form["params"]["message"],
        format!("{}: What is your name?", own_name(guest)),
        "{form}"
    );
    server.respond(&form, accepted(&json!({ "name": "Alice" })));
    let sampling = server.wait_for_request("sampling/createMessage", 1);
    assert_eq!(sampling["params"]["maxTokens"], 50, "{sampling}");
    let said = json!({
        "role": "assistant", "model": "m", "content": { "type": "text", "text": "Hello" },
    });
    server.respond(&sampling, said);
    let roots = server.wait_for_request("roots/list", 1);
    server.respond(&roots, json!({ "roots": [{ "uri": "file:///work" }] }));
    assert_eq!(text(&server.result(id)), "Hello Alice (1 roots)");
}

fn rounds_follow_each_other_in_both_eras(guest: &Path) {
    let tool = "test_input_required_result_multi_round";
    let mut server = serve(Era::Stateless, guest);
    let first = result(&mut server, "tools/call", call(tool, &json!({})));
    let answers = json!({ "step1": accepted(&json!({ "name": "Alice" })) });
    let second = result(&mut server, "tools/call", again(tool, &first, &answers));
    assert!(second["inputRequests"]["step2"].is_object(), "{second}");
    assert_ne!(first["requestState"], second["requestState"]);
    let answers = json!({ "step2": accepted(&json!({ "color": "blue" })) });
    let done = result(&mut server, "tools/call", again(tool, &second, &answers));
    assert_eq!(text(&done), "Alice likes blue");

    let mut server = serve(Era::Handshake, guest);
    let id = server.send_call(tool, json!({}));
    for (nth, content) in [(1, json!({ "name": "Alice" })), (2, json!({ "color": "blue" }))] {
        let asked = server.wait_for_request("elicitation/create", nth);
        server.respond(&asked, accepted(&content));
    }
    assert_eq!(text(&server.result(id)), "Alice likes blue");
}

fn a_prompt_asks_as_a_tool_does(guest: &Path) {
    let params = json!({ "name": "test_input_required_result_prompt" });
    let message = "Use this context: tests";
    let content = json!({ "context": "tests" });
    let mut server = serve(Era::Stateless, guest);
    let asked = result(&mut server, "prompts/get", params.clone());
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let mut again = params.clone();
    again["inputResponses"] = json!({ "user_context": accepted(&content) });
    again["requestState"] = asked["requestState"].clone();
    let got = result(&mut server, "prompts/get", again);
    assert_eq!(got["messages"][0]["content"]["text"], message, "{got}");

    let mut server = serve(Era::Handshake, guest);
    let id = server.send("prompts/get", params);
    let asked = server.wait_for_request("elicitation/create", 1);
    server.respond(&asked, accepted(&content));
    assert_eq!(server.answer(id)["result"]["messages"][0]["content"]["text"], message);
}

fn a_forged_state_is_refused() {
    let tool = "test_input_required_result_tampered_state";
    let mut server = serve(Era::Stateless, conformance());
    let asked = result(&mut server, "tools/call", call(tool, &json!({})));
    let answers = json!({ "confirm": accepted(&json!({ "ok": true })) });
    let state = asked["requestState"].as_str().unwrap();
    let middle = state.len() / 2;
    let other = if state.as_bytes()[middle] == b'A' { "B" } else { "A" };
    let flipped = format!("{}{other}{}", &state[..middle], &state[middle + 1..]);
    for forged in [format!("{state}-TAMPERED"), flipped, String::new(), "x".to_owned()] {
        let mut params = again(tool, &asked, &answers);
        params["requestState"] = forged.as_str().into();
        let (code, text) = error(&mut server, "tools/call", params);
        assert_eq!(code, -32602, "{forged}: {text}");
        assert!(text.contains("requestState"), "{text}");
    }
    // What was sealed for one request opens for no other.
    let (code, text) = error(&mut server, "tools/call", again(NAME, &asked, &answers));
    assert!(code == -32602 && text.contains("requestState"), "{code}: {text}");
    let done = result(&mut server, "tools/call", again(tool, &asked, &answers));
    assert_eq!(self::text(&done), "Confirmed: true");
    // Another process has another key.
    let mut other = serve(Era::Stateless, conformance());
    assert_eq!(error(&mut other, "tools/call", again(tool, &asked, &answers)).0, -32602);
}

fn answers_are_checked_against_the_form() {
    let mut server = serve(Era::Stateless, conformance());
    let asked = result(&mut server, "tools/call", call(NAME, &json!({})));
    for wrong in [
        json!(12345),
        json!({}),
        json!({ "action": "perhaps" }),
        accepted(&json!({ "name": 5 })),
        accepted(&json!({})),
        json!({ "roots": [] }),
    ] {
        let answers = json!({ "user_name": wrong });
        let (code, text) = error(&mut server, "tools/call", again(NAME, &asked, &answers));
        assert_eq!(code, -32602, "{answers}: {text}");
        assert!(text.starts_with("inputResponses.user_name: "), "{text}");
    }
    let mut server = serve(Era::Handshake, conformance());
    let id = server.send_call(NAME, json!({}));
    let form = server.wait_for_request("elicitation/create", 1);
    server.respond(&form, accepted(&json!({ "name": 5 })));
    let failed = server.result(id);
    assert_eq!(failed["isError"], true, "{failed}");
    assert!(text(&failed).contains("the client's answer to `user_name` is none"), "{failed}");
}

fn answers_that_come_before_their_question_are_checked_against_it() {
    let mut server = serve(Era::Stateless, conformance());
    let mut params = call(NAME, &json!({}));
    params["inputResponses"] = json!({ "user_name": accepted(&json!({ "name": "Alice" })) });
    assert_eq!(text(&result(&mut server, "tools/call", params.clone())), "Hello, Alice!");
    params["inputResponses"] = json!({ "wrong_key": accepted(&json!({ "data": "wrong" })) });
    let asked = result(&mut server, "tools/call", params.clone());
    assert_eq!(asked["resultType"], "input_required", "it asks: {asked}");
    for wrong in [json!(12345), accepted(&json!({ "name": 5 })), json!({ "roots": [] })] {
        params["inputResponses"] = json!({ "user_name": wrong });
        let (code, text) = error(&mut server, "tools/call", params.clone());
        assert!(code == -32602 && text.starts_with("inputResponses.user_name: "), "{text}");
    }
}

fn a_component_that_was_replaced_gets_no_answer_to_another() {
    let text = "its component was replaced while it asked; begin anew, without answers";
    for era in ERAS {
        let directory = tempfile::tempdir().expect("the temporary directory can be written");
        let file = directory.path().join("tool.wasm");
        fs::copy(conformance(), &file).expect("it can be written");
        let mut server = serve(era, &file);
        let replace = || {
            let mut bytes = fs::read(conformance()).expect("it was just built");
            // An empty custom section: the same component with another digest.
            bytes.extend(b"\0\x05\x04note");
            rename_over(&file, &bytes);
        };
        let failed = match era {
            Era::Handshake => {
                let id = server.send_call(NAME, json!({}));
                let form = server.wait_for_request("elicitation/create", 1);
                replace();
                server.wait_for_log("component `tool` is served in version");
                server.respond(&form, accepted(&json!({ "name": "Alice" })));
                server.result(id)
            }
            Era::Stateless => {
                let asked = result(&mut server, "tools/call", call(NAME, &json!({})));
                replace();
                server.wait_for_log("component `tool` is served in version");
                let answers = json!({ "user_name": accepted(&json!({ "name": "Alice" })) });
                result(&mut server, "tools/call", again(NAME, &asked, &answers))
            }
        };
        assert_eq!(failed["isError"], true, "{era:?}: {failed}");
        assert!(self::text(&failed).ends_with(text), "{era:?}: {failed}");
    }
}

fn a_question_is_withdrawn_with_its_request() {
    let mut server = serve(Era::Handshake, conformance());
    let id = server.send_call(NAME, json!({}));
    let form = server.wait_for_request("elicitation/create", 1);
    server.notify("notifications/cancelled", json!({ "requestId": id }));
    server.wait_for_notification("notifications/cancelled");
    let withdrawn = server.notifications("notifications/cancelled");
    assert_eq!(withdrawn[0]["params"]["requestId"], form["id"], "{withdrawn:?}");
}

/// 2026-07-28: -32021 with the capabilities that are required; before that, a tool's error.
fn a_client_that_cannot_be_asked_is_told_what_it_lacks(guest: &Path) {
    let params = call("test_missing_capability", &json!({}));
    let mut server = serve_able(Era::Stateless, json!({ "elicitation": {} }), guest);
    let answer = server.request("tools/call", params.clone());
    assert_eq!(answer["error"]["code"], -32021, "{answer}");
    let required = json!({ "requiredCapabilities": { "sampling": {} } });
    assert_eq!(answer["error"]["data"], required, "{answer}");
    let mut server = serve_able(Era::Handshake, json!({ "elicitation": {} }), guest);
    let failed = result(&mut server, "tools/call", params);
    assert_eq!(failed["isError"], true);
    assert!(text(&failed).contains("this client cannot do what is needed (sampling)"), "{failed}");
    // What it can be asked, it is asked.
    let tool = "test_input_required_result_capabilities";
    let mut server = serve_able(Era::Stateless, json!({ "sampling": {} }), guest);
    let asked = result(&mut server, "tools/call", call(tool, &json!({})));
    let requests = asked["inputRequests"].as_object().unwrap();
    assert_eq!(requests.len(), 1, "{asked}");
    assert_eq!(requests["capital_question"]["method"], "sampling/createMessage", "{asked}");
}

fn fails(server: &mut Server, tool: &str, arguments: &Value) -> String {
    let failed = result(server, "tools/call", call(tool, arguments));
    assert_eq!(failed["isError"], true, "{failed}");
    text(&failed).to_owned()
}

fn a_question_is_one_that_may_be_asked() {
    for era in ERAS {
        let mut server = serve(era, surface());
        for (properties, why) in [
            (json!({ "password": { "type": "string" } }), "asks for a secret"),
            (json!({ "x": { "type": "string", "format": "password" } }), "has a format"),
            (json!({ "x": { "type": "object" } }), "has the type `object`"),
            (json!({ "x": { "$ref": "#/$defs/y" } }), "has no `type`"),
            (json!({}), "has not 1 to 50 properties"),
            (json!({ "x": { "type": "string", "title": "Your API key" } }), "asks for a secret"),
            (json!({ "x": { "type": "string", "minLength": 1u64 << 32 } }), "is no count up to"),
            (json!({ "x": { "type": "string", "oneOf": [{ "title": "a" }] } }), "without `const`"),
        ] {
            let schema = json!({ "type": "object", "properties": properties }).to_string();
            let text = fails(&mut server, "asks", &json!({ "schema": schema }));
            assert!(text.contains("breaks its own contract: what it asks"), "{era:?}: {text}");
            assert!(text.contains(why), "{era:?}: {text}");
        }
        for url in ["http://a.example/", "javascript:alert(1)", "https://u:p@a.example/", "no"] {
            let text = fails(&mut server, "sends_to", &json!({ "url": url }));
            assert!(text.contains("breaks its own contract: what it asks"), "{era:?}: {text}");
        }
        assert!(!asked_anybody(&server), "{era:?}");
    }
    let url = "https://a.example/form";
    let mut server = serve(Era::Stateless, surface());
    let asked = result(&mut server, "tools/call", call("sends_to", &json!({ "url": url })));
    let visit = &asked["inputRequests"]["visit"]["params"];
    assert_eq!((&visit["mode"], &visit["url"]), (&json!("url"), &json!(url)), "{asked}");
}

fn a_call_does_not_ask_for_ever() {
    let tool = "asks_for_ever";
    let mut server = serve(Era::Handshake, surface());
    let id = server.send_call(tool, json!({}));
    for nth in 1..=10 {
        let asked = server.wait_for_request("elicitation/create", nth);
        server.respond(&asked, accepted(&json!({ "x": "y" })));
    }
    let failed = server.result(id);
    assert_eq!(text(&failed), "Error executing tool asks_for_ever: it asks more than 10 times");

    let mut server = serve(Era::Stateless, surface());
    let mut asked = result(&mut server, "tools/call", call(tool, &json!({})));
    for round in 0..9 {
        let answers = json!({ format!("q{round}"): accepted(&json!({ "x": "y" })) });
        asked = result(&mut server, "tools/call", again(tool, &asked, &answers));
        assert_eq!(asked["resultType"], "input_required", "{round}: {asked}");
    }
    let answers = json!({ "q9": accepted(&json!({ "x": "y" })) });
    let failed = result(&mut server, "tools/call", again(tool, &asked, &answers));
    assert_eq!(text(&failed), "Error executing tool asks_for_ever: it asks more than 10 times");
}

fn a_user_may_decline(guest: &Path) {
    let mut server = serve(Era::Stateless, guest);
    let asked = result(&mut server, "tools/call", call(NAME, &json!({})));
    let answers = json!({ "user_name": { "action": "decline" } });
    let failed = result(&mut server, "tools/call", again(NAME, &asked, &answers));
    assert_eq!(failed["isError"], true);
    assert!(text(&failed).ends_with("the user declined"), "{failed}");
}
