//! The end of a server: calls that run are finished, and nothing new begins.

use std::io::Write as _;

use libtest_mimic::Trial;
use serde_json::json;

use super::client::{posted, read};
use super::{Served, later, message};
use crate::harness::{hostile, named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "http::ends",
        named![
            calls_that_run_are_finished,
            a_second_signal_ends_them,
            streams_end_at_once,
            calls_whose_connection_broke_take_their_share
        ],
    )
}

/// Requests that one client may have there at once.
const REQUESTS_MAX: usize = 4;

/// A server whose calls of `sleeps` end at their deadline.
fn sleeping(deadline_ms: u64) -> (tempfile::TempDir, Served) {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let file = directory.path().join("portcullis.toml");
    let text = format!(
        "[limits]\ncall_deadline_ms = {deadline_ms}\n\
         [http.limits]\nclient_requests_max = {REQUESTS_MAX}\n"
    );
    std::fs::write(&file, text).expect("a file can be written");
    let mut command = crate::harness::program();
    command.args(["--log", "info,rmcp=debug,portcullis::mcp=debug", "serve", "--http", "127.0.0.1:0", "--config"]);
    (directory, Served::of(command.arg(file).arg(hostile())))
}

/// Sends a call that sleeps, and waits until it runs.
fn asleep(served: &Served) -> std::net::TcpStream {
    let (headers, body) = later(1, "tools/call", json!({ "name": "sleeps", "arguments": {} }));
    let headers: Vec<(&str, &str)> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
    let mut stream = served.connect();
    stream.write_all(&posted(&headers, &body)).expect("the server reads");
    served.wait_for_log(|log| log.contains("a call tool=\"sleeps\""));
    stream
}

fn calls_that_run_are_finished() {
    let (_directory, mut served) = sleeping(1500);
    let stream = asleep(&served);
    served.signal("-TERM");
    served.wait_for_log(|log| log.contains("waiting for the calls that run"));
    let reply = read(stream);
    assert_eq!(reply.status, 200, "{reply:?}");
    assert!(reply.body.contains("took longer than 1500 ms"), "{reply:?}");
    assert!(served.wait_for_end().success());
}

fn a_second_signal_ends_them() {
    let (_directory, mut served) = sleeping(3_600_000);
    let stream = asleep(&served);
    served.signal("-TERM");
    served.wait_for_log(|log| log.contains("waiting for the calls that run"));
    served.signal("-TERM");
    assert!(served.wait_for_end().success());
    assert_ne!(read(stream).status, 200);
    served.wait_for_log(|log| log.contains("outcome=\"cancelled\""));
}

fn streams_end_at_once() {
    let (_directory, mut served) = sleeping(3_600_000);
    let session = served.session();
    let _stream = session.stream();
    // An answer to anything says that the stream was opened before.
    assert_eq!(session.request("ping", json!({})).status, 200);
    served.signal("-TERM");
    assert!(served.wait_for_end().success());
}

/// In the era of sessions a call goes on when its connection breaks.
fn calls_whose_connection_broke_take_their_share() {
    let (_directory, served) = sleeping(8_000);
    let session = served.session();
    // What belongs to the handshake has ended long before the last of these comes.
    let runs = |line: &&str| line.contains("received request") && line.contains("sleeps");
    for count in 1..=REQUESTS_MAX {
        let id = 10 + count as u64;
        let call = message(id, "tools/call", json!({ "name": "sleeps", "arguments": {} }));
        let mut stream = served.connect();
        stream.write_all(&posted(&session.headers(), &call)).expect("the server reads");
        served.wait_for_log(|log| log.lines().filter(runs).count() >= count);
    }
    // Also when the server has seen long ago that the connections are gone.
    let mut refusals = 0;
    for _ in 0..20 {
        let refused = session.request("ping", json!({}));
        if served.wait_for_log(|_| true).contains("outcome=\"deadline\"") {
            break;
        }
        assert_eq!(refused.status, 429, "{refused:?}");
        assert!(refused.body.contains("client_requests_max"), "{refused:?}");
        refusals += 1;
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(refusals > 0, "all calls had ended before anybody asked");
    served.wait_for_log(|log| log.matches("outcome=\"deadline\"").count() == REQUESTS_MAX);
    let mut tries = 0;
    while session.request("ping", json!({})).status == 429 {
        std::thread::sleep(std::time::Duration::from_millis(20));
        tries += 1;
        assert!(tries < 1000, "what has ended takes a share");
    }
}
