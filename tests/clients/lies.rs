//! A guest that lies in every way it can, beside the truths that are nearest to its lies. No
//! client sees a lie, and none raises on a truth. A client that runs for each call has the first
//! lie and the first truth of each tool.

use std::collections::BTreeSet;
use std::process::Command;

use jsonschema::draft202012 as schema;
use libtest_mimic::Trial;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::told::{self, RESULT_BYTES_MAX};
use super::{Heard, Meeting, as_doubles};
use crate::generated::{Described, declared, provider};
use crate::harness::{Server, hostile, named, note, trials as named_trials};
use crate::laws::texts;

/// A call, and what a client has to make of it.
struct Call {
    tool: String,
    arguments: Value,
    expected: Expected,
}

enum Expected {
    /// An error that the model reads, without a value.
    Error,
    /// An error of the protocol: the tool lied in its own description, and is not served.
    NoTool,
    /// The value that the tool gave; of an error as well, if that is what it says.
    Value { value: Value, structured: Value, is_error: bool },
    /// One block.
    Content(Value),
}

pub(super) fn trials() -> Vec<Trial> {
    named_trials("clients", named![lies_are_lies_and_truths_are_true])
}

/// To a validator of JSON Schema that reads what the guest is told, and not what came of it.
fn lies_are_lies_and_truths_are_true() {
    let (directory, config) = served();
    let mut server = Server::start(&["--config", &config]).keeping(directory);
    let listed = server.request("tools/list", json!({}))["result"]["tools"].clone();
    for (tool, lies, truths) in told::VALUES {
        let published = output_schema(&listed, tool).expect("it is typed");
        let keeps = |json: &str| {
            serde_json::from_str(json)
                .is_ok_and(|v| schema::is_valid(published, &structured(tool, &v)))
        };
        for lie in *lies {
            assert!(!keeps(lie), "{tool}: {lie} is no lie");
        }
        for truth in *truths {
            assert!(keeps(truth), "{tool}: {truth} is no truth");
        }
    }
}

pub(super) fn sees_no_lie(meeting: Meeting, client: Command) {
    let mut calls = calls();
    if meeting.client.runs_for_each_call {
        let mut seen = BTreeSet::new();
        calls.retain(|call| seen.insert((call.tool.clone(), call.is_lie())));
    }
    let (_directory, config) = served();
    let asked: Vec<Value> = calls
        .iter()
        .map(|call| json!({ "tool": call.tool, "arguments": call.arguments }))
        .collect();
    let heard = meeting.heard(client, &["--config", &config], &asked);
    let mut faults = Vec::new();
    for (call, result) in calls.iter().zip(&heard.results) {
        if let Err(fault) = call.is_right(result, &heard) {
            faults.push(format!("{} {}: {fault}: {result}", call.tool, call.arguments));
        }
    }
    note(format!(
        "clients: {} {} {:?}: {} lies and {} truths",
        meeting.client.name,
        meeting.era.name,
        meeting.over,
        calls.iter().filter(|call| call.is_lie()).count(),
        calls.iter().filter(|call| !call.is_lie()).count(),
    ));
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), calls.len(), faults.join("\n"));
}

impl Call {
    fn is_lie(&self) -> bool {
        matches!(self.expected, Expected::Error | Expected::NoTool)
    }

    /// # Errors
    /// What is wrong with what a client made of it.
    fn is_right(&self, result: &Value, heard: &Heard) -> Result<(), &'static str> {
        let holds = |holds: bool, fault| if holds { Ok(()) } else { Err(fault) };
        let raised = result.get("raised").and_then(Value::as_str);
        if let Expected::NoTool = self.expected {
            let says = format!("Unknown tool: {}", self.tool);
            return holds(raised.is_some_and(|raised| raised.contains(&says)), "it is served");
        }
        holds(raised.is_none(), "the client raised")?;
        let published = output_schema(&heard.tools, &self.tool);
        if let Some(structured) = result.get("structuredContent") {
            let is_valid =
                published.is_some_and(|published| schema::is_valid(published, structured));
            holds(is_valid, "the value breaks the published schema")?;
            let exact = &result["_meta"]["portcullis/exactSchema"];
            let is_valid = exact.is_null() || schema::is_valid(exact, structured);
            holds(is_valid, "the value breaks the exact schema")?;
        }
        let blocks = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
        holds(!texts.iter().any(|t| t.contains(texts::is_hidden)), "a text hides something")?;
        let is_error = result["isError"].as_bool();
        match &self.expected {
            Expected::NoTool => Ok(()),
            Expected::Error => {
                let begin = format!("Error executing tool {}: ", self.tool);
                holds(is_error == Some(true), "it is no error")?;
                holds(result.get("structuredContent").is_none(), "an error has a value")?;
                let says_so = blocks.len() == 1 && texts.iter().any(|t| t.starts_with(&begin));
                holds(says_so, "it does not say so")
            }
            Expected::Value { value, structured, is_error: fails } => {
                let same = as_doubles(&result["structuredContent"]) == as_doubles(structured);
                holds(same, "it is another value")?;
                holds(is_error == Some(*fails), "it is an error, or should be one")?;
                let agree = blocks.len() == texts.len() && texts::agree(&texts, value).is_ok();
                holds(agree, "the text says another thing than the value")
            }
            Expected::Content(block) => {
                holds(is_error == Some(false), "it is an error")?;
                holds(result.get("structuredContent").is_none(), "content has a value")?;
                holds(as_doubles(&result["content"]) == as_doubles(&json!([block])), "it differs")
            }
        }
    }
}

