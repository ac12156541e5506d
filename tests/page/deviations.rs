//! The one table of what is not as recorded, each row with the rule that allows it and with the
//! value that is expected, written by hand.

use serde::Deserialize;
use serde_json::Value;

/// The key of a row about a tool that does not compile instead.
pub(super) const COMPILES: &str = "compiles";

/// A row.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Deviation {
    pub(super) tool: String,
    /// The recorded call; none: the definition of the tool.
    case: Option<String>,
    /// The key of the definition or of the result.
    pub(super) key: String,
    /// An id of golden/rules.json, or `design ` and the key of a line of it.
    pub(super) rule: String,
    /// In words.
    #[serde(rename = "because")]
    _because: String,
    /// None: the key must be absent.
    pub(super) expected: Option<Value>,
}

/// The table.
pub(super) struct Deviations(Vec<Deviation>);

impl Deviations {
    pub(super) fn read() -> Self {
        let rows: Vec<Deviation> = serde_json::from_str(include_str!("deviations.json"))
            .unwrap_or_else(|error| panic!("tests/page/deviations.json: {error}"));
        Self(rows)
    }

    pub(super) fn all(&self) -> &[Deviation] {
        &self.0
    }

    /// The rows of a tool's definition, or of one of its calls.
    pub(super) fn of(&self, tool: &str, case: Option<&str>) -> impl Iterator<Item = &Deviation> {
        self.0.iter().filter(move |row| row.tool == tool && row.case.as_deref() == case)
    }

    pub(super) fn of_key(&self, key: &str) -> impl Iterator<Item = &Deviation> {
        self.0.iter().filter(move |row| row.key == key)
    }

    pub(super) fn find(&self, tool: &str, case: Option<&str>, key: &str) -> Option<&Deviation> {
        self.of(tool, case).find(|row| row.key == key)
    }
}

impl Deviation {
    /// Where it is, for an error.
    pub(super) fn place(&self) -> String {
        let case = self.case.as_deref().map(|case| format!("/{case}")).unwrap_or_default();
        format!("{}{case}/{}", self.tool, self.key)
    }
}
