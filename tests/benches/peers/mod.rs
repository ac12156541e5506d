//! Calls of the host beside those of servers without a sandbox, in one run and with one client.

pub(crate) mod native;
mod over_http;
mod over_stdio;
mod peer;

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use portcullis::build::RustGuest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{checkout, program, python_environment};
use crate::table::{Table, median};
use native::Transport;
use over_http::OverHttp;
pub(crate) use over_stdio::OverStdio;
pub(crate) use peer::{Call, Peer};

/// The least that there is to call.
pub(crate) const SCALAR: Call = Call { tool: "add", arguments: r#"{"a":2,"b":40}"# };
/// What is called: a name, the call, and how often in each of the rounds.
const CALLS: [(&str, Call, usize); 7] = [
    ("scalar", SCALAR, 500),
    ("record", Call { tool: "record", arguments: r#"{"number":7}"# }, 500),
    ("100 records", Call { tool: "records", arguments: r#"{"count":100}"# }, 200),
    ("2,000 records", Call { tool: "records", arguments: r#"{"count":2000}"# }, 30),
    ("100 KB of text", Call { tool: "text", arguments: r#"{"count":100000}"# }, 100),
    ("1 MB of text", Call { tool: "text", arguments: r#"{"count":1000000}"# }, 20),
    ("1 MB of bytes", Call { tool: "bytes", arguments: r#"{"count":1000000}"# }, 20),
];
/// Each server is measured so often, in turn with the others; what counts is the median.
const ROUNDS: usize = 5;
/// What the others are compared with: the first server of each group.
const NATIVE: &str = "native";

/// Servers that speak in the same way.
struct Group {
    names: Vec<&'static str>,
    peers: Vec<Box<dyn Peer>>,
    /// What is there as long as they run.
    kept: Vec<TempDir>,
}

pub(crate) fn measure(table: &mut Table) {
    let python = python();
    if let Err(why) = &python {
        table.alone("python: not measured", why);
    }
    Group::over_stdio(python.ok()).measure(table);
}

pub(crate) fn measure_http(table: &mut Table) {
    Group::over_http().measure(table);
}

impl Group {
    fn over_stdio(python: Option<Command>) -> Self {
        let mut group = Self { names: Vec::new(), peers: Vec::new(), kept: Vec::new() };
        let mut add = |name, command: &mut Command| {
            group.names.push(name);
            group.peers.push(Box::new(OverStdio::start(command)));
        };
        add(NATIVE, &mut native(Transport::Stock));
        add("native, our transport", &mut native(Transport::Pipes));
        for guest in ["provider", "plain"] {
            add(guest, program().arg("serve").arg(built(guest)));
        }
        if let Some(mut python) = python {
            add("python", &mut python);
        }
        group
    }

    fn over_http() -> Self {
        let mut group = Self { names: Vec::new(), peers: Vec::new(), kept: Vec::new() };
        let Self { names, peers, kept, .. } = &mut group;
        let mut add = |name, command: &mut Command| {
            names.push(name);
            peers.push(Box::new(OverHttp::start(command)));
        };
        add(NATIVE, &mut native(Transport::Http));
        for guest in ["provider", "plain"] {
            let directory = configured(guest);
            let config = directory.path().join("portcullis.toml");
            let mut command = program();
            command.args(["serve", "--http", "127.0.0.1:0", "--config"]).arg(config);
            add(guest, &mut command);
            kept.push(directory);
        }
        group
    }

    fn measure(mut self, table: &mut Table) {
        for (what, call, times) in CALLS {
            self.agree(what, call);
            self.sequential(table, what, call, times);
        }
        for (what, call, times) in CALLS.into_iter().take(2) {
            for in_flight in [1, 16, 64] {
                self.throughput(table, what, (call, times * 8, in_flight));
            }
        }
    }

    /// All of them give the same value: what is measured is the same work.
    fn agree(&mut self, what: &str, call: Call) {
        let value = |peer: &mut Box<dyn Peer>| {
            peer.begin(1);
            let reply: Value = serde_json::from_slice(peer.reply(call)).expect("it is JSON");
            let value = reply["result"]["structuredContent"].clone();
            assert!(value.is_object(), "{what}: {reply}");
            value
        };
        let values: Vec<Value> = self.peers.iter_mut().map(value).collect();
        for (value, name) in values.iter().zip(&self.names) {
            assert_eq!(value, &values[0], "{what}: {name}");
        }
    }

    fn sequential(&mut self, table: &mut Table, what: &str, call: Call, times: usize) {
        let mut rounds: Vec<Vec<[Duration; 3]>> = vec![Vec::new(); self.peers.len()];
        for _ in 0..ROUNDS {
            for (peer, rounds) in self.peers.iter_mut().zip(&mut rounds) {
                peer.begin(1);
                peer.reply(call);
                let before = peer.processor_time();
                let mut took: Vec<Duration> = (0..times).map(|_| peer.time(call)).collect();
                let processor = peer.processor_time().saturating_sub(before);
                took.sort();
                let each = processor / u32::try_from(times).unwrap_or(1);
                rounds.push([took[times / 2], took[times * 99 / 100], each]);
            }
        }
        for (at, percentile) in ["p50", "p99", "server's CPU"].into_iter().enumerate() {
            let of = |server: usize| median(rounds[server].iter().map(|all| all[at]).collect());
            for (server, name) in self.names.iter().enumerate().skip(1) {
                let row = format!("{what}, {percentile}: {name}");
                table.time(&row, of(server), NATIVE, of(0));
            }
        }
    }

    fn throughput(
        &mut self,
        table: &mut Table,
        what: &str,
        (call, calls, in_flight): (Call, usize, usize),
    ) {
        let mut rounds: Vec<Vec<Duration>> = vec![Vec::new(); self.peers.len()];
        for _ in 0..ROUNDS {
            for (peer, rounds) in self.peers.iter_mut().zip(&mut rounds) {
                peer.begin(in_flight);
                rounds.push(peer.time_many(call, calls, in_flight));
            }
        }
        let a_second = |server: usize| calls as f64 / median(rounds[server].clone()).as_secs_f64();
        for (server, name) in self.names.iter().enumerate().skip(1) {
            let row = format!("{what}, {in_flight} in flight: {name}");
            table.rate(&row, a_second(server), NATIVE, a_second(0));
        }
    }
}

/// The component of a guest beside this file.
pub(crate) fn built(guest: &str) -> PathBuf {
    let guest = RustGuest {
        directory: checkout().join("tests/benches/peers").join(guest),
        target_directory: checkout().join("target/guests"),
        profile: "guest".to_owned(),
    };
    guest.build().expect("it builds")
}

/// A config with a guest, and with room for a client that asks as fast as it can.
fn configured(guest: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let config = format!(
        "[http.limits]\nclient_requests_per_second_max = 1_000_000\n\
         [components.{guest}]\npath = {}\n",
        json!(built(guest))
    );
    std::fs::write(directory.path().join("portcullis.toml"), config).expect("it can be written");
    directory
}

fn native(transport: Transport) -> Command {
    let this = std::env::current_exe().expect("this program has a path");
    let mut command = Command::new(this);
    command.args([native::COMMAND, transport.name()]);
    command
}

/// The Python SDK's server, or what this machine lacks for it.
fn python() -> Result<Command, String> {
    let requirements = checkout().join("tests/clients/requirements.txt");
    let mut python = Command::new(python_environment("python", "mcp", &requirements)?);
    python.arg("-I").arg(checkout().join("tests/benches/peers/server.py"));
    Ok(python)
}
