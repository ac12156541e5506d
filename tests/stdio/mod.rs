//! Calls over stdio that are answered where they are read, and the same calls by way of rmcp: both say the same.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::harness::{
    Era, Line, Server, conformance, hostile, named, program, trials as named_trials, weather,
};

pub(crate) fn trials() -> Vec<Trial> {
    named_trials(
        "stdio",
        named![
            a_call_is_answered_as_rmcp_would,
            what_is_reported_comes_before_the_reply,
            a_call_that_reports_is_answered_though_its_client_says_no_more,
            a_cancellation_may_speak_of_calls,
            an_array_of_what_a_call_has_is_none,
        ],
    )
}

/// A member that JSON-RPC has not, which means nothing: only rmcp takes a message with it.
fn by_rmcp() -> Option<(&'static str, Value)> {
    Some(("more", json!(1)))
}

fn serving(era: Era, capabilities: Value) -> Server {
    let mut command = program();
    command
        .args(["--log", "info,portcullis::mcp=debug", "serve"])
        .arg(weather())
        .arg(conformance());
    Server::able(era, capabilities, &mut command)
}

/// How many calls went past rmcp so far, as the log says.
fn past_rmcp(server: &Server) -> usize {
    server.log().lines().filter(|line| line.contains("a call tool=")).count()
}

/// The answer but for its id, and for what is sealed with another nonce each time.
fn answer(server: &Server, id: u64) -> Value {
    let mut answer = server.answer(id);
    assert_eq!(answer["id"], id);
    answer["id"] = Value::Null;
    if let Some(state) = answer.pointer_mut("/result/requestState") {
        assert!(state.is_string());
        *state = Value::Null;
    }
    answer
}

fn a_call_is_answered_as_rmcp_would() {
    let london = json!({ "city": "London" });
    let calls = [
        ("get_temperature", london.clone()),
        ("get_weather", london.clone()),
        ("get_weather_with_meta", london.clone()),
        ("get_weather_bad", london.clone()),
        ("weather_report", london),
        ("get_temperature", json!({ "city": 5 })),
        ("get_temperature", json!({})),
        ("get_temperatures", json!({ "cities": vec!["London"; 2_000] })),
        ("get_temperatur", json!({})),
        ("test_multiple_content_types", json!({})),
        ("test_error_handling", json!({})),
        ("test_missing_capability", json!({})),
    ];
    for era in [Era::Handshake, Era::Stateless] {
        let mut server = serving(era, json!({ "elicitation": {} }));
        // What comes first is rmcp's.
        server.request("tools/list", json!({}));
        for (count, (name, arguments)) in calls.iter().enumerate() {
            let params = json!({ "name": name, "arguments": arguments });
            let id = server.send("tools/call", params.clone());
            let plain = answer(&server, id);
            server.wait_for_log_that(|log| log.matches("a call tool=").count() == count + 1);
            let id = server.send_beside(by_rmcp(), "tools/call", params);
            assert_eq!(plain, answer(&server, id), "{era:?}: {name}");
            assert_eq!(past_rmcp(&server), count + 1, "{era:?}: {name}");
        }
    }
    let mut server = serving(Era::Stateless, json!({ "elicitation": {} }));
    server.request("tools/list", json!({}));
    let name = "test_input_required_result_elicitation";
    let asks = || json!({ "name": name, "arguments": {} });
    let plain = server.send("tools/call", asks());
    let plain = answer(&server, plain);
    assert_eq!(plain["result"]["resultType"], "input_required", "{plain}");
    let other = server.send_beside(by_rmcp(), "tools/call", asks());
    assert_eq!(plain, answer(&server, other));
}

/// A call that reports how far it has come.
fn reporting() -> Value {
    json!({
        "name": "test_tool_with_progress",
        "arguments": {},
        "_meta": { "progressToken": "t" },
    })
}

/// MCP 2025-11-25, progress: notes stop when the work has completed.
fn what_is_reported_comes_before_the_reply() {
    for era in [Era::Handshake, Era::Stateless] {
        let mut server = serving(era, json!({}));
        server.request("tools/list", json!({}));
        let heard = [None, by_rmcp()].map(|beside| {
            let before = server.lines().len();
            let id = server.send_beside(beside, "tools/call", reporting());
            assert_eq!(server.result(id)["isError"], false);
            let mut lines = server.lines().split_off(before);
            assert_eq!(lines.pop(), Some(Line::Answer(id)), "{lines:?}");
            lines
        });
        assert!(server.close().success());
        assert_eq!(past_rmcp(&server), 1, "{era:?}");
        let [plain, by_rmcp] = heard;
        assert!(!plain.is_empty(), "{era:?}");
        assert_eq!(plain, by_rmcp, "{era:?}");
    }
}

fn a_call_that_reports_is_answered_though_its_client_says_no_more() {
    for era in [Era::Handshake, Era::Stateless] {
        let mut server = serving(era, json!({}));
        server.request("tools/list", json!({}));
        let id = server.send("tools/call", reporting());
        assert!(server.close().success());
        assert_eq!(past_rmcp(&server), 1, "{era:?}");
        assert_eq!(server.result(id)["isError"], false, "{era:?}");
    }
}

fn a_cancellation_may_speak_of_calls() {
    for (era, reason) in [
        (Era::Handshake, "tools/call took too long"),
        (Era::Handshake, "no need"),
        (Era::Stateless, "tools/call took too long"),
    ] {
        let mut command = program();
        command.args(["--log", "info,portcullis::mcp=debug", "serve"]).arg(hostile());
        let mut server = Server::able(era, json!({}), &mut command);
        server.request("tools/list", json!({}));
        let id = server.send_call("sleeps", json!({}));
        server.wait_for_log("a call tool=\"sleeps\"");
        server.notify("notifications/cancelled", json!({ "requestId": id, "reason": reason }));
        server.wait_for_log("outcome=\"cancelled\"");
        assert!(server.close().success());
        assert!(!server.lines().contains(&Line::Answer(id)), "{era:?}: {reason}");
    }
}

/// MCP 2025-11-25, the schema: parameters are an object.
fn an_array_of_what_a_call_has_is_none() {
    let mut server = serving(Era::Handshake, json!({}));
    server.request("tools/list", json!({}));
    let params = json!([null, "get_temperature", { "city": "London" }, null, null]);
    let array = server.send("tools/call", params);
    let called = server.call("get_temperature", json!({ "city": "London" }));
    assert_eq!(called["structuredContent"], json!({ "result": 17 }));
    // The log is whole when the server has ended.
    assert!(server.close().success());
    assert_eq!(past_rmcp(&server), 1);
    // rmcp may be silent of it.
    assert!(
        !server.lines().contains(&Line::Answer(array)) || server.answer(array)["error"].is_object()
    );
}
