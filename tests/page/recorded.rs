//! What was recorded. A key that nobody reads is an error, so that nothing recorded is passed
//! over.

use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    #[serde(rename = "about")]
    _about: String,
    tools: Vec<Tool>,
}

/// A recorded tool.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tool {
    pub(super) id: String,
    #[serde(default, rename = "note")]
    _note: String,
    #[serde(default)]
    list_entry: Map<String, Value>,
    pub(super) registration_error: Option<Value>,
    pub(super) calls: Vec<Call>,
    #[serde(rename = "rules")]
    _rules: Vec<String>,
}

/// A recorded call of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) case: String,
    pub(super) arguments: Value,
    result: Map<String, Value>,
    validation: Option<Report>,
}

/// Why a value was refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Report {
    count: usize,
    title: String,
    errors: Vec<Fault>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    loc: Vec<Value>,
    message: String,
    #[serde(rename = "type")]
    _kind: String,
    #[serde(rename = "input_value")]
    _input_value: String,
    #[serde(rename = "input_type")]
    _input_type: String,
}

/// All recorded tools.
pub(super) fn tools() -> Vec<Tool> {
    let page: Page = serde_json::from_str(include_str!("../golden/page.json"))
        .unwrap_or_else(|error| panic!("tests/golden/page.json: {error}"));
    let mut tools = page.tools;
    for tool in &mut tools {
        if tool.registration_error.is_none() {
            let name = tool.list_entry.shift_remove("name");
            assert_eq!(name, Some(json!(tool.id)), "a recorded tool under another name");
        }
    }
    tools
}

impl Tool {
    /// Its entry in the list, without its name.
    pub(super) fn definition(&self) -> &Map<String, Value> {
        &self.list_entry
    }
}

impl Call {
    /// The recorded result; where there is a report, with the text that the report makes. (Rule
    /// V1: the recorded version masks it, and this project says it.)
    pub(super) fn result_with_its_report(&self, tool: &str) -> Map<String, Value> {
        let mut result = self.result.clone();
        if let Some(report) = &self.validation {
            let text = format!("Error executing tool {tool}: {}", report.text());
            result.insert("content".to_owned(), json!([{ "type": "text", "text": text }]));
        }
        result
    }
}

impl Report {
    /// What the model is told.
    pub(crate) fn text(&self) -> String {
        assert_eq!(self.count, self.errors.len());
        let plural = if self.count == 1 { "" } else { "s" };
        let mut text = format!("{} validation error{plural} for {}", self.count, self.title);
        for fault in &self.errors {
            let steps = fault.loc.iter().map(|step| match step {
                Value::String(name) => name.clone(),
                Value::Number(index) => index.to_string(),
                Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                    panic!("no step of a location: {step}")
                }
            });
            let loc = steps.collect::<Vec<_>>().join(".");
            // The whole value has no location.
            let line = if loc.is_empty() { loc } else { format!("\n{loc}") };
            text.push_str(&format!("{line}\n  {}", fault.message));
        }
        text
    }
}
