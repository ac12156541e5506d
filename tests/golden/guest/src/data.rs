//! What was recorded, and what provider.json says beside it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

/// Both files.
pub(crate) struct Data {
    recorded: Recorded,
    forms: Forms,
}

#[derive(Deserialize)]
struct Recorded {
    tools: Vec<Tool>,
}

/// A recorded tool.
#[derive(Deserialize)]
pub(crate) struct Tool {
    pub(crate) id: String,
    list_entry: Option<Map<String, Value>>,
    pub(crate) calls: Vec<Call>,
}

/// A recorded call.
#[derive(Deserialize)]
pub(crate) struct Call {
    pub(crate) case: String,
    arguments: Value,
    result: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
struct Forms {
    tools: BTreeMap<String, Form>,
    formless: BTreeMap<String, Vec<String>>,
}

/// What the author of a tool sends in another way than was recorded.
#[derive(Default, Deserialize)]
pub(crate) struct Form {
    pub(crate) input: Option<Value>,
    pub(crate) output: Option<Value>,
    #[serde(default)]
    pub(crate) own_content: bool,
    #[serde(default)]
    calls: BTreeMap<String, Gives>,
}

/// What a call does in another way than was recorded.
#[derive(Default, Deserialize)]
pub(crate) struct Gives {
    /// The arguments as they arrive.
    receives: Option<Value>,
    /// JSON text.
    pub(crate) value: Option<String>,
    pub(crate) full: Option<Full>,
    pub(crate) fails: Option<Fails>,
    pub(crate) stops: Option<Stops>,
}

/// A full result, with the recorded content.
#[derive(Deserialize)]
pub(crate) struct Full {
    /// JSON text.
    pub(crate) value: Option<String>,
    #[serde(default)]
    pub(crate) meta: Map<String, Value>,
    #[serde(default)]
    pub(crate) is_error: bool,
}

/// A failure.
#[derive(Deserialize)]
pub(crate) struct Fails {
    /// Meant for the model, rather than for the log.
    #[serde(default)]
    pub(crate) deliberately: bool,
    pub(crate) message: String,
}

/// The end of the component.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stops {
    Exit,
    Panic,
}

static NO_FORM: Form =
    Form { input: None, output: None, own_content: false, calls: BTreeMap::new() };
static NOTHING_ELSE: Gives =
    Gives { receives: None, value: None, full: None, fails: None, stops: None };

impl Data {
    pub(crate) fn read() -> Self {
        let recorded = serde_json::from_str(include_str!("../../recorded.json"));
        let forms = serde_json::from_str(include_str!("../../provider.json"));
        Self {
            recorded: recorded.unwrap_or_else(|error| panic!("recorded.json: {error}")),
            forms: forms.unwrap_or_else(|error| panic!("provider.json: {error}")),
        }
    }

    /// The tools that have a form.
    pub(crate) fn tools(&self) -> impl Iterator<Item = (&Tool, &Form)> {
        let is_formless =
            |tool: &Tool| self.forms.formless.values().flatten().any(|id| *id == tool.id);
        let tools = self.recorded.tools.iter().filter(move |tool| !is_formless(tool));
        tools.map(|tool| (tool, self.forms.tools.get(&tool.id).unwrap_or(&NO_FORM)))
    }
}

impl Tool {
    /// A key of its entry in the list, if it could be listed.
    pub(crate) fn listed(&self, key: &str) -> Option<&Value> {
        self.list_entry.as_ref()?.get(key)
    }

    /// Whether values were wrapped as `{"result": value}`.
    pub(crate) fn is_wrapped(&self) -> bool {
        let title = self.listed("outputSchema").and_then(|schema| schema["title"].as_str());
        title.is_some_and(|title| title == format!("{}Output", self.id))
    }
}

impl Call {
    /// A key of its result, if it had one.
    pub(crate) fn gave(&self, key: &str) -> Option<&Value> {
        self.result.as_ref()?.get(key)
    }
}

impl Form {
    pub(crate) fn gives(&self, call: &Call) -> &Gives {
        self.calls.get(&call.case).unwrap_or(&NOTHING_ELSE)
    }

    /// The arguments by which a call is known.
    pub(crate) fn received<'c>(&'c self, call: &'c Call) -> &'c Value {
        self.gives(call).receives.as_ref().unwrap_or(&call.arguments)
    }
}
