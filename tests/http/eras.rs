//! Both eras at one endpoint, and over both transports what the protocol says of bad messages.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{Served, message};
use crate::harness::{Era, Line, Server, named, program, trials as named_trials, weather};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "http::eras",
        named![
            both_eras_list_and_call_the_same_as_over_stdio,
            every_published_revision_is_spoken,
            what_is_no_message_is_answered,
            malformed_parameters_are_invalid_on_both_transports,
            a_session_ends_when_it_is_deleted,
            the_later_era_has_cache_hints_and_cursors,
            headers_that_differ_from_the_body_are_refused,
            a_notification_before_a_request_ends_nothing_over_stdio,
            the_end_of_input_before_a_handshake_is_a_clean_end,
        ],
    )
}

fn temperature() -> Value {
    json!({ "name": "get_temperature", "arguments": { "city": "London" } })
}

fn both_eras_list_and_call_the_same_as_over_stdio() {
    let served = Served::start(&[weather()]);
    let session = served.session();
    let mut stdio = Server::start(&[weather()]);
    for (method, params) in [("tools/list", json!({})), ("tools/call", temperature())] {
        let expected = stdio.request(method, params.clone());
        let shaken = session.request(method, params.clone());
        assert_eq!(shaken.status, 200);
        assert_eq!(shaken.header("content-type").as_deref(), Some("application/json"));
        assert_eq!(shaken.json()["result"], expected["result"]);
        let mut stdio = Server::start_in(Era::Stateless, &[weather()]);
        let expected = stdio.request(method, params.clone());
        let stateless = served.later(&[], method, params);
        assert_eq!(stateless.header("content-type").as_deref(), Some("application/json"));
        assert_eq!(stateless.json()["result"], expected["result"]);
    }
}

fn every_published_revision_is_spoken() {
    let served = Served::start(&[weather()]);
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let hello = message(
            1,
            "initialize",
            json!({
                "protocolVersion": revision,
                "capabilities": {},
                "clientInfo": { "name": "t", "version": "0" },
            }),
        );
        let result = served.post(&[], &hello).json()["result"].clone();
        assert_eq!(result["protocolVersion"], revision);
        assert_eq!(result["serverInfo"]["name"], "portcullis");
    }
    let found = served.later(&[], "server/discover", json!({})).json()["result"].clone();
    let versions = found["supportedVersions"].as_array().expect("a list");
    assert!(versions.contains(&json!("2026-07-28")), "{found}");
    let info = &found["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(info["name"], "portcullis");
    assert_eq!(info["version"], env!("CARGO_PKG_VERSION"));
}

/// JSON-RPC 2.0, 5.1: what is no JSON is -32700, what is no request -32600.
fn what_is_no_message_is_answered() {
    let served = Served::start(&[weather()]);
    let bad = [
        ("{\"jsonrpc\":", -32700),
        ("", -32700),
        ("[]", -32600),
        ("{\"a\":1}", -32600),
        ("5", -32600),
    ];
    for (body, code) in bad {
        let reply = served.post(&[], body);
        assert_eq!((reply.status, reply.code()), (400, code), "{body}");
        assert_eq!(reply.json()["id"], Value::Null);
    }
    assert_eq!(served.post(&[("content-type", "text/plain")], "{}").status, 415);
    assert_eq!(served.post(&[("accept", "text/html")], "{}").status, 406);
}

fn malformed_parameters_are_invalid_on_both_transports() {
    let served = Served::start(&[weather()]);
    let session = served.session();
    let mut stdio = Server::start(&[weather()]);
    let bad = [json!({}), json!({ "name": 5 }), json!({ "name": "x", "arguments": "text" })];
    for params in bad {
        assert_eq!(session.request("tools/call", params.clone()).code(), -32602, "{params}");
        assert_eq!(stdio.request("tools/call", params.clone())["error"]["code"], -32602);
        let headers = [("mcp-name", "x")];
        let headers = if params["name"] == "x" { &[][..] } else { &headers };
        assert_eq!(served.later(headers, "tools/call", params.clone()).code(), -32602, "{params}");
    }
    assert_eq!(session.request("tools/call", json!([1])).code(), -32602);
    assert_eq!(session.request("no/such", json!({})).code(), -32601);
    assert_eq!(stdio.request("no/such", json!({}))["error"]["code"], -32601);
}

fn a_session_ends_when_it_is_deleted() {
    let served = Served::start(&[weather()]);
    let session = served.session();
    let delete = format!(
        "DELETE /mcp HTTP/1.1\r\nhost: localhost\r\nmcp-session-id: {}\r\nconnection: close\r\n\r\n",
        session.id
    );
    assert_eq!(session.request("ping", json!({})).status, 200);
    assert!((200..300).contains(&served.raw(delete.as_bytes()).status));
    assert_eq!(session.request("ping", json!({})).status, 404);
    let without = served.post(&[], &message(1, "tools/list", json!({})));
    assert_eq!(without.status, 400);
}

fn the_later_era_has_cache_hints_and_cursors() {
    let served = Served::start(&[weather()]);
    let list = served.later(&[], "tools/list", json!({})).json()["result"].clone();
    assert!(list["ttlMs"].is_u64(), "{list}");
    assert_eq!(list["cacheScope"], "public");
    assert_eq!(served.later(&[], "tools/list", json!({ "cursor": "made up" })).code(), -32602);
    let earlier = served.session().request("tools/list", json!({})).json();
    assert_eq!(earlier["result"].get("ttlMs"), None);
}

/// MCP 2026-07-28, standard headers: a mismatch is -32020.
fn headers_that_differ_from_the_body_are_refused() {
    let served = Served::start(&[weather()]);
    let (headers, body) = super::later(1, "tools/call", temperature());
    for (name, wrong) in [("mcp-method", "tools/list"), ("mcp-name", "other")] {
        let headers: Vec<(&str, &str)> = headers
            .iter()
            .map(|(key, value)| (*key, if *key == name { wrong } else { value.as_str() }))
            .collect();
        let reply = served.post(&headers, &body);
        assert_eq!((reply.status, reply.code()), (400, -32020), "{name}");
    }
}

fn a_notification_before_a_request_ends_nothing_over_stdio() {
    let mut server = Server::start_in(Era::Stateless, &[weather()]);
    server.notify("notifications/cancelled", json!({ "requestId": 99 }));
    let answer = server.request("tools/call", temperature());
    assert_eq!(answer["result"]["structuredContent"], json!({ "result": 17 }));
    assert_eq!(server.beside_answers(), Vec::<Line>::new());
}

fn the_end_of_input_before_a_handshake_is_a_clean_end() {
    let run = crate::harness::ended(program().arg("serve").arg(weather()));
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
}