fn calls() -> Vec<Call> {
    let mut calls = Vec::new();
    for (tool, lies, truths) in told::VALUES {
        calls.extend(lies.iter().map(|lie| Call::lie(tool, lie)));
        calls.extend(truths.iter().map(|truth| Call::truth(tool, truth, truth)));
    }
    let (lies, truths) = told::bounds();
    calls.extend(lies.iter().map(|lie| Call::lie("tells_anything", lie)));
    calls.extend(truths.iter().map(|truth| Call::truth("tells_anything", truth, truth)));
    let (tool, lies, truths) = told::EXACTLY;
    calls.extend(lies.iter().map(|lie| Call::lie(tool, lie)));
    calls.extend(
        truths
            .iter()
            .map(|truth| Call::truth(tool, truth, truth.lines().last().expect("it has two lines"))),
    );
    for (tool, lies, truths) in told::BESIDE {
        calls.extend(lies.iter().map(|lie| Call::lie(tool, lie)));
        calls.extend(truths.iter().map(|truth| Call::of(tool, json!({ "it": truth }), one())));
    }
    for (tool, lies, truths) in told::CONTENT {
        calls.extend(lies.iter().map(|lie| Call::lie(tool, lie)));
        calls.extend(truths.iter().map(|(truth, block)| {
            let block = serde_json::from_str(block).expect("a block is JSON");
            Call::of(tool, json!({ "it": truth }), Expected::Content(block))
        }));
    }
    let (lies, truths) = told::UNTOLD;
    calls.extend(lies.iter().map(|tool| Call::of(tool, json!({}), Expected::Error)));
    calls.extend(truths.iter().map(|tool| Call::of(tool, json!({}), one())));
    let names = MISDESCRIBED.map(|(name, ..)| name);
    calls.extend(names.map(|tool| Call::of(tool, json!({}), Expected::NoTool)));
    calls.push(Call::of("described", json!({}), one()));
    calls
}

impl Call {
    fn of(tool: &str, arguments: Value, expected: Expected) -> Self {
        Self { tool: tool.to_owned(), arguments, expected }
    }

    fn lie(tool: &str, told: &str) -> Self {
        Self::of(tool, json!({ "it": told }), Expected::Error)
    }

    /// Of a tool that gives the value that is `json`.
    fn truth(tool: &str, told: &str, json: &str) -> Self {
        let value = serde_json::from_str(json).expect("a truth is JSON");
        let structured = structured(tool, &value);
        let is_error = tool == "fails_telling";
        Self::of(tool, json!({ "it": told }), Expected::Value { value, structured, is_error })
    }
}

/// What tools give that misbehave only beside their value.
fn one() -> Expected {
    let value = json!({ "n": 1 });
    Expected::Value { structured: value.clone(), value, is_error: false }
}

const N: &str = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#;

/// Tools whose descriptions cannot be believed: their names, descriptions and schemas.
const MISDESCRIBED: [(&str, &str, &str); 5] = [
    ("has_no_schema", "Gives n.", r#"{"type":"objekt"}"#),
    ("has_no_json", "Gives n.", "{"),
    ("refers_to_others", "Gives n.", r#"{"$ref":"https://a.example/schema.json"}"#),
    ("refers_to_nothing", "Gives n.", r##"{"$ref":"#/$defs/nothing"}"##),
    ("hides_something", "Gives n.\u{202e}", N),
];

/// The hostile guest, once more in a hurry, and a component whose descriptions lie: the directory
/// that has them, and the path of their `portcullis.toml`.
fn served() -> (TempDir, String) {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let write = |name: &str, bytes: &[u8]| {
        let path = directory.path().join(name);
        std::fs::write(&path, bytes).expect("the temporary directory can be written");
        path.to_str().expect("it is UTF-8").to_owned()
    };
    let mut tools = vec![Described::new("described", N)];
    tools.extend(MISDESCRIBED.map(|(name, description, schema)| Described {
        description,
        ..Described::new(name, schema)
    }));
    write("misdescribed.wasm", &provider(&tools, &declared(r#"{"n":1}"#)));
    // A JSON string is a TOML string, too.
    let path = json!(hostile());
    let config = format!(
        r#"
[limits]
call_deadline_ms = 600_000
memory_bytes_max = 16_777_216
result_bytes_max = {RESULT_BYTES_MAX}

[components.guest]
path = {path}

[components.hurried]
path = {path}
prefix = "hurried"
limits = {{ call_deadline_ms = 500 }}

[components.misdescribed]
path = "misdescribed.wasm"
"#
    );
    let config = write("portcullis.toml", config.as_bytes());
    (directory, config)
}

/// What is published of `value`: it, or an object around it.
fn structured(tool: &str, value: &Value) -> Value {
    if told::OBJECTS.contains(&tool) { value.clone() } else { json!({ "result": value }) }
}

fn output_schema<'t>(tools: &'t Value, name: &str) -> Option<&'t Value> {
    tools.as_array()?.iter().find(|tool| tool["name"] == name)?.get("outputSchema")
}
