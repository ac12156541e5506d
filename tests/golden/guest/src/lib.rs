//! The recorded tools as a provider: what their authors' SDK would send, and what they gave.
//!
//! Nothing here is worked out: schemas and values are those of recorded.json, but where
//! provider.json says otherwise.

#![cfg(target_family = "wasm")]

mod data;
mod outcome;
mod sent;

wit_bindgen::generate!({
    path: "../../../wit",
    world: "tool-provider",
});

use data::{Data, Form, Tool};
use exports::portcullis::guest::tools::{
    Component, Descriptor, Failure, Guest, Hints, Outcome, OutputContract, Request, Requirements,
};
use portcullis::guest::types::{ClientAbilities, FailureKind};
use serde_json::{Value, json};

struct Golden;

export!(Golden);

impl Guest for Golden {
    fn describe() -> Result<Component, String> {
        let data = Data::read();
        Ok(Component {
            name: "golden".to_owned(),
            version: "0.1.0".to_owned(),
            requires: Requirements {
                http: Vec::new(),
                directories: Vec::new(),
                environment: Vec::new(),
                secrets: Vec::new(),
                client: ClientAbilities::empty(),
            },
            tools: data.tools().map(|(tool, form)| descriptor(tool, form)).collect(),
            extensions: Vec::new(),
        })
    }

    fn call(name: String, arguments: String, _request: Request) -> Result<Outcome, Failure> {
        let data = Data::read();
        let arguments: Value = serde_json::from_str(&arguments).map_err(|e| internal(&e))?;
        let (tool, form) = data
            .tools()
            .find(|(tool, _)| tool.id == name)
            .ok_or_else(|| internal(&"there is no such tool"))?;
        let call = tool.calls.iter().find(|call| *form.received(call) == arguments);
        match call {
            Some(call) => outcome::of(tool, form, call),
            None => Err(internal(&format!("no call was recorded with {arguments}"))),
        }
    }
}

fn internal(what: &dyn std::fmt::Display) -> Failure {
    Failure { kind: FailureKind::Internal, message: what.to_string() }
}

fn descriptor(tool: &Tool, form: &Form) -> Descriptor {
    let input = form.input.clone().or_else(|| Some(sent::input(tool.listed("inputSchema")?, tool)));
    // What could not be listed takes what all tools of its kind do.
    let input = input.unwrap_or_else(|| {
        json!({ "type": "object", "properties": { "pick": { "type": "string" } }, "required": ["pick"] })
    });
    let output =
        form.output.clone().or_else(|| Some(sent::output(tool.listed("outputSchema")?, tool)));
    let description = tool.listed("description").and_then(Value::as_str);
    Descriptor {
        name: tool.id.clone(),
        title: None,
        description: description.filter(|text| !text.is_empty()).map(str::to_owned),
        input_schema: input.to_string(),
        output: match output {
            Some(schema) => OutputContract::Typed(schema.to_string()),
            None => OutputContract::ContentOnly,
        },
        hints: Hints { read_only: None, destructive: None, idempotent: None, open_world: None },
        own_content: form.own_content,
        extensions: Vec::new(),
    }
}
