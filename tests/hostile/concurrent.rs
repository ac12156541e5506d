//! Guests that misbehave while others do not, and calls that their client gives up.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::server::serve_hostile;
use super::{DEADLINE, one, tool_error};
use crate::harness::{Line, Server, named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "hostile",
        named![
            a_good_call_is_answered_while_others_loop,
            loops_meet_their_deadlines_together,
            a_cancelled_call_gets_no_answer,
            cancelled_calls_give_their_room_back,
            an_unknown_tool_is_a_protocol_error,
            a_ping_is_answered_while_a_guest_loops,
            a_server_ends_when_its_client_goes_away,
        ],
    )
}

fn a_good_call_is_answered_while_others_loop() {
    let mut server = serve_hostile();
    let loops: Vec<u64> = (0..8).map(|_| server.send_call("hostile_loops", json!({}))).collect();
    for _ in 0..3 {
        assert_eq!(server.call("hostile_well_behaved", json!({})), one());
    }
    // The loops have an hour: none can have ended.
    assert!(!server.lines().iter().any(|line| loops.iter().any(|id| *line == Line::Answer(*id))));
    assert_eq!(server.beside_answers(), []);
}

fn loops_meet_their_deadlines_together() {
    let mut server = serve_hostile();
    let loops: Vec<u64> = (0..4).map(|_| server.send_call("hurried_loops", json!({}))).collect();
    let good: Vec<u64> =
        (0..4).map(|_| server.send_call("hostile_well_behaved", json!({}))).collect();
    for id in good {
        assert_eq!(server.result(id), one());
    }
    for id in loops {
        assert_eq!(server.result(id), tool_error("hurried_loops", DEADLINE));
    }
    assert_eq!(server.beside_answers(), []);
}

fn a_cancelled_call_gets_no_answer() {
    let mut server = serve_hostile();
    let cancelled = server.send_call("hostile_loops", json!({}));
    cancel(&mut server, cancelled);
    assert_eq!(server.call("hostile_well_behaved", json!({})), one());
    // No answer can come after the end.
    assert!(server.close().success());
    assert!(!server.lines().contains(&Line::Answer(cancelled)));
    assert_eq!(server.beside_answers(), []);
}

/// There is room for 64 instances, and a cancelled loop has an hour left.
fn cancelled_calls_give_their_room_back() {
    let mut server = serve_hostile();
    for _ in 0..100 {
        let id = server.send_call("hostile_loops", json!({}));
        cancel(&mut server, id);
    }
    assert_eq!(server.call("hostile_well_behaved", json!({})), one());
    assert_eq!(server.beside_answers(), []);
}

fn an_unknown_tool_is_a_protocol_error() {
    let mut server = serve_hostile();
    let far = server.request("tools/call", json!({ "name": "fly", "arguments": {} }));
    assert_eq!(far, error(&far, "Unknown tool: fly"));
    let near = server.request("tools/call", json!({ "name": "hostile_loop", "arguments": {} }));
    assert_eq!(near, error(&near, "Unknown tool: hostile_loop; did you mean hostile_loops?"));
    assert_eq!(server.call("hostile_well_behaved", json!({})), one());
}

fn error(answer: &Value, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": answer["id"], "error": { "code": -32602, "message": message } })
}

fn a_ping_is_answered_while_a_guest_loops() {
    let mut server = serve_hostile();
    server.send_call("hostile_loops", json!({}));
    let answer = server.request("ping", json!({}));
    assert_eq!(answer, json!({ "jsonrpc": "2.0", "id": answer["id"], "result": {} }));
}

fn a_server_ends_when_its_client_goes_away() {
    let mut server = serve_hostile();
    server.send_call("hostile_loops", json!({}));
    assert_eq!(server.call("hostile_well_behaved", json!({})), one());
    assert!(server.close().success());
}

fn cancel(server: &mut Server, id: u64) {
    server.notify("notifications/cancelled", json!({ "requestId": id, "reason": "enough" }));
}
