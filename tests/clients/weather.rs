//! The weather tools, with every call that is recorded.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};

use super::{Meeting, as_doubles};
use crate::harness::{Server, weather};
use crate::page::{BESIDE_THE_PAGE, expected_calls};

pub(super) fn lists_and_calls_every_tool(meeting: Meeting, client: Command) {
    let (calls, expected): (Vec<Value>, Vec<Value>) = calls().into_iter().unzip();
    let component = weather().to_str().expect("it is UTF-8");
    let heard = meeting.heard(client, &[component], &calls);

    let mut server = Server::start(&[component]);
    let listed = server.request("tools/list", json!({}));
    assert_eq!(as_doubles(&heard.tools), as_doubles(&listed["result"]["tools"]));
    let name = |tool: &Value| tool.as_str().map(str::to_owned);
    let listed: BTreeSet<_> =
        heard.tools.as_array().into_iter().flatten().map(|tool| name(&tool["name"])).collect();
    let called: BTreeSet<_> = calls.iter().map(|call| name(&call["tool"])).collect();
    assert_eq!(called, listed, "every tool is called");

    for ((result, call), expected) in heard.results.iter().zip(&calls).zip(&expected) {
        assert_eq!(as_doubles(result), as_doubles(expected), "{call}");
    }
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
