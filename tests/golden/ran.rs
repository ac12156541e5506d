//! A recorded tool as it runs here.

use serde_json::{Map, Value};

use super::recorded::Tool;
use crate::generated::Served;

/// A tool, and what its calls gave.
pub(crate) struct Ran {
    pub(crate) id: String,
    pub(crate) definition: Map<String, Value>,
    /// By the number of the recorded call, without those that cannot be made.
    pub(crate) results: Vec<(usize, Map<String, Value>)>,
}

impl Ran {
    /// A tool that was not called yet.
    pub(super) fn new(id: &str, served: &Served) -> Self {
        let definition = served.definition(id).clone();
        Self { id: id.to_owned(), definition, results: Vec::new() }
    }

    /// The recorded tool that it is.
    pub(super) fn of<'t>(&self, tools: &'t [Tool]) -> &'t Tool {
        tools.iter().find(|tool| tool.id == self.id).expect("it was made from one of these")
    }

    pub(super) fn definition_without_name(&self) -> Map<String, Value> {
        let mut definition = self.definition.clone();
        definition.shift_remove("name");
        definition
    }
}
