//! What clients are told meanwhile and unasked: log lines, changes; and traces.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{ERAS, OfAnyGuest, error, result, serve, text};
use crate::harness::{Era, Server, conformance, named, surface, trials as named_trials};

pub(super) const OF_ANY_GUEST: &[OfAnyGuest] = named![
    a_session_is_told_of_what_it_subscribed_to,
    a_subscription_is_told_of_what_it_asked_for,
];

pub(crate) fn trials() -> Vec<Trial> {
    named_trials(
        "surface::told",
        named![
            log_lines_come_to_those_who_asked,
            log_lines_are_bounded_and_hide_nothing,
            a_component_announces_its_own_resources_alone,
            a_trace_reaches_the_guest_and_the_log,
            a_trace_that_is_none_goes_nowhere,
        ],
    )
}

const MESSAGE: &str = "notifications/message";
const LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// Calls a tool, and asks for its lines from `level` on, in the way of the era.
fn call_with_level(server: &mut Server, era: Era, tool: &str, level: &str) -> Value {
    let mut params = json!({ "name": tool, "arguments": {} });
    match era {
        Era::Handshake => {
            result(server, "logging/setLevel", json!({ "level": level }));
        }
        Era::Stateless => params["_meta"] = json!({ LEVEL: level }),
    }
    result(server, "tools/call", params)
}

fn log_lines_come_to_those_who_asked() {
    for era in ERAS {
        let mut server = serve(era, conformance());
        server.call("test_tool_with_logging", json!({}));
        assert!(server.notifications(MESSAGE).is_empty(), "{era:?}: nobody asked");
        call_with_level(&mut server, era, "test_tool_with_logging", "info");
        let lines = server.notifications(MESSAGE);
        let said: Vec<&Value> = lines.iter().map(|line| &line["params"]["data"]).collect();
        // As the scenario of the conformance suite has it.
        let expected =
            ["Tool execution started", "Tool processing data", "Tool execution completed"];
        assert_eq!(json!(said), json!(expected), "{era:?}");
        assert!(lines.iter().all(|line| line["params"]["level"] == "info"), "{era:?}");
        call_with_level(&mut server, era, "test_tool_with_logging", "warning");
        assert_eq!(server.notifications(MESSAGE).len(), 3, "{era:?}: these are less urgent");
    }
    let mut server = serve(Era::Stateless, conformance());
    let params = json!({ "level": "info" });
    assert_eq!(error(&mut server, "logging/setLevel", params).0, -32601);
}

fn log_lines_are_bounded_and_hide_nothing() {
    for era in ERAS {
        let mut server = serve(era, surface());
        let called = call_with_level(&mut server, era, "logs", "warning");
        assert_eq!(text(&called), "true", "{era:?}: the guest knows that somebody listens");
        let lines = server.notifications(MESSAGE);
        let params: Vec<&Value> = lines.iter().map(|line| &line["params"]).collect();
        let first = json!({ "level": "warning", "logger": "part", "data": r"loud\u{1b}[2J" });
        assert_eq!(*params[0], first, "{era:?}");
        let data = params[1]["data"].as_str().unwrap();
        assert!(data.len() <= 4096 && data.ends_with('…'), "{era:?}: {} bytes", data.len());
        assert_eq!(params.len(), 2, "{era:?}");
        call_with_level(&mut server, era, "floods_log", "debug");
        let lines = server.notifications(MESSAGE);
        let bytes = |line: &Value| line["params"]["data"].as_str().map_or(0, str::len);
        let bytes: usize = lines[2..].iter().map(bytes).sum();
        // `log_bytes_max` is 64 KiB unless it is configured.
        assert!((1..=64 << 10).contains(&bytes), "{era:?}: {bytes}");
    }
}

const UPDATED: &str = "notifications/resources/updated";

