//! Calls of the host beside those of servers without a sandbox, in one run and with one client.

mod client;
pub(crate) mod native;

use std::process::Command;
use std::time::Duration;

use portcullis::build::RustGuest;
use serde_json::Value;

use crate::harness::{checkout, program};
use crate::table::{Table, median};
use client::Peer;
use native::Transport;

/// Servers that are measured.
const SERVERS: [&str; 4] = ["provider", "plain", "native", "native, our transport"];
/// Where in [`SERVERS`] the one is that the others are compared with.
const NATIVE: usize = 2;

/// What is called: a name, the call, and how often in each of the rounds.
const CALLS: [(&str, &str, usize); 7] = [
    ("scalar", r#"{"name":"add","arguments":{"a":2,"b":40}}"#, 500),
    ("record", r#"{"name":"record","arguments":{"number":7}}"#, 500),
    ("100 records", r#"{"name":"records","arguments":{"count":100}}"#, 200),
    ("2,000 records", r#"{"name":"records","arguments":{"count":2000}}"#, 30),
    ("100 KB of text", r#"{"name":"text","arguments":{"count":100000}}"#, 100),
    ("1 MB of text", r#"{"name":"text","arguments":{"count":1000000}}"#, 20),
    ("1 MB of bytes", r#"{"name":"bytes","arguments":{"count":1000000}}"#, 20),
];
/// Each server is measured so often, in turn with the others; what counts is the median.
const ROUNDS: usize = 5;

pub(crate) fn measure(table: &mut Table) {
    let mut peers = SERVERS.map(|server| Peer::start(&mut command(server)));
    for (what, call, times) in CALLS {
        agree(&mut peers, what, call);
        sequential(table, &mut peers, what, call, times);
    }
    for (what, call, times) in CALLS.into_iter().take(2) {
        for in_flight in [1, 16, 64] {
            throughput(
                table,
                &mut peers,
                &format!("{what}, {in_flight} in flight"),
                (call, times * 8, in_flight),
            );
        }
    }
}

fn command(server: &str) -> Command {
    let of = |guest: &str| {
        let guest = RustGuest {
            directory: checkout().join("tests/benches/peers").join(guest),
            target_directory: checkout().join("target/guests"),
            profile: "guest".to_owned(),
        };
        let mut command = program();
        command.arg("serve").arg(guest.build().expect("it builds"));
        command
    };
    let native = |transport: Transport| {
        let this = std::env::current_exe().expect("this program has a path");
        let mut command = Command::new(this);
        command.args([native::COMMAND, transport.name()]);
        command
    };
    match server {
        "provider" => of("provider"),
        "plain" => of("plain"),
        "native" => native(Transport::Stock),
        _ => native(Transport::Pipes),
    }
}

/// All of them give the same value: what is measured is the same work.
fn agree(peers: &mut [Peer; SERVERS.len()], what: &str, call: &str) {
    let values = peers.each_mut().map(|peer| {
        let reply: Value = serde_json::from_slice(peer.reply(call)).expect("it is JSON");
        let value = reply["result"]["structuredContent"].clone();
        assert!(value.is_object(), "{what}: {reply}");
        value
    });
    for (value, server) in values.iter().zip(SERVERS) {
        assert_eq!(value, &values[NATIVE], "{what}: {server}");
    }
}

fn sequential(
    table: &mut Table,
    peers: &mut [Peer; SERVERS.len()],
    what: &str,
    call: &str,
    times: usize,
) {
    let mut rounds: [Vec<[Duration; 3]>; SERVERS.len()] = Default::default();
    for _ in 0..ROUNDS {
        for (peer, rounds) in peers.iter_mut().zip(&mut rounds) {
            let before = peer.processor_time();
            let mut took: Vec<Duration> = (0..times).map(|_| peer.time(call)).collect();
            let processor = (peer.processor_time() - before) / u32::try_from(times).unwrap_or(1);
            took.sort();
            rounds.push([took[times / 2], took[times * 99 / 100], processor]);
        }
    }
    for (at, percentile) in ["p50", "p99", "server's CPU"].into_iter().enumerate() {
        let of = |server: usize| median(rounds[server].iter().map(|all| all[at]).collect());
        for server in (0..SERVERS.len()).filter(|server| *server != NATIVE) {
            let row = format!("{what}, {percentile}: {}", SERVERS[server]);
            table.time(&row, of(server), "native", of(NATIVE));
        }
    }
}

fn throughput(
    table: &mut Table,
    peers: &mut [Peer; SERVERS.len()],
    what: &str,
    (call, calls, in_flight): (&str, usize, usize),
) {
    let mut rounds: [Vec<Duration>; SERVERS.len()] = Default::default();
    for _ in 0..ROUNDS {
        for (peer, rounds) in peers.iter_mut().zip(&mut rounds) {
            rounds.push(peer.time_many(call, calls, in_flight));
        }
    }
    let a_second = |server: usize| calls as f64 / median(rounds[server].clone()).as_secs_f64();
    for server in (0..SERVERS.len()).filter(|server| *server != NATIVE) {
        let row = format!("{what}: {}", SERVERS[server]);
        table.rate(&row, a_second(server), "native", a_second(NATIVE));
    }
}
