//! Calls that are answered where they are read, and the same calls by way of rmcp: both say the same.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{Reply, Served, later};
use crate::harness::{conformance, named, program, trials as named_trials, weather};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "http::plain",
        named![
            a_call_is_answered_as_rmcp_would,
            a_call_that_is_not_right_in_every_way_is_refused_as_ever,
        ],
    )
}

/// What no client writes, and means the same as what all of them write; it is left to rmcp to know that.
const BY_RMCP: (&str, &str) = ("accept", "application/json;q=0.9, text/event-stream");

/// A call of a client that declares `capabilities`.
fn called(served: &Served, name: &str, arguments: &Value, capabilities: &Value) -> [Reply; 2] {
    let params = json!({ "name": name, "arguments": arguments });
    let (headers, message) = later(7, "tools/call", params);
    let mut message: Value = serde_json::from_str(&message).expect("it is JSON");
    let meta = &mut message["params"]["_meta"];
    meta["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone();
    let message = message.to_string();
    let headers: Vec<_> = headers.iter().map(|(key, value)| (*key, value.as_str())).collect();
    [headers.clone(), [headers, vec![BY_RMCP]].concat()]
        .map(|headers| served.post(&headers, &message))
}

fn a_call_is_answered_as_rmcp_would() {
    let mut command = program();
    command.args(["--log", "info,portcullis::mcp=debug", "serve", "--http", "127.0.0.1:0"]);
    let served = Served::of(command.arg(weather()).arg(conformance()));
    let all = json!({ "elicitation": {}, "sampling": {}, "roots": {} });
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
        ("test_input_required_result_elicitation", json!({})),
    ];
    for (name, arguments) in &calls {
        let [plain, by_rmcp] = called(&served, name, arguments, &all);
        assert_eq!(plain.status, 200, "{name}: {plain:?}");
        same(name, plain, by_rmcp);
    }
    let [plain, by_rmcp] = called(&served, "test_missing_capability", &json!({}), &json!({}));
    // MCP 2026-07-28: the status says it as well.
    assert_eq!((plain.status, plain.code()), (400, -32021), "{plain:?}");
    same("test_missing_capability", plain, by_rmcp);
    // One of each two did go past rmcp.
    served.wait_for_log(|log| log.matches("a call tool=").count() == calls.len() + 1);
}

fn same(name: &str, plain: Reply, by_rmcp: Reply) {
    let [plain, by_rmcp] = [plain, by_rmcp].map(|reply| {
        let mut body = reply.json();
        if let Some(state) = body.pointer_mut("/result/requestState") {
            // It is sealed with another nonce each time.
            assert!(state.is_string());
            *state = Value::Null;
        }
        let head = reply.head.lines().filter(|line| !line.starts_with("date"));
        let head: Vec<String> = head.map(str::to_owned).collect();
        (reply.status, head, body)
    });
    assert_eq!(plain, by_rmcp, "{name}");
}

fn a_call_that_is_not_right_in_every_way_is_refused_as_ever() {
    let served = Served::start(&[weather()]);
    let params = || json!({ "name": "get_temperature", "arguments": { "city": "London" } });
    let (headers, message) = later(7, "tools/call", params());
    let post = |headers: &[(&str, &str)], edit: &dyn Fn(&mut Value)| {
        let mut message: Value = serde_json::from_str(&message).expect("it is JSON");
        edit(&mut message);
        served.post(headers, &message.to_string())
    };
    let of = |change: &[(&'static str, &'static str)]| -> Vec<(&str, &str)> {
        let kept = headers.iter().filter(|(key, _)| !change.iter().any(|(name, _)| name == key));
        let kept = kept.map(|(key, value)| (*key, value.as_str()));
        kept.chain(change.iter().copied().filter(|(_, value)| !value.is_empty())).collect()
    };
    let same = |_: &mut Value| {};
    assert_eq!(post(&of(&[]), &same).status, 200);
    // MCP 2026-07-28, standard headers: -32020 for what is missing, twice there, or another than in the body.
    for wrong in [
        [("mcp-method", "")].as_slice(),
        &[("mcp-name", "")],
        &[("mcp-name", "get_weather")],
        &[("mcp-protocol-version", "2025-11-25")],
    ] {
        let reply = post(&of(wrong), &same);
        assert_eq!((reply.status, reply.code()), (400, -32020), "{wrong:?}");
    }
    type Edit<'a> = &'a dyn Fn(&mut Value);
    let wrong: [(&str, Edit<'_>); 3] = [
        ("without a version", &|it| {
            it["params"]["_meta"] = json!({ "io.modelcontextprotocol/clientCapabilities": {} });
        }),
        ("without capabilities", &|it| {
            it["params"]["_meta"] =
                json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
        }),
        ("capabilities that are none", &|it| {
            it["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!("all");
        }),
    ];
    for (what, edit) in wrong {
        let reply = post(&of(&[]), edit);
        assert_eq!((reply.status, reply.code()), (400, -32602), "{what}");
    }
    let reply = post(&of(&[]), &|it| it["jsonrpc"] = json!("1.0"));
    assert_eq!((reply.status, reply.code()), (400, -32600));
    assert_eq!(post(&of(&[("accept", "application/json")]), &same).status, 406);
    assert_eq!(post(&of(&[("content-type", "text/plain")]), &same).status, 415);
}
