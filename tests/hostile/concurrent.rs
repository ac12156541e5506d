//! Guests that misbehave while others do not, and calls that their client gives up.

use std::time::Instant;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::figures::note;
use super::server::{serve, serve_hostile};
use super::{DEADLINE, one, tool_error};
use crate::harness::{Line, Server, hostile, named, trials as named_trials};

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
            listing_runs_no_guest,
            a_call_beyond_the_room_is_told_so,
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

/// A server whose room for one call is taken by a guest that sleeps for an hour, with none to wait
/// in; and the calls that found none.
fn full() -> (Server, Vec<u64>) {
    let path = json!(hostile());
    let config = format!(
        "[host]\ncalls_max = 1\ncalls_queued_max = 0\n\
         [limits]\ncall_deadline_ms = 3_600_000\n[components.hostile]\npath = {path}\n"
    );
    let mut server = serve(&[("portcullis.toml", config.as_bytes())]);
    const CALLS: usize = 16;
    (0..CALLS).for_each(|_| {
        server.send_call("sleeps", json!({}));
    });
    // The first answer is that to the handshake.
    server.wait_for_answers(CALLS);
    let answered = server.lines().iter().filter_map(answer).skip(1).collect();
    (server, answered)
}

fn answer(line: &Line) -> Option<u64> {
    match line {
        Line::Answer(id) => Some(*id),
        Line::Notification(_) | Line::Request(_) | Line::Stray(_) => None,
    }
}

/// Whatever ran a guest would find no room for it.
fn listing_runs_no_guest() {
    let (mut server, refused) = full();
    let began = Instant::now();
    let first = server.request("tools/list", json!({}))["result"].clone();
    assert!(first["tools"].as_array().is_some_and(|tools| tools.len() > 20), "{first}");
    for _ in 1..1000 {
        assert_eq!(server.request("tools/list", json!({}))["result"], first);
    }
    let microseconds = began.elapsed().as_micros() / 1000;
    note(5, "instances for 1,000 lists", 0);
    note(5, "time for one list", format!("{microseconds} µs"));
    // Those that sleep have not ended, so there was no room all the time.
    let answers = server.lines().iter().filter_map(answer).count();
    assert_eq!(answers, 1 + refused.len() + 1000);
}

fn a_call_beyond_the_room_is_told_so() {
    let (server, refused) = full();
    for id in refused {
        let told = "as many calls of this component wait as may (`calls_queued_max`); try again \
                    later";
        assert_eq!(server.result(id), tool_error("sleeps", told));
    }
}
