//! Calls by hand: a line is a call.

use serde_json::{Map, Value};
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::call::Asked;
use crate::catalog::Catalog;
use crate::command::{call, terminal};
use crate::host::Host;
use crate::present::clean;

const HELP: &str = "\
TOOL {\"argument\": \"value\"}   calls a tool; without arguments, its name is enough
an empty line               lists the tools
?                           shows this
Ctrl-D                      ends";

/// Answers the lines of stdin until they end.
pub(super) async fn run(host: &Host) -> anyhow::Result<()> {
    terminal::complain("a line is a call: TOOL {\"argument\": \"value\"}; ? helps, Ctrl-D ends");
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        match line.trim() {
            "?" | "help" => terminal::say(HELP)?,
            line => {
                // A line that was written while the first build runs is about what comes of it, and
                // there is no client that would give up.
                while !host.ready().await {}
                match line {
                    "" => list(&host.catalog())?,
                    line => answer(host, line).await?,
                }
            }
        }
    }
    Ok(())
}

async fn answer(host: &Host, line: &str) -> anyhow::Result<()> {
    let (tool, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, "{}"));
    let arguments = match call::object(tool, arguments, "write them such as ", "") {
        Ok(arguments) => arguments,
        Err(error) => {
            terminal::complain(&clean::text(error.to_string()));
            return Ok(());
        }
    };
    match host.call(Asked::new(tool.to_owned(), arguments)).await {
        Ok(reply) => call::print(&reply, false)?,
        Err(unknown) => terminal::complain(&unknown.to_string()),
    }
    Ok(())
}

/// Prints the tools, each with its arguments.
pub(super) fn list(catalog: &Catalog) -> anyhow::Result<()> {
    if catalog.entries().is_empty() {
        return terminal::say("there are no tools yet");
    }
    for entry in catalog.entries() {
        let schema = entry.tool().input.published();
        terminal::say(&clean::text(format!("{} {}", entry.name, arguments(schema))))?;
    }
    Ok(())
}

/// What a tool takes, such as `{"city": string, "days"?: integer}`.
fn arguments(schema: &Map<String, Value>) -> String {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|n| n == name));
    let properties = schema.get("properties").and_then(Value::as_object);
    let shown = properties.into_iter().flatten().map(|(name, schema)| {
        let mark = if is_required(name) { "" } else { "?" };
        format!("{}{mark}: {}", Value::from(name.as_str()), kind(schema))
    });
    format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
}

/// What a schema is about, in a word or two.
fn kind(schema: &Value) -> String {
    let any_of = |list: &[Value], shown: fn(&Value) -> String| {
        list.iter().map(shown).collect::<Vec<_>>().join(" | ")
    };
    let word = |value: &Value| value.as_str().unwrap_or("any").to_owned();
    if let Some(values) = schema["enum"].as_array() {
        return any_of(values, Value::to_string);
    }
    if let Some(arms) = schema["anyOf"].as_array() {
        return any_of(arms, kind);
    }
    match &schema["type"] {
        Value::String(kind) if kind == "array" && schema["items"]["type"].is_string() => {
            format!("[{}]", word(&schema["items"]["type"]))
        }
        Value::Array(kinds) => any_of(kinds, |kind| kind.as_str().unwrap_or("any").to_owned()),
        kind => word(kind),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_shown_on_a_line() {
        let schema = json!({
            "properties": {
                "city": { "type": "string" },
                "days": { "type": ["integer", "null"] },
                "unit": { "enum": ["c", "f"] },
                "cities": { "type": "array", "items": { "type": "string" } },
                "at": { "anyOf": [{ "type": "number" }, { "$ref": "#/$defs/At" }] },
                "any": true,
            },
            "required": ["city"],
        });
        let shown = arguments(schema.as_object().unwrap());
        let expected = r#"{"city": string, "days"?: integer | null, "unit"?: "c" | "f", "cities"?: [string], "at"?: number | any, "any"?: any}"#;
        assert_eq!(shown, expected);
        assert_eq!(arguments(&Map::new()), "{}");
    }
}
