//! What was recorded. A key that nobody reads is an error, so that nothing recorded is passed
//! over.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::page::Report;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "about")]
    _about: String,
    #[serde(rename = "legend")]
    _legend: BTreeMap<String, String>,
    tools: Vec<Tool>,
}

/// A recorded tool.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tool {
    pub(super) id: String,
    #[serde(rename = "annotation")]
    _annotation: String,
    #[serde(rename = "wit")]
    _wit: String,
    #[serde(default, rename = "note")]
    _note: String,
    #[serde(default, rename = "options")]
    _options: Value,
    list_entry: Option<Map<String, Value>>,
    #[serde(rename = "registration_error")]
    _registration_error: Option<Value>,
    #[serde(rename = "list_failure")]
    _list_failure: Option<Value>,
    #[serde(default, rename = "rules")]
    _rules: Vec<String>,
    pub(super) calls: Vec<Call>,
}

/// A recorded call of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) case: String,
    pub(super) arguments: Value,
    pub(super) wave: Option<String>,
    result: Option<Map<String, Value>>,
    #[serde(rename = "error")]
    _error: Option<Value>,
    #[serde(rename = "transport_failure")]
    _transport_failure: Option<Value>,
    validation: Option<Report>,
}

/// All recorded tools.
pub(super) fn tools() -> Vec<Tool> {
    let file: File = serde_json::from_str(include_str!("recorded.json"))
        .unwrap_or_else(|error| panic!("tests/golden/recorded.json: {error}"));
    file.tools
}

impl Tool {
    /// Its entry in the list, without its name; empty if it could not be listed.
    pub(super) fn definition(&self) -> Map<String, Value> {
        let mut entry = self.list_entry.clone().unwrap_or_default();
        entry.shift_remove("name");
        // A tool without a description has an empty one.
        if entry.get("description") == Some(&json!("")) {
            entry.shift_remove("description");
        }
        entry
    }

    pub(super) fn description(&self) -> Option<String> {
        self.definition().get("description").and_then(Value::as_str).map(str::to_owned)
    }
}

impl Call {
    /// The recorded result, empty if there was none. Where a value was refused, with the text that
    /// the report of that makes. (Rule V1: the recorded version masks it, and this project says
    /// it.)
    pub(super) fn result(&self, tool: &str) -> Map<String, Value> {
        let mut result = self.result.clone().unwrap_or_default();
        let masked = format!("Error executing tool {tool}");
        let text = result.get("content").and_then(|content| content[0]["text"].as_str());
        let is_refused =
            text.is_some_and(|text| text == masked || text.contains("validation error"));
        // The function itself failed, and made the report on its way.
        let is_its_own = (tool, self.case.as_str()) == ("e_raise", "pydantic_in_body");
        if let Some(report) = self.validation.as_ref().filter(|_| is_refused && !is_its_own) {
            let text = format!("{masked}: {}", report.text());
            result.insert("content".to_owned(), json!([{ "type": "text", "text": text }]));
        }
        result
    }
}
