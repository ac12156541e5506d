//! Clients that break off, stop, flood or change their mind: the others are served, and memory returns.

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use libtest_mimic::Trial;
use serde_json::json;

use super::client::{Session, posted};
use super::{Served, later, message};
use crate::harness::{hostile, named, program, trials as named_trials, weather};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "http::hostile",
        named![
            clients_that_break_off_cost_others_nothing,
            a_thousand_cancels_and_disconnects_leave_nothing,
            a_call_that_was_cancelled_has_no_reply,
        ],
    )
}

/// Bytes of memory that a process has.
fn resident(pid: u32) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<usize>().ok().map(|kilobytes| kilobytes << 10)
}

/// Descriptors that a process has open.
fn open(pid: u32) -> Option<usize> {
    std::fs::read_dir(format!("/proc/{pid}/fd")).ok().map(Iterator::count)
}

fn is_served(session: &Session<'_>) {
    let call = json!({ "name": "get_temperature", "arguments": { "city": "London" } });
    let result = session.request("tools/call", call).json()["result"].clone();
    assert_eq!(result["structuredContent"], json!({ "result": 17 }));
}

/// Waits until the server has so little again.
fn settles(served: &Served, descriptors: usize, bytes: usize) {
    let mut seen = None;
    for _ in 0..600 {
        seen = open(served.pid()).zip(resident(served.pid()));
        match seen {
            None => return, // Only Linux tells.
            Some((d, b)) if d <= descriptors && b <= bytes => return,
            Some(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
    panic!("it has {seen:?} and should have at most {descriptors}, {bytes}");
}

/// Memory that an allocator may keep of what it gave out.
const KEPT_BYTES: usize = 64 << 20;

fn clients_that_break_off_cost_others_nothing() {
    let served = Served::start(&[weather()]);
    let session = served.session();
    is_served(&session);
    let before = (open(served.pid()).unwrap_or(0), resident(served.pid()).unwrap_or(0));
    let whole = posted(&[], &message(1, "tools/list", json!({})));
    for round in 0..200 {
        let mut stream = served.connect();
        match round % 4 {
            // Killed without a word; half a head; half a body; everything, and gone.
            0 => {}
            1 => drop(stream.write_all(&whole[..40])),
            2 => drop(stream.write_all(&whole[..whole.len() - 10])),
            _ => drop(stream.write_all(&whole)),
        }
        if round % 8 < 4 {
            drop(stream.shutdown(Shutdown::Both));
        }
    }
    is_served(&session);
    let large = served.post(&[], &" ".repeat(20_000_000));
    assert_eq!(large.status, 413);
    is_served(&session);
    // A flood of connections that say nothing: all that the server takes, and then more.
    let idle: Vec<_> = (0..700).map(|_| served.connect()).collect();
    is_served(&session);
    drop(idle);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..100 {
                    let _ = served.post(&[], "{\"jsonrpc\":");
                }
            });
        }
        is_served(&session);
    });
    settles(&served, before.0 + 8, before.1 + KEPT_BYTES);
    is_served(&session);
}

fn a_thousand_cancels_and_disconnects_leave_nothing() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let config = directory.path().join("portcullis.toml");
    // A cancel that overtakes its call cancels nothing, and that call ends here.
    std::fs::write(&config, "[limits]\ncall_deadline_ms = 2000\n").expect("it can be written");
    let served = Served::start(&["--config".as_ref(), &*config, weather(), hostile()]);
    let session = served.session();
    is_served(&session);
    let before = (open(served.pid()).unwrap_or(0), resident(served.pid()).unwrap_or(0));
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= 1000 {
                        return;
                    }
                    change_of_mind(&served, &session, number);
                }
            });
        }
        for _ in 0..20 {
            is_served(&session);
        }
    });
    is_served(&session);
    settles(&served, before.0 + 8, before.1 + KEPT_BYTES);
    let log = served.wait_for_log(|_| true);
    assert!(!log.contains("panic"), "{log}");
}

/// A call that is given up: by a notification in a session, or by hanging up.
fn change_of_mind(served: &Served, session: &Session<'_>, number: usize) {
    // One ends by itself, the other one never does.
    let call = match number % 4 {
        0 | 1 => json!({ "name": "sleeps", "arguments": {} }),
        _ => json!({ "name": "get_temperature", "arguments": { "city": "London" } }),
    };
    // Spread over the time that a call takes, whatever that is here.
    let pause = Duration::from_micros((number as u64 * 7919) % 3000);
    let mut stream = served.connect();
    if number.is_multiple_of(2) {
        let (headers, body) = later(number as u64, "tools/call", call);
        let headers: Vec<(&str, &str)> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
        stream.write_all(&posted(&headers, &body)).expect("the server reads");
        std::thread::sleep(pause);
        return;
    }
    let id = 1000 + number as u64;
    let asked = posted(&session.headers(), &message(id, "tools/call", call));
    stream.write_all(&asked).expect("the server reads");
    std::thread::sleep(pause);
    let cancelled = json!({
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": { "requestId": id },
    });
    let accepted = served.post(&session.headers(), &cancelled.to_string());
    assert_eq!(accepted.status, 202, "{accepted:?}");
    // Either it was answered before, or there is no answer: never half of one, and never two.
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    let answers = text.matches(&format!("\"id\":{id}")).count();
    assert!(answers <= 1, "{text}");
}

fn a_call_that_was_cancelled_has_no_reply() {
    let mut command = program();
    command.args(["--log", "info,rmcp=debug", "serve", "--http", "127.0.0.1:0"]).arg(hostile());
    let served = Served::of(&mut command);
    let session = served.session();
    let call = message(77, "tools/call", json!({ "name": "sleeps", "arguments": {} }));
    let mut stream = served.connect();
    stream.write_all(&posted(&session.headers(), &call)).expect("the server reads");
    served.wait_for_log(|log| log.contains("received request") && log.contains("sleeps"));
    let cancelled = json!({
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": { "requestId": 77 },
    });
    assert_eq!(served.post(&session.headers(), &cancelled.to_string()).status, 202);
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("the server closes");
    assert!(!text.contains("\"id\":77"), "{text}");
    served.wait_for_log(|log| log.contains("outcome=\"cancelled\""));
}
