//! The clients of the official SDKs, each in both eras of the protocol, against every weather
//! tool. Both check structured content against the published schema and refuse what breaks it.

mod node;
mod python;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::{Value, json};

use crate::harness::{Server, cache, skipped, weather, without_call_id};
use crate::http::Served;
use crate::page::{BESIDE_THE_PAGE, expected_calls};

pub(crate) use node::{NodePackages, node_packages};

/// The way in which a client meets a server, and the protocol that they come to.
const ERAS: [(&str, &str, &str); 2] =
    [("2025", "legacy", "2025-11-25"), ("2026", "auto", "2026-07-28")];

/// How a client reaches a server.
#[derive(Clone, Copy, PartialEq)]
enum Over {
    Stdio,
    Http,
}

/// Makes a command that runs a client, or says what this machine lacks for it.
type Client = fn() -> Result<Command, String>;

pub(crate) fn trials() -> Vec<Trial> {
    let clients: [(&str, Client); 2] = [("python", python::client), ("node", node::client)];
    let mut trials = Vec::new();
    for (name, client) in clients {
        for (era, mode, protocol) in ERAS {
            for over in [Over::Stdio, Over::Http] {
                let end = if over == Over::Http { "_over_http" } else { "" };
                let test =
                    format!("clients::the_{name}_client_lists_and_calls_every_tool_{era}{end}");
                trials.push(Trial::ignorable_test(test, move || match client() {
                    Ok(client) => lists_and_calls_every_tool(client, over, mode, protocol),
                    Err(why) => skipped(&format!("the {name} client"), &why),
                }));
            }
        }
    }
    trials
}

fn lists_and_calls_every_tool(
    client: Command,
    over: Over,
    mode: &str,
    protocol: &str,
) -> Result<Completion, Failed> {
    let calls = calls();
    let served = (over == Over::Http).then(|| Served::start(&[weather()]));
    let job = json!({
        "url": served.as_ref().map(|served| format!("http://{}/mcp", served.address)),
        "command": env!("CARGO_BIN_EXE_portcullis-tested"),
        "args": ["serve", weather()],
        "env": { "XDG_CACHE_HOME": cache() },
        "mode": mode,
        "calls": calls.iter().map(|(call, _)| call).collect::<Vec<_>>(),
    });
    let said = given(client, &job);

    assert_eq!(said["protocol"], protocol);
    let mut server = Server::start(&[weather()]);
    let listed = server.request("tools/list", json!({}));
    assert_eq!(as_doubles(&said["tools"]), as_doubles(&listed["result"]["tools"]));
    let name = |tool: &Value| tool.as_str().map(str::to_owned);
    let listed: BTreeSet<_> =
        said["tools"].as_array().into_iter().flatten().map(|tool| name(&tool["name"])).collect();
    let called: BTreeSet<_> = calls.iter().map(|(call, _)| name(&call["tool"])).collect();
    assert_eq!(called, listed, "every tool is called");

    let results = said["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    assert_eq!(results.len(), calls.len());
    for (result, (call, expected)) in results.iter().zip(&calls) {
        let mut result = result.clone();
        if let Some(kind) = result.as_object_mut().and_then(|result| result.remove("resultType")) {
            // The protocol of 2026 says so of every result; only one of the clients shows it.
            assert_eq!(kind, "complete", "{call}");
        }
        assert_eq!(as_doubles(&result), as_doubles(expected), "{call}");
    }
    Ok(Completion::Completed)
}

/// Every call, and its whole result.
fn calls() -> Vec<(Value, Value)> {
    let recorded = expected_calls().into_iter().map(|expected| {
        (json!({ "tool": expected.tool, "arguments": expected.arguments }), expected.result)
    });
    recorded.chain([with_meta()]).collect()
}

fn with_meta() -> (Value, Value) {
    let text =
        "{\n  \"temperature\": 16.2,\n  \"humidity\": 0.83,\n  \"conditions\": \"Overcast\"\n}";
    (
        json!({ "tool": BESIDE_THE_PAGE, "arguments": { "city": "London" } }),
        json!({
            "content": [{ "type": "text", "text": text }],
            "structuredContent": { "temperature": 16.2, "humidity": 0.83, "conditions": "Overcast" },
            "isError": false,
            "_meta": {
                "portcullis.weather/station": "london-1",
                "portcullis.weather/source": { "name": "hourly", "age_minutes": 12 },
            },
        }),
    )
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
