//! Strict clients, each in its eras of the protocol and over both transports: they call every
//! weather tool, and a guest that lies. All check structured content against the published schema
//! and raise when it breaks it.

mod lies;
mod node;
mod python;
mod told;
mod weather;

use std::io::Write as _;
use std::process::{Command, Stdio};

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::{Value, json};

use crate::harness::{cache, skipped, without_call_id};
use crate::http::Served;

pub(crate) use node::{NodePackages, node_is_at_least, node_packages};

/// A program that calls tools, and what it can.
struct Client {
    name: &'static str,
    /// Makes a command that runs it, or says what this machine lacks for it.
    command: fn() -> Result<Command, String>,
    eras: &'static [Era],
    /// Whether every call is a run of its own. Such a client does not say which protocol was agreed
    /// on, and takes a second for a call.
    runs_for_each_call: bool,
}

/// The way in which a client meets a server, and the protocol that they come to.
struct Era {
    name: &'static str,
    mode: &'static str,
    protocol: &'static str,
}

const HANDSHAKE: Era = Era { name: "2025", mode: "legacy", protocol: "2025-11-25" };
const BOTH: &[Era] = &[HANDSHAKE, Era { name: "2026", mode: "auto", protocol: "2026-07-28" }];

const CLIENTS: [Client; 6] = [
    Client { name: "python_sdk_2", command: python::sdk_2, eras: BOTH, runs_for_each_call: false },
    Client {
        name: "python_sdk_1",
        command: python::sdk_1,
        eras: &[HANDSHAKE],
        runs_for_each_call: false,
    },
    Client { name: "fastmcp", command: python::fastmcp, eras: BOTH, runs_for_each_call: false },
    Client { name: "node_client", command: node::client, eras: BOTH, runs_for_each_call: false },
    Client { name: "node_sdk", command: node::sdk, eras: &[HANDSHAKE], runs_for_each_call: false },
    Client {
        name: "inspector",
        command: node::inspector,
        eras: &[HANDSHAKE],
        runs_for_each_call: true,
    },
];

/// How a client reaches a server.
#[derive(Clone, Copy, Debug)]
enum Over {
    Stdio,
    Http,
}

/// One way in which a client and a server meet.
#[derive(Clone, Copy)]
struct Meeting {
    client: &'static Client,
    era: &'static Era,
    over: Over,
}

/// What a client has to say of a server.
struct Heard {
    tools: Value,
    /// One for each call, in order: the result, or what was raised over it.
    results: Vec<Value>,
}

/// What a client does, in a meeting of its own; it panics when something is wrong.
type Task = fn(Meeting, Command);

const TASKS: [(&str, Task); 2] = [
    ("lists_and_calls_every_tool", weather::lists_and_calls_every_tool),
    ("sees_no_lie", lies::sees_no_lie),
];

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = lies::trials();
    for client in &CLIENTS {
        for era in client.eras {
            for (over, way) in [(Over::Stdio, ""), (Over::Http, "_over_http")] {
                for (task, run) in TASKS {
                    let name = format!("clients::{}_{task}_{}{way}", client.name, era.name);
                    let meeting = Meeting { client, era, over };
                    trials.push(Trial::ignorable_test(name, move || meeting.tried(run)));
                }
            }
        }
    }
    trials
}

impl Meeting {
    fn tried(self, task: Task) -> Result<Completion, Failed> {
        match (self.client.command)() {
            Ok(command) => {
                task(self, command);
                Ok(Completion::Completed)
            }
            Err(why) => skipped(&format!("the client {}", self.client.name), &why),
        }
    }

    /// Has a client list the tools of `portcullis serve` with `arguments`, and make `calls`, each
    /// `{"tool": …, "arguments": …}`.
    fn heard(self, client: Command, arguments: &[&str], calls: &[Value]) -> Heard {
        let served = match self.over {
            Over::Stdio => None,
            Over::Http => Some(Served::start(arguments)),
        };
        let serve = [&["serve"], arguments].concat();
        let program = json!({
            "command": env!("CARGO_BIN_EXE_portcullis-tested"),
            "args": serve,
            "env": { "XDG_CACHE_HOME": cache() },
        });
        let job = json!({
            "url": served.as_ref().map(|served| format!("http://{}/mcp", served.address)),
            "program": program,
            "mode": self.era.mode,
            "calls": calls,
        });
        let said = given(client, &job);
        if !self.client.runs_for_each_call {
            assert_eq!(said["protocol"], self.era.protocol);
        }
        let results = said["results"].as_array().cloned().unwrap_or_default();
        assert_eq!(results.len(), calls.len());
        let results = results.into_iter().map(|mut result| {
            let kind = result.as_object_mut().and_then(|result| result.remove("resultType"));
            // The protocol of 2026 says so of every result; only one of the clients shows it.
            assert_eq!(kind.unwrap_or(json!("complete")), "complete", "{result}");
            result
        });
        Heard { tools: said["tools"].clone(), results: results.collect() }
    }
}

/// Gives `job` to a program and returns what it prints, call ids aside.
pub(crate) fn given(mut program: Command, job: &Value) -> Value {
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was just installed");
    // One that ended before it read its job says why on stderr.
    let _ = child.stdin.take().expect("stdin is a pipe").write_all(job.to_string().as_bytes());
    let output = child.wait_with_output().expect("the program can be waited for");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{stderr}", output.status);
    let stdout = without_call_id(&String::from_utf8_lossy(&output.stdout));
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}\n{stderr}"))
}

/// `value` with its numbers as a client in JavaScript has them.
fn as_doubles(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(as_doubles).collect(),
        Value::Object(entries) => {
            entries.iter().map(|(key, value)| (key.clone(), as_doubles(value))).collect()
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}
