//! The recorded tools, written again with the Python SDK: python/golden.py has each with the
//! annotation that was recorded, and gives what it gave.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use libtest_mimic::{Completion, Failed};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::comparison::Comparison;
use super::deviations::Deviations;
use super::recorded::{self, Tool};
use crate::harness::{
    Server, checkout, ended, note, path_with, program, python_builder, skipped, state,
};

/// What has no form in Python, and why.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Formless {
    /// Tools, by why.
    tools: BTreeMap<String, Vec<String>>,
    /// Why, by `tool/case`.
    calls: BTreeMap<String, String>,
}

const TABLE: &str = "tests/golden/python/deviations.json";
const OF_ALL: &str = "tests/golden/provider_deviations.json";

pub(super) fn recorded_tools_agree_in_python() -> Result<Completion, Failed> {
    let component = match python_builder() {
        Ok(programs) => built(&programs),
        Err(why) => return skipped("the recorded tools in Python", &why),
    };
    let formless: Formless = serde_json::from_str(include_str!("python/formless.json"))
        .unwrap_or_else(|error| panic!("tests/golden/python/formless.json: {error}"));
    let tools = recorded::tools();
    formless.know(&tools);
    let tools: Vec<&Tool> = tools.iter().filter(|tool| formless.has_form(&tool.id)).collect();
    let own = Deviations::read(TABLE, include_str!("python/deviations.json"));
    let of_all = Deviations::read(OF_ALL, include_str!("provider_deviations.json"));
    let deviations = own.instead_of(of_all, |place| formless.has_form(place));
    let mut comparison = Comparison::by("Python", TABLE, deviations);

    let mut server = served(&component);
    let mut definitions = definitions(&mut server);
    for tool in &tools {
        let definition = definitions.remove(&tool.id);
        let definition = definition.unwrap_or_else(|| panic!("{} is not served", tool.id));
        comparison.compare(&tool.id, &tool.definition(), &definition);
        for call in &tool.calls {
            let place = format!("{}/{}", tool.id, call.case);
            if !formless.has_form(&place) {
                continue;
            }
            let result = server.call(&tool.id, call.arguments.clone());
            let result = result.as_object().unwrap_or_else(|| panic!("{place}: {result}"));
            comparison.compare(&place, &call.result(&tool.id), result);
        }
    }
    assert_eq!(definitions.keys().collect::<Vec<_>>(), Vec::<&String>::new(), "and no others");
    comparison.conclude();
    note(format!(
        "golden, Python: {} tools; {} tools and {} calls have no form, each with why in \
         tests/golden/python/formless.json",
        tools.len(),
        formless.tools.values().map(Vec::len).sum::<usize>(),
        formless.calls.len()
    ));
    Ok(Completion::Completed)
}

/// The component of golden.py. Its id is that of the Rust one, since it is part of what is said.
fn built(programs: &Path) -> PathBuf {
    let place = state("golden-python");
    for file in ["golden.py", "weather_types.py", "pyproject.toml"] {
        let from = checkout().join("tests/golden/python").join(file);
        std::fs::copy(&from, place.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    }
    let mut command = program();
    command.args(["build", ".", "-o", "golden-guest.wasm", "--json"]);
    let run = ended(command.current_dir(&place).env("PATH", path_with(programs)));
    assert_eq!(run.status, 0, "{}", run.stderr);
    place.join("golden-guest.wasm")
}

fn served(component: &Path) -> Server {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let config = directory.path().join("portcullis.toml");
    // The scheme of the recorded links is the server's own.
    let text = format!(
        "[content]\nlink_schemes = [\"https\", \"http\", \"memo\"]\n\
         [components.golden-guest]\npath = {:?}\n",
        component.display().to_string()
    );
    std::fs::write(&config, text).expect("the temporary directory can be written");
    Server::start(&["--config".as_ref(), config.as_os_str()]).keeping(directory)
}

/// What is said of each tool, by its name and without it.
fn definitions(server: &mut Server) -> BTreeMap<String, Map<String, Value>> {
    let (mut found, mut page) = (BTreeMap::new(), json!({}));
    loop {
        let mut answer = server.request("tools/list", page);
        let Value::Array(tools) = answer["result"]["tools"].take() else { panic!("{answer}") };
        for tool in tools {
            let Value::Object(mut tool) = tool else { panic!("no definition: {tool}") };
            let name = tool.shift_remove("name").unwrap_or_default();
            found.insert(name.as_str().unwrap_or_default().to_owned(), tool);
        }
        match answer["result"]["nextCursor"].take() {
            Value::String(cursor) => page = json!({ "cursor": cursor }),
            _ => return found,
        }
    }
}

impl Formless {
    /// Whether a tool, or a call as `tool/case`, can be written in Python.
    fn has_form(&self, place: &str) -> bool {
        let tool = place.split('/').next().unwrap_or_default();
        let is_formless = self.tools.values().flatten().any(|formless| formless == tool);
        !is_formless && !self.calls.contains_key(place)
    }

    /// Fails on what is said of nothing that was recorded.
    fn know(&self, tools: &[Tool]) {
        for id in self.tools.values().flatten() {
            assert!(tools.iter().any(|tool| tool.id == *id), "{id} is not recorded");
        }
        for place in self.calls.keys() {
            let is_recorded = tools.iter().any(|tool| {
                tool.calls.iter().any(|call| format!("{}/{}", tool.id, call.case) == *place)
            });
            assert!(is_recorded, "{place} is not recorded");
        }
    }
}
