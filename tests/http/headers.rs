//! Arguments that come in headers as well (MCP 2026-07-28, Streamable HTTP, custom headers from tool
//! parameters): the server compares both, so that no proxy reads what the tool does not get.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{Reply, Served};
use crate::generated::{Described, declared, provider, section, weighted};
use crate::harness::{conformance, moment, named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "http::headers",
        named![
            the_list_names_the_headers,
            a_call_whose_headers_match_runs,
            a_call_whose_headers_do_not_match_is_refused,
            clients_of_the_earlier_era_send_none,
            a_call_that_comes_before_its_component_is_compared_as_well,
        ],
    )
}

fn call(served: &Served, headers: &[(&str, &str)], arguments: Value) -> Reply {
    let params = json!({ "name": "test_custom_header", "arguments": arguments });
    served.later(headers, "tools/call", params)
}

fn text(reply: &Reply) -> String {
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.json()["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

fn the_list_names_the_headers() {
    let served = Served::start(&[conformance()]);
    let list = served.later(&[], "tools/list", json!({})).json();
    let tools = list["result"]["tools"].as_array().expect("a list").clone();
    let tool = tools.iter().find(|tool| tool["name"] == "test_custom_header").expect("the tool");
    let said = |name: &str| {
        let property = &tool["inputSchema"]["properties"][name];
        (property["x-mcp-header"].clone(), property["type"].clone())
    };
    assert_eq!(said("region"), (json!("Region"), json!("string")));
    assert_eq!(said("priority"), (json!("Priority"), json!("integer")));
    assert_eq!(said("dry_run"), (json!("Dry-Run"), json!("boolean")));
}

fn a_call_whose_headers_match_runs() {
    let served = Served::start(&[conformance()]);
    let reply = call(&served, &[("mcp-param-region", "us-west1")], json!({ "region": "us-west1" }));
    assert_eq!(text(&reply), "us-west1 0 false");
    // RFC 9110, 5.1: the names of headers are the same in any case.
    let headers =
        [("MCP-PARAM-REGION", "eu"), ("mcp-param-priority", "7"), ("mcp-param-dry-run", "true")];
    let reply = call(&served, &headers, json!({ "region": "eu", "priority": 7, "dry_run": true }));
    assert_eq!(text(&reply), "eu 7 true");
    // Base64 of the UTF-8 of `Zürich`, by RFC 4648: 5a c3 bc 72 69 63 68.
    let headers = [("mcp-param-region", "=?base64?WsO8cmljaA==?=")];
    assert_eq!(text(&call(&served, &headers, json!({ "region": "Zürich" }))), "Zürich 0 false");
    // Without both marks it is the value itself.
    let headers = [("mcp-param-region", "=?base64?WsO8cmljaA==")];
    let reply = call(&served, &headers, json!({ "region": "=?base64?WsO8cmljaA==" }));
    assert_eq!(text(&reply), "=?base64?WsO8cmljaA== 0 false");
}

fn a_call_whose_headers_do_not_match_is_refused() {
    let served = Served::start(&[conformance()]);
    let region = json!({ "region": "Hello" });
    let refused: [(&[(&str, &str)], &Value); 7] = [
        (&[("mcp-param-region", "Other")], &region),
        (&[("mcp-param-region", "hello")], &region),
        (&[], &region),
        (&[("mcp-param-region", "Hello"), ("mcp-param-region", "Hello")], &region),
        (&[("mcp-param-region", "Hello"), ("mcp-param-priority", "7")], &region),
        // `SGVsbG8=` is the whole of it; then letters that base64 does not have.
        (&[("mcp-param-region", "=?base64?SGVsbG8?=")], &region),
        (&[("mcp-param-region", "=?base64?SGVs!!!bG8=?=")], &region),
    ];
    for (headers, arguments) in refused {
        let reply = call(&served, headers, arguments.clone());
        assert_eq!((reply.status, reply.code()), (400, -32020), "{headers:?}: {reply:?}");
    }
}

fn clients_of_the_earlier_era_send_none() {
    let served = Served::start(&[conformance()]);
    let params = json!({ "name": "test_custom_header", "arguments": { "region": "eu" } });
    assert_eq!(text(&served.session().request("tools/call", params)), "eu 0 false");
}

/// Components are compiled while the server already answers.
fn a_call_that_comes_before_its_component_is_compared_as_well() {
    let input = r#"{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}}}"#;
    let tool = Described { input, ..Described::new("cold", r#"{"type":"string"}"#) };
    let heavy = weighted(&provider(&[tool], &declared(r#""done""#)), 4, 40_000);
    // One that no earlier run has compiled.
    let component = [heavy, section("moment", &moment())].concat();
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let file = directory.path().join("cold.wasm");
    std::fs::write(&file, component).expect("it can be written");
    let served = Served::early(&[&file]);
    assert_eq!(served.get("/ready").status, 503, "it is still being compiled");
    let params = json!({ "name": "cold", "arguments": { "a": "one" } });
    let reply = served.later(&[("mcp-param-a", "another")], "tools/call", params.clone());
    assert_eq!((reply.status, reply.code()), (400, -32020), "{reply:?}");
    let reply = served.later(&[("mcp-param-a", "one")], "tools/call", params);
    assert_eq!(reply.json()["result"]["structuredContent"], json!({ "result": "done" }));
}
