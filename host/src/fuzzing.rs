//! What the targets in `fuzz/` call: each takes any bytes, and panics if something that must hold
//! of every input does not.
//!
//! No build that is for use has it.

use std::path::Path;
use std::sync::LazyLock;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::{Map, Value};
use wasm_encoder::{CustomSection, Section as _};
use wit_parser::Resolve;

use crate::component::typed_descriptor;
use crate::config::{self, ConfigError};
use crate::pack::{SECTION, Said};
use crate::present::clean;
use crate::schema::wit::{self, Function, Read};
use crate::schema::{Bounds, Input, Mismatch, Output, Refs, Style, Unverified, strict_json};

/// Schemas for arguments that come without one: scalars, recursion and unions.
const INPUTS: [&str; 3] = [
    r#"{"properties": {
        "i": {"type": "integer", "minimum": 0},
        "n": {"type": "number", "multipleOf": 0.5},
        "b": {"type": "boolean"},
        "s": {"type": "string", "maxLength": 3},
        "o": {
            "type": ["object", "null"],
            "properties": {"a": {"type": "array", "items": {"type": "integer"}}}
        }
    }}"#,
    r##"{"properties": {"t": {"$ref": "#/$defs/T"}}, "additionalProperties": {"type": "integer"},
        "$defs": {"T": {
            "type": "object",
            "properties": {
                "v": {"type": ["integer", "boolean"]},
                "l": {"$ref": "#/$defs/T"},
                "r": {"anyOf": [{"$ref": "#/$defs/T"}, {"type": "null"}]}
            },
            "required": ["v"]
        }}
    }"##,
    r##"{"properties": {"e": {"$ref": "#/$defs/E"}},
        "$defs": {"E": {"oneOf": [
            {"type": "integer"},
            {"properties": {"k": {"const": "a"}, "e": {"$ref": "#/$defs/E"}}, "required": ["k"]},
            {"properties": {"k": {"const": "b"}, "e": {"$ref": "#/$defs/E"}}, "required": ["k"]},
            {"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "boolean"}]}}
        ]}}
    }"##,
];
/// What components are taken to export.
const TYPES: &str = include_str!("../../fuzz/types.wit");
/// Magic, version and layer.
const HEADER: &[u8] = b"\0asm\x0d\0\x01\0";
/// Where the config is said to be; paths in it lead to nothing.
const CONFIG: &str = "/nonexistent/portcullis.toml";
/// Results that every schema is tried with.
const RESULTS: [&str; 4] =
    ["null", r#"{"a": {"a": [1, "x"]}}"#, r#"[[0.5], {}]"#, r#""2020-02-30""#];

static INPUTS_LOADED: LazyLock<Vec<Input>> =
    LazyLock::new(|| INPUTS.iter().map(|schema| loaded(schema, "f")).collect());
static READ: LazyLock<Read> = LazyLock::new(|| {
    let mut resolve = Resolve::default();
    let world = resolve
        .push_str("types.wit", TYPES)
        .and_then(|package| resolve.select_world(&[package], None));
    let read = world.map(|world| wit::read_world(&resolve, world));
    let Ok(Ok(read)) = read else { panic!("{read:?}") };
    read
});
static FUNCTIONS_LOADED: LazyLock<Vec<(&Function, Input)>> = LazyLock::new(|| {
    let functions = READ.functions.iter();
    let schema = |function| wit::input_schema(function).to_string();
    functions.map(|function| (function, loaded(&schema(function), "f"))).collect()
});

fn loaded(schema: &str, tool: &str) -> Input {
    match Input::load(schema, tool, Style::default(), &Bounds::default()) {
        Ok(input) => input,
        Err(refused) => panic!("{refused}"),
    }
}

fn styles() -> [Style; 2] {
    [Style::default(), Style { refs: Refs::Inline, titles: false }]
}

/// A line of arguments, and their schema after it; without one they are for several schemas and
/// functions.
///
/// # Panics
/// If arguments are accepted that are not valid, or are not accepted again as they are.
pub fn arguments(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let (arguments, schema) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(Value::Object(arguments)) = strict_json(arguments) else { return };
    if !schema.trim().is_empty() {
        for style in styles() {
            if let Ok(input) = Input::load(schema, "f", style, &Bounds::default()) {
                checked(&input, &arguments);
            }
        }
        return;
    }
    for input in &*INPUTS_LOADED {
        checked(input, &arguments);
    }
    for (function, input) in &*FUNCTIONS_LOADED {
        if let Some(checked) = checked(input, &arguments) {
            decoded(function, input, &checked);
        }
    }
}

fn checked(input: &Input, arguments: &Map<String, Value>) -> Option<Map<String, Value>> {
    let checked = match input.check(arguments.clone()) {
        Ok(checked) => checked,
        Err(mismatch) => {
            is_told(&mismatch);
            return None;
        }
    };
    let value = Value::Object(checked.as_map().clone());
    assert!(compiled(input.published()).is_valid(&value), "{value} is not valid");
    let again = input.check(checked.as_map().clone());
    assert_eq!(again.as_ref(), Ok(&checked), "checked again");
    assert_eq!(strict_json(&checked.to_json()).as_ref(), Ok(&value), "written");
    Some(checked.as_map().clone())
}

/// What is decoded is written so that the same is decoded.
fn decoded(function: &Function, input: &Input, arguments: &Map<String, Value>) {
    let values = match wit::decode_arguments(function, arguments, "f") {
        Ok(values) => values,
        Err(mismatch) => return is_told(&mismatch),
    };
    let written = function.parameters.iter().zip(&values).map(|(parameter, value)| {
        let json = wit::encode(&parameter.ty, value).map(|json| strict_json(&json));
        let Ok(Ok(json)) = json else { panic!("{value:?} is written as {json:?}") };
        (parameter.name.clone(), json)
    });
    let written: Map<_, _> = written.collect();
    let Some(again) = checked(input, &written) else { panic!("{written:?} is not accepted") };
    assert_eq!(wit::decode_arguments(function, &again, "f"), Ok(values), "decoded again");
}

/// A line with a result, one with a schema, and one with an exact schema; the last two can be left
/// out.
///
/// # Panics
/// If a result is accepted that is not valid or that another reader reads in another way, or one
/// is refused that is valid.
pub fn provider_json(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut lines = text.splitn(3, '\n');
    let result = lines.next().unwrap_or_default();
    let schema = lines.next().filter(|schema| !schema.is_empty()).unwrap_or("{}");
    let bounds = Bounds::default();
    let Ok(output) = Output::load(schema, "f", Style::default(), &bounds) else { return };
    verified(&output, result);
    let Some(exact) = lines.next() else { return };
    match output.verify_exact(result, exact, &bounds) {
        Ok((verified, exact)) => {
            assert_eq!(output.verify(result).as_ref(), Ok(&verified), "without the exact schema");
            let Value::Object(exact) = exact else { panic!("{exact} is no object") };
            let whole = Value::Object(verified.structured().to_map());
            assert!(compiled(&exact).is_valid(&whole), "{whole} is not valid");
        }
        Err(unverified) => drop(unverified.to_string()),
    }
}

fn verified(output: &Output, result: &str) {
    match output.verify(result) {
        Ok(verified) => {
            let read: Value = match serde_json::from_str(result) {
                Ok(read) => read,
                Err(error) => panic!("another reader says: {error}"),
            };
            assert_eq!(verified.json(), read.to_string(), "another reader");
            assert_eq!(keys(&read), colons(result), "a key is given twice");
            let whole = Value::Object(verified.structured().to_map());
            assert!(compiled(output.published()).is_valid(&whole), "{whole} is not valid");
        }
        Err(Unverified::Mismatch(mismatch)) => {
            is_told(&mismatch);
            let Ok(read) = serde_json::from_str::<Value>(result) else { panic!("it is no JSON") };
            let wrapped = || Value::Object(Map::from_iter([("result".to_owned(), read.clone())]));
            let whole = if output.wraps() { wrapped() } else { read.clone() };
            assert!(
                asserts_encodings(output.published())
                    || !compiled(output.published()).is_valid(&whole),
                "{whole} is valid, and is refused: {mismatch}"
            );
        }
        Err(other) => drop(other.to_string()),
    }
}

/// Keys in a value, at all levels.
fn keys(value: &Value) -> usize {
    match value {
        Value::Object(entries) => entries.len() + entries.values().map(keys).sum::<usize>(),
        Value::Array(items) => items.iter().map(keys).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Colons in JSON text that are not in strings: one for each key that is written.
fn colons(json: &str) -> usize {
    let (mut colons, mut is_string, mut is_escaped) = (0, false, false);
    for byte in json.bytes() {
        match byte {
            _escaped if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            b':' if !is_string => colons += 1,
            _other => {}
        }
    }
    colons
}

/// A component's bytes, and what its descriptor section holds.
///
/// # Panics
/// If what was read is not written as it was, or a tool's schema is published that is none.
pub fn descriptor(input: &[u8]) {
    drop(Said::read(input));
    let mut component = HEADER.to_vec();
    CustomSection { name: SECTION.into(), data: input.into() }.append_to(&mut component);
    let said = match Said::read(&component) {
        Ok(Some(said)) => said,
        Ok(None) => panic!("the section is not found"),
        Err(bad) => return drop(bad.to_string()),
    };
    let mut written = HEADER.to_vec();
    if said.append_to(&mut written).is_ok() {
        assert_eq!(Said::read(&written).as_ref(), Ok(&Some(said.clone())), "written");
    }
    let mut read = READ.clone();
    if let Err(unfit) = said.apply(&mut read) {
        unfit.iter().for_each(|unfit| drop(unfit.to_string()));
        return;
    }
    read.refuse_same_names();
    for function in &read.functions {
        let descriptor = typed_descriptor(function, &said.tool(function));
        for schema in descriptor.output.iter().chain([&descriptor.input]) {
            published(schema);
        }
        drop(descriptor.compile(&function.tool_name, Style::default(), &Bounds::default()));
    }
}

/// A schema's text.
///
/// # Panics
/// If something is published that is no schema.
pub fn schema_bounds(input: &[u8]) {
    if let Ok(schema) = std::str::from_utf8(input) {
        published(schema);
    }
}

fn published(schema: &str) {
    for style in styles() {
        match Input::load(schema, "f", style, &Bounds::default()) {
            Ok(input) => {
                compiled(input.published());
            }
            Err(refused) => drop(refused.to_string()),
        }
        match Output::load(schema, "f", style, &Bounds::default()) {
            Ok(output) => RESULTS.iter().for_each(|result| verified(&output, result)),
            Err(refused) => drop(refused.to_string()),
        }
    }
}

/// The text of a config.
///
/// # Panics
/// If an error is not in one line, or names a place that is not in the text.
pub fn config(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let error = match config::parse(Path::new(CONFIG), text, &[]) {
        Ok(_) => return,
        Err(error) => error,
    };
    assert_eq!(error.to_string().lines().count(), 1, "{error}");
    let ConfigError::Text { line, column, .. } = error else { panic!("{error}") };
    let found = text.split('\n').nth(line - 1).map(|line| line.chars().count() + 1);
    assert!(found.is_some_and(|columns| (1..=columns).contains(&column)), "{line}:{column}");
}

/// As another reader of the schema compiles it.
fn compiled(schema: &Map<String, Value>) -> Validator {
    let schema = Value::Object(schema.clone());
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(PatternOptions::regex())
        .should_validate_formats(true)
        .build(&schema)
        .unwrap_or_else(|error| panic!("{schema} is no schema: {error}"))
}

/// Whether a schema has what [`compiled`] does not look at.
fn asserts_encodings(schema: &Map<String, Value>) -> bool {
    Value::Object(schema.clone()).to_string().contains("\"contentEncoding\"")
}

fn is_told(mismatch: &Mismatch) {
    let text = mismatch.to_string();
    assert!(clean::is_clean(&text) && text.len() <= 2048, "{text:?}");
    assert!(mismatch.errors().next().is_some(), "{text}");
}

#[cfg(test)]
mod tests {
    /// The seeds, and inputs that were found to break something.
    #[expect(clippy::disallowed_methods, reason = "tests read files")]
    fn each_input(target: &str, run: fn(&[u8])) {
        for of in ["seeds", "regressions"] {
            let directory = format!("{}/../fuzz/{of}/{target}", env!("CARGO_MANIFEST_DIR"));
            let files = match std::fs::read_dir(directory) {
                Err(_) if of == "regressions" => continue,
                files => files.unwrap(),
            };
            for file in files {
                let file = file.unwrap().path();
                let input = std::fs::read(&file).unwrap();
                let held = std::panic::catch_unwind(|| run(&input));
                assert!(held.is_ok(), "{}", file.display());
            }
        }
    }

    #[test]
    fn arguments_that_were_found() {
        each_input("arguments", super::arguments);
    }

    #[test]
    fn results_that_were_found() {
        each_input("provider_json", super::provider_json);
    }

    #[test]
    fn descriptors_that_were_found() {
        each_input("descriptor", super::descriptor);
    }

    #[test]
    fn schemas_that_were_found() {
        each_input("schema_bounds", super::schema_bounds);
    }

    #[test]
    fn configs_that_were_found() {
        each_input("config", super::config);
    }
}
