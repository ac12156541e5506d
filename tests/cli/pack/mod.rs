//! `portcullis pack`: what it writes, and what clients see of it.
//!
//! Components are built from WIT without its docs, so that whatever is described was packed.

mod broken;
mod refused;
mod tools;
mod values;
mod written;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::Place;
use crate::generated::{Gives, Package, wave};
use crate::harness::without_call_id;

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = written::trials();
    trials.extend(tools::trials());
    trials.extend(values::trials());
    trials.extend(refused::trials());
    trials.extend(broken::trials());
    trials
}

/// Packs all that [`unpacked`] puts down.
const PACK: [&str; 6] = ["pack", "shop.wasm", "--wit", "shop.wit", "--overlay", "o.toml"];
/// The last parameter of an echo. It may be left out; with its 17 core values, parameters go
/// through memory, where an echo finds its first one.
const PAD: &str =
    "pad: option<tuple<u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8>>";

/// An interface `api` of these items, in a package with the world `w`.
fn package(items: &str) -> String {
    format!(
        "package test:shop@1.0.0;\ninterface api {{\n{items}\n}}\nworld w {{\nexport api;\n}}\n"
    )
}

/// A component without docs: a function gives the value of its name, or what has come.
fn component(wit: &str, values: &[(&str, &str)]) -> Vec<u8> {
    let bare: String = wit
        .lines()
        .filter(|line| !line.trim_start().starts_with("///"))
        .map(|line| format!("{line}\n"))
        .collect();
    let package = Package::parse(&bare);
    package.component(|function| {
        let value = values.iter().find(|(name, _)| *name == function.name);
        match (value, package.result(function)) {
            (Some((_, text)), Some(ty)) => Gives::Value(wave::parse(&ty, text)),
            (None, Some(_)) => Gives::Parameter(0),
            (_, None) => Gives::Nothing,
        }
    })
}

/// A directory with the component, its WIT and an overlay file.
fn unpacked(wit: &str, values: &[(&str, &str)], overlay: &str) -> Place {
    Place::new()
        .file("shop.wasm", &component(wit, values))
        .file("shop.wit", wit.as_bytes())
        .file("o.toml", overlay.as_bytes())
}

/// The same, packed.
fn packed(wit: &str, values: &[(&str, &str)], overlay: &str) -> Place {
    let place = unpacked(wit, values, overlay);
    let run = place.run(&PACK);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{run:?}");
    place
}

fn bytes(place: &Place, file: &str) -> Vec<u8> {
    std::fs::read(place.path().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The definitions of all tools of the component.
fn listed(place: &Place) -> Value {
    let run = place.run(&["list", "--json", "shop.wasm"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{run:?}");
    serde_json::from_str(&run.stdout).expect("it is JSON")
}

/// The definition of the one tool of the component.
fn listed_alone(place: &Place) -> Value {
    let listed = listed(place);
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    listed[0].clone()
}

/// The exit status of a call, and the whole result, call ids aside.
fn called(place: &Place, tool: &str, arguments: &str) -> (i32, Value) {
    let run = place.run(&["call", "--json", "--log=off", "shop.wasm", tool, arguments]);
    assert_eq!(run.stderr, "", "{run:?}");
    (run.status, serde_json::from_str(&without_call_id(&run.stdout)).expect("it is JSON"))
}

/// What a call comes to that gives a text and a structured value.
fn gave(text: &str, structured: Value) -> (i32, Value) {
    let content = json!([{ "type": "text", "text": text }]);
    (0, json!({ "content": content, "structuredContent": structured, "isError": false }))
}

/// What a call comes to whose tool has failed.
fn failed(tool: &str, why: &str) -> (i32, Value) {
    let text = format!("Error executing tool {tool}: {why}");
    (1, json!({ "content": [{ "type": "text", "text": text }], "isError": true }))
}
