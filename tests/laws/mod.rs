//! Laws of typed exports, with random types and values that go through components and the
//! canonical ABI.
//!
//! Each function gives back its argument, so what a client sends must come back. The numbers are
//! the same in every run; `PORTCULLIS_LAW_TYPES` and `PORTCULLIS_LAW_SEED` ask for others.

mod bytes;
pub(crate) mod random;
pub(crate) mod texts;
mod types;
mod values;

use std::sync::LazyLock;

use libtest_mimic::Trial;
use serde_json::{Map, Value as Json, json};

use crate::generated::json::{is_object, json as json_of};
use crate::generated::{Gives, Package, Served, Ty};
use crate::harness::{named, note, trials as named_trials};
use bytes::bytes_come_out_whatever_goes_in;
use random::Random;
use types::Types;

/// Functions of one component.
const FUNCTIONS: usize = 100;
/// Types when nothing else is asked for.
const TYPES: usize = 200;
/// Values of each type.
const VALUES: usize = 4;
/// Options that may be left out, each two core values: parameters of more than 16 go through
/// memory, where an echo finds its argument.
const PADDING: usize = 9;

pub(crate) fn trials() -> Vec<Trial> {
    named_trials(
        "laws",
        named![what_is_sent_comes_back_and_validates, bytes_come_out_whatever_goes_in],
    )
}

/// A random type, and the tool that echoes its values.
pub(crate) struct Echo {
    pub(crate) tool: String,
    pub(crate) ty: Ty,
    interface: String,
}

/// An argument of an echo, and the structured content that it gives.
pub(crate) struct Case {
    pub(crate) arguments: Json,
    pub(crate) structured: Json,
}

/// The echoes, served.
pub(crate) struct Echoes {
    pub(crate) echoes: Vec<Echo>,
    pub(crate) served: Served,
}

fn what_is_sent_comes_back_and_validates() {
    let mut values = 0;
    for Echoes { echoes, served } in all() {
        for echo in echoes {
            let definition = served.definition(&echo.tool);
            let input = validator(&definition["inputSchema"]);
            let output = validator(&definition["outputSchema"]);
            let is_wrapped = definition.get("_meta") == Some(&json!({"portcullis/wrapped": true}));
            assert_eq!(is_wrapped, !is_object(&echo.ty), "{}", echo.interface);
            for case in echo.cases() {
                let place = || format!("{}\n{}", echo.interface, case.arguments);
                let result = served.call(&echo.tool, &case.arguments);
                assert_eq!(result["isError"], false, "{result:?}\n{}", place());
                let structured = &result["structuredContent"];
                // Compared as text, which tells 1 from 1.0, and one order of keys from another.
                assert_eq!(structured.to_string(), case.structured.to_string(), "{}", place());
                for (validator, value) in [(&input, &case.arguments), (&output, structured)] {
                    if let Err(error) = validator.validate(value) {
                        panic!("{error}\n{definition:?}\n{}", place());
                    }
                }
                let value = if is_wrapped { &structured["result"] } else { structured };
                if let Err(fault) = texts::agree(&blocks(&result), value) {
                    panic!("{fault}\n{}", place());
                }
                values += 1;
            }
        }
    }
    note(format!("laws: {values} values came back as they were sent, and validate"));
}

/// All echoes, made once for a run.
pub(crate) fn all() -> &'static [Echoes] {
    static ALL: LazyLock<Vec<Echoes>> = LazyLock::new(|| {
        let types = asked_for("PORTCULLIS_LAW_TYPES").unwrap_or(TYPES as u64) as usize;
        let mut random = Random::new(seed());
        let echoes: Vec<Echo> = (0..types).map(|index| Echo::new(&mut random, index)).collect();
        let mut echoes = echoes.into_iter().peekable();
        let mut all = Vec::new();
        while echoes.peek().is_some() {
            all.push(serve(echoes.by_ref().take(FUNCTIONS).collect()));
        }
        all
    });
    &ALL
}

fn seed() -> u64 {
    asked_for("PORTCULLIS_LAW_SEED").unwrap_or(7)
}

fn asked_for(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{variable} is no number: {value}")))
}

fn serve(echoes: Vec<Echo>) -> Echoes {
    let mut wit = "package laws:echoes;\n".to_owned();
    for echo in &echoes {
        wit.push_str(&echo.interface);
    }
    wit.push_str("world w {\n");
    for echo in &echoes {
        wit.push_str(&format!("export i-{};\n", echo.tool.replace('_', "-")));
    }
    wit.push_str("}\n");
    let component = Package::parse(&wit).component(|_| Gives::Parameter(0));
    Echoes { echoes, served: Served::component(&component) }
}

impl Echo {
    fn new(random: &mut Random, index: usize) -> Self {
        let written = Types::any(random);
        let name = format!("echo-n{index}");
        let padding: String =
            (0..PADDING).map(|index| format!(", pad-n{index}: option<bool>")).collect();
        let interface = format!(
            "interface i-{name} {{\n{}\n{name}: func(it: {}{padding}) -> {};\n}}\n",
            written.definitions, written.text, written.text
        );
        Self { tool: name.replace('-', "_"), ty: written.ty, interface }
    }

    /// Random arguments and what they give, the same at every call.
    pub(crate) fn cases(&self) -> Vec<Case> {
        let index = self
            .tool
            .bytes()
            .fold(seed(), |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        let mut random = Random::new(index);
        let case = |_| {
            let value = json_of(&self.ty, &values::any(&mut random, &self.ty));
            let structured =
                if is_object(&self.ty) { value.clone() } else { json!({ "result": value }) };
            Case { arguments: json!({ "it": value }), structured }
        };
        (0..VALUES).map(case).collect()
    }
}

fn validator(schema: &Json) -> jsonschema::Validator {
    jsonschema::draft202012::new(schema).unwrap_or_else(|error| panic!("{error}: {schema}"))
}

/// The texts of a result, which has nothing else.
fn blocks(result: &Map<String, Json>) -> Vec<&str> {
    let blocks = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    blocks
        .iter()
        .map(|block| block["text"].as_str().unwrap_or_else(|| panic!("no text: {block}")))
        .collect()
}
