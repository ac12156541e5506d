//! The tools of the documentation of structured output, recorded from the Python MCP SDK, and
//! ours: equal, but for what deviations.json lists.
//!
//! A recorded value that is not equal and not listed fails, and so does a listed one that is
//! equal after all.

mod comparison;
mod deviations;
mod ordered;
mod recorded;
mod rules;

use std::collections::BTreeMap;

use libtest_mimic::Trial;
use serde_json::{Map, Value, json};

use crate::harness::{Server, checkout, named, trials as named_trials, weather};
use comparison::Comparison;
use deviations::Deviations;

pub(crate) use ordered::same;
pub(crate) use recorded::Report;
pub(crate) use rules::allow;

pub(crate) fn trials() -> Vec<Trial> {
    named_trials(
        "page",
        named![
            the_recorded_tools_are_served_and_no_others,
            tools_and_results_equal_the_recorded_ones,
            every_deviation_has_a_rule_that_allows_it,
            a_refusal_repeats_no_value_that_the_guest_sent,
            a_type_without_a_schema_does_not_compile,
        ],
    )
}

/// Our own: it has no counterpart on the page, which only points to such results.
pub(crate) const BESIDE_THE_PAGE: &str = "get_weather_with_meta";

/// A result of a recorded call as it is expected: as recorded, but for the deviations.
pub(crate) struct Expected {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    pub(crate) result: Value,
}

/// All recorded calls, with the results that are expected of ours.
pub(crate) fn expected_calls() -> Vec<Expected> {
    let deviations = Deviations::read();
    let tools = recorded::tools();
    let served = tools.iter().filter(|tool| !rules::is_refused_at_compile_time(&tool.id));
    served
        .flat_map(|tool| tool.calls.iter().map(move |call| (tool, call)))
        .map(|(tool, call)| {
            let mut result = call.result_with_its_report(&tool.id);
            for deviation in deviations.of(&tool.id, Some(&call.case)) {
                match &deviation.expected {
                    Some(value) => result.insert(deviation.key.clone(), value.clone()),
                    None => result.shift_remove(&deviation.key),
                };
            }
            let (tool, arguments) = (tool.id.clone(), call.arguments.clone());
            Expected { tool, arguments, result: Value::Object(result) }
        })
        .collect()
}

fn the_recorded_tools_are_served_and_no_others() {
    let tools = recorded::tools();
    let mut recorded: Vec<&str> = tools
        .iter()
        .map(|tool| tool.id.as_str())
        .filter(|id| !rules::is_refused_at_compile_time(id))
        .chain([BESIDE_THE_PAGE])
        .collect();
    let entries = served_entries(&mut Server::start(&[weather()]));
    let mut served: Vec<&str> = entries.keys().map(String::as_str).collect();
    recorded.sort_unstable();
    served.sort_unstable();
    assert_eq!(served, recorded);
}

fn tools_and_results_equal_the_recorded_ones() {
    let mut server = Server::start(&[weather()]);
    let entries = served_entries(&mut server);
    let mut comparison = Comparison::new(Deviations::read());
    for tool in recorded::tools() {
        if rules::is_refused_at_compile_time(&tool.id) {
            continue;
        }
        let entry = entries.get(&tool.id).cloned().unwrap_or_default();
        comparison.compare(&tool.id, None, tool.definition(), &entry);
        for call in &tool.calls {
            let result = server.call(&tool.id, call.arguments.clone());
            let Value::Object(result) = result else { panic!("no object: {result}") };
            let recorded = call.result_with_its_report(&tool.id);
            comparison.compare(&tool.id, Some(&call.case), &recorded, &result);
        }
    }
    assert_eq!(server.beside_answers(), []);
    comparison.conclude();
}

/// The definitions that a client gets, by name and without it.
fn served_entries(server: &mut Server) -> BTreeMap<String, Map<String, Value>> {
    let answer = server.request("tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().cloned().unwrap_or_default();
    tools
        .into_iter()
        .map(|tool| {
            let Value::Object(mut entry) = tool else { panic!("no object: {tool}") };
            let Some(Value::String(name)) = entry.shift_remove("name") else { panic!("no name") };
            (name, entry)
        })
        .collect()
}

fn every_deviation_has_a_rule_that_allows_it() {
    for deviation in Deviations::read().all() {
        if let Err(fault) = rules::allow(&deviation.rule) {
            panic!("{}: {fault}", deviation.place());
        }
    }
}

fn a_refusal_repeats_no_value_that_the_guest_sent() {
    let mut server = Server::start(&[weather()]);
    let result = server.call("get_weather_bad", json!({ "city": "London" }));
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(result.get("structuredContent"), None);
    for sent in ["16.2", "Overcast"] {
        assert!(!result.to_string().contains(sent), "{result}");
    }
}

/// A class without hints has no counterpart in Rust but a type without a schema. A test of the
/// SDK compiles one, and keeps what the compiler says.
fn a_type_without_a_schema_does_not_compile() {
    let deviations = Deviations::read();
    let recorded: Vec<String> = recorded::tools().into_iter().map(|tool| tool.id).collect();
    for (tool, deviates) in rules::REFUSED_AT_COMPILE_TIME {
        assert!(recorded.iter().any(|id| id == tool), "{tool} is not recorded");
        let listed = deviations.find(tool, None, deviations::COMPILES).is_some();
        assert_eq!(listed, *deviates, "{tool}");
    }
    for listed in deviations.of_key(deviations::COMPILES) {
        assert!(rules::is_refused_at_compile_time(&listed.tool), "{}", listed.place());
    }
    let code = read("no_output_schema.rs");
    assert!(code.contains("fn get_station(name: String) -> Station {"), "{code}");
    let said = read("no_output_schema.stderr");
    for words in [
        "error[E0277]: `Station` has no output schema",
        "add `#[derive(serde::Serialize, schemars::JsonSchema)]` to ",
    ] {
        assert!(said.contains(words), "{said}");
    }
}

/// A file of the SDK's tests of what does not compile.
fn read(name: &str) -> String {
    let file = checkout().join("guest-sdk/rust/tests/compile_fail").join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