fn a_session_is_told_of_what_it_subscribed_to(guest: &Path) {
    let mut server = serve(Era::Handshake, guest);
    // What is announced comes in order: after this, all that was announced before has come.
    let mut settled = 0;
    let mut change = |server: &mut Server| {
        server.call("test_trigger_resource_change", json!({}));
        server.call("test_trigger_prompt_change", json!({}));
        settled += 1;
        server.wait_for_notifications("notifications/prompts/list_changed", settled);
    };
    change(&mut server);
    let watched = json!({ "uri": "test://watched-resource" });
    assert_eq!(result(&mut server, "resources/subscribe", watched.clone()), json!({}));
    change(&mut server);
    assert_eq!(result(&mut server, "resources/unsubscribe", watched), json!({}));
    change(&mut server);
    let updated = server.notifications(UPDATED);
    assert_eq!(updated.len(), 1, "of the second change alone: {updated:?}");
    assert_eq!(updated[0]["params"]["uri"], "test://watched-resource");
    assert_eq!(server.notifications("notifications/resources/list_changed").len(), 3);
    server.call("test_trigger_tool_change", json!({}));
    server.wait_for_notification("notifications/tools/list_changed");
    let params = json!({ "uri": "test://nope" });
    assert_eq!(error(&mut server, "resources/subscribe", params).0, -32002);
}

fn a_subscription_is_told_of_what_it_asked_for(guest: &Path) {
    let mut server = serve(Era::Stateless, guest);
    let filter = json!({
        "promptsListChanged": true,
        "resourceSubscriptions": ["test://watched-resource"],
    });
    let id = server.send("subscriptions/listen", json!({ "notifications": filter }));
    server.wait_for_notification("notifications/subscriptions/acknowledged");
    server.call("test_trigger_tool_change", json!({}));
    server.call("test_trigger_resource_change", json!({}));
    server.wait_for_notification(UPDATED);
    server.call("test_trigger_prompt_change", json!({}));
    server.wait_for_notification("notifications/prompts/list_changed");
    for (method, count) in [
        (UPDATED, 1),
        ("notifications/prompts/list_changed", 1),
        ("notifications/tools/list_changed", 0),
        ("notifications/resources/list_changed", 0),
    ] {
        let told = server.notifications(method);
        assert_eq!(told.len(), count, "{method}: {told:?}");
        for told in told {
            let subscription = &told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
            assert_eq!(*subscription, json!(id), "{told}");
        }
    }
    let watched = json!({ "uri": "test://watched-resource" });
    assert_eq!(error(&mut server, "resources/subscribe", watched).0, -32601);
}

fn a_component_announces_its_own_resources_alone() {
    let mut server = serve(Era::Handshake, surface());
    result(&mut server, "resources/subscribe", json!({ "uri": "bad://directory" }));
    for uri in ["https://a.example/", "bad://nope", "\u{1b}[2J"] {
        server.call("announces", json!({ "uri": uri }));
    }
    server.wait_for_notifications(UPDATED, 3);
    let told = server.notifications(UPDATED);
    assert!(told.iter().all(|told| told["params"]["uri"] == "bad://directory"), "{told:?}");
    server.wait_for_log("announces `bad://nope`, which is no resource of it");
}

/// The example of W3C Trace Context, 3.2.3 and 3.3.
const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const STATE: &str = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE";

fn a_trace_reaches_the_guest_and_the_log() {
    for era in ERAS {
        let mut server = serve(era, surface());
        let meta = json!({ "traceparent": PARENT, "tracestate": STATE });
        let params = json!({ "name": "trace", "arguments": {}, "_meta": meta });
        let called = result(&mut server, "tools/call", params);
        assert_eq!(text(&called), format!("{PARENT} {STATE}"), "{era:?}");
        server.wait_for_log("trace=\"4bf92f3577b34da6a3ce929d0e0e4736\"");
        server.wait_for_log("parent=\"00f067aa0ba902b7\"");
    }
}

fn a_trace_that_is_none_goes_nowhere() {
    for era in ERAS {
        let mut server = serve(era, surface());
        for parent in ["", "00-0-0-0", "00-00000000000000000000000000000000-00f067aa0ba902b7-01"] {
            let meta = json!({ "traceparent": parent, "tracestate": STATE });
            let params = json!({ "name": "trace", "arguments": {}, "_meta": meta });
            let called = result(&mut server, "tools/call", params);
            assert_eq!(text(&called), "none none", "{era:?}: {parent}");
        }
    }
}
