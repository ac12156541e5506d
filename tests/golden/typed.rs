//! The recorded tools as typed exports: components that are generated, one for the first recorded
//! call of every tool, one for the second, and so on, whose functions give what was recorded.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::comparison::Comparison;
use super::ran::Ran;
use super::recorded::{self, Call, Tool};
use crate::generated::{Gives, Package, Served, section, wave};
use crate::harness::note;

/// What typed.json says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Forms {
    #[serde(rename = "about")]
    _about: String,
    calls: BTreeMap<String, BTreeMap<String, String>>,
    formless: BTreeMap<String, Vec<String>>,
}

/// What a function does in one call.
enum Does<'f> {
    Gives(&'f str),
    Traps,
    IsNotCalled,
    CannotSay,
}

const WIT: &str = include_str!("typed.wit");
/// What WIT cannot say, as a descriptor section has it (docs/overlay.md).
const OVERLAY: &str = include_str!("typed_overlay.json");
const TABLE: &str = "tests/golden/typed_deviations.json";

pub(super) fn recorded_tools_agree_as_typed_exports() {
    let forms = Forms::read();
    let tools = recorded::tools();
    forms.know(&tools, &package(&tools));

    let mut comparison = Comparison::new("typed", TABLE, include_str!("typed_deviations.json"));
    let mut unsaid = 0;
    for ran in ran() {
        let tool = ran.of(&tools);
        comparison.compare(&tool.id, &as_docs(tool.definition()), &ran.definition_without_name());
        for (index, result) in &ran.results {
            let call = &tool.calls[*index];
            comparison.compare(
                &format!("{}/{}", tool.id, call.case),
                &call.result(&tool.id),
                result,
            );
        }
        unsaid += tool.calls.len() - ran.results.len();
    }
    comparison.conclude();
    note(format!(
        "golden, typed: {unsaid} recorded calls give what no typed function can, each with why in \
         tests/golden/typed.json"
    ));
    for (why, tools) in &forms.formless {
        note(format!("golden, typed: {} tools have no form: {why}", tools.len()));
    }
}

/// Every tool that has a form, called as it was recorded; once for a run.
pub(super) fn ran() -> &'static [Ran] {
    static RAN: LazyLock<Vec<Ran>> = LazyLock::new(run);
    &RAN
}

fn run() -> Vec<Ran> {
    let (forms, tools) = (Forms::read(), recorded::tools());
    let package = package(&tools);
    let mut ran: Vec<Ran> = Vec::new();
    let rounds = tools.iter().map(|tool| tool.calls.len()).max().unwrap_or(0).max(1);
    for round in 0..rounds {
        let served = Served::component(&component(&package, &forms, &tools, round));
        for tool in tools.iter().filter(|tool| !forms.is_formless(&tool.id)) {
            if round == 0 {
                ran.push(Ran::new(&tool.id, &served));
            }
            let Some(call) = tool.calls.get(round) else { continue };
            if let Does::CannotSay = forms.does(tool, call) {
                continue;
            }
            let ran = ran.iter_mut().find(|ran| ran.id == tool.id).expect("all are in the first");
            ran.results.push((round, served.call(&tool.id, &call.arguments)));
        }
    }
    ran
}

/// The package of all forms, with what was recorded as docs.
fn package(tools: &[Tool]) -> Package {
    let mut package = Package::parse(WIT);
    for (_, interface) in package.resolve.interfaces.iter_mut() {
        for function in interface.functions.values_mut() {
            let tool = tools.iter().find(|tool| tool.id == tool_name(&function.name));
            function.docs.contents = tool.and_then(Tool::description);
        }
    }
    package
}

/// The functions, each of which does what the recorded call of this number needs.
fn component(package: &Package, forms: &Forms, tools: &[Tool], round: usize) -> Vec<u8> {
    let component = package.component(|function| {
        let id = tool_name(&function.name);
        let tool = tools.iter().find(|tool| tool.id == id).expect("all forms are of tools");
        let Some(call) = tool.calls.get(round) else { return Gives::Trap };
        match forms.does(tool, call) {
            Does::Gives(text) => {
                let ty = package.result(function).expect("all forms have results");
                Gives::Value(wave::parse(&ty, text))
            }
            Does::Traps | Does::IsNotCalled | Does::CannotSay => Gives::Trap,
        }
    });
    [component, section("portcullis:descriptor", OVERLAY.as_bytes())].concat()
}

/// A recorded definition, whose description ends where its text does: docs have no end of their
/// own.
fn as_docs(mut definition: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::String(text)) = definition.get_mut("description") {
        text.truncate(text.trim_end().len());
    }
    definition
}

fn tool_name(function: &str) -> String {
    function.replace('-', "_")
}

impl Forms {
    fn read() -> Self {
        serde_json::from_str(include_str!("typed.json"))
            .unwrap_or_else(|error| panic!("tests/golden/typed.json: {error}"))
    }

    fn is_formless(&self, tool: &str) -> bool {
        self.formless.values().flatten().any(|formless| formless == tool)
    }

    fn does<'f>(&'f self, tool: &Tool, call: &'f Call) -> Does<'f> {
        let said = self.calls.get(&tool.id).and_then(|calls| calls.get(&call.case));
        match (said.map(String::as_str), call.wave.as_deref()) {
            (Some("!trap"), _) => Does::Traps,
            (Some("!refused"), _) => Does::IsNotCalled,
            (Some(said), _) if said.starts_with("!none ") => Does::CannotSay,
            (Some(said), _) => Does::Gives(said),
            (None, Some(wave)) => Does::Gives(wave),
            (None, None) => panic!(
                "{}/{}: no wave is recorded, and tests/golden/typed.json does not say what the \
                 function does",
                tool.id, call.case
            ),
        }
    }

    /// Fails on a tool that is neither in typed.wit nor listed as formless, or is both, and on
    /// what is said of nothing that was recorded.
    fn know(&self, tools: &[Tool], package: &Package) {
        let written: Vec<String> =
            package.functions().iter().map(|(_, function)| tool_name(&function.name)).collect();
        for tool in tools {
            let has_form = written.contains(&tool.id);
            let listed = self.formless.values().flatten().filter(|id| **id == tool.id).count();
            assert_eq!(usize::from(!has_form), listed, "{}: forms, and listings without", tool.id);
        }
        let known = |id: &String| tools.iter().find(|tool| tool.id == *id);
        for id in written.iter().chain(self.formless.values().flatten()) {
            assert!(known(id).is_some(), "{id} is not recorded");
        }
        for (id, calls) in &self.calls {
            let tool = known(id).unwrap_or_else(|| panic!("{id} is not recorded"));
            for case in calls.keys() {
                let is_recorded = tool.calls.iter().any(|call| call.case == *case);
                assert!(is_recorded && !self.is_formless(id), "{id}/{case} is not called");
            }
        }
    }
}
