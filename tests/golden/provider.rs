//! The recorded tools as a provider: guest/ sends what their author's SDK would have sent, and
//! gives what they gave.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::comparison::Comparison;
use super::ran::Ran;
use super::recorded::{self, Tool};
use crate::generated::Served;
use crate::harness::{golden, note};

/// What provider.json says to this test; the guest reads the rest.
#[derive(Deserialize)]
struct Forms {
    tools: BTreeMap<String, Form>,
    formless: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct Form {
    #[serde(default)]
    calls: BTreeMap<String, Value>,
}

const TABLE: &str = "tests/golden/provider_deviations.json";

pub(super) fn recorded_tools_agree_as_a_provider() {
    let forms: Forms = serde_json::from_str(include_str!("provider.json"))
        .unwrap_or_else(|error| panic!("tests/golden/provider.json: {error}"));
    let tools = recorded::tools();
    forms.know(&tools);

    // The scheme of the recorded links is the server's own.
    let served = Served::file(golden(), |config| config.rules.link_schemes.push("memo".to_owned()));
    let mut comparison =
        Comparison::new("provider", TABLE, include_str!("provider_deviations.json"));
    let mut unsaid = 0;
    let tools: Vec<&Tool> = tools.iter().filter(|tool| !forms.is_formless(&tool.id)).collect();
    assert_eq!(served.definitions.len(), tools.len(), "these and no others are served");
    for tool in tools {
        let ran = Ran::new(&tool.id, &served);
        comparison.compare(&tool.id, &tool.definition(), &ran.definition_without_name());
        for call in &tool.calls {
            if forms.has_none(&tool.id, &call.case) {
                unsaid += 1;
                continue;
            }
            let result = served.call(&tool.id, &call.arguments);
            let place = format!("{}/{}", tool.id, call.case);
            comparison.compare(&place, &call.result(&tool.id), &result);
        }
    }
    comparison.conclude();
    note(format!(
        "golden, provider: {unsaid} recorded calls give what no provider can, each with why in \
         tests/golden/provider.json"
    ));
    for (why, tools) in &forms.formless {
        note(format!("golden, provider: {} tools have no form: {why}", tools.len()));
    }
}

impl Forms {
    fn is_formless(&self, tool: &str) -> bool {
        self.formless.values().flatten().any(|formless| formless == tool)
    }

    fn has_none(&self, tool: &str, case: &str) -> bool {
        self.tools
            .get(tool)
            .and_then(|form| form.calls.get(case))
            .is_some_and(|call| call["none"].is_string())
    }

    /// Fails on what is said of nothing that was recorded. A tool that nothing is said of is as
    /// recorded, so none is passed over.
    fn know(&self, tools: &[Tool]) {
        let known = |id: &String| {
            tools
                .iter()
                .find(|tool| tool.id == *id)
                .unwrap_or_else(|| panic!("{id} is not recorded"))
        };
        for id in self.formless.values().flatten() {
            assert!(!self.tools.contains_key(id), "{id} has a form: {:?}", known(id).calls.len());
        }
        for (id, form) in &self.tools {
            let tool = known(id);
            for case in form.calls.keys() {
                let is_recorded = tool.calls.iter().any(|call| call.case == *case);
                assert!(is_recorded, "{id}/{case} is not recorded");
            }
        }
    }
}
