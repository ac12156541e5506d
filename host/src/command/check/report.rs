//! What `portcullis check` found, and the status that it ends with.

use std::path::PathBuf;

use serde_json::Value;

use crate::catalog::{Catalog, Refused};
use crate::clients::{self, Client, Finding};
use crate::config::Config;
use crate::loading::NotLoaded;
use crate::mcp;

/// Everything that was found.
pub(super) struct Report {
    pub(super) clients: Vec<Client>,
    /// In the order of the config.
    pub(super) components: Vec<Component>,
}

/// A component of the config.
pub(super) struct Component {
    pub(super) id: String,
    pub(super) path: PathBuf,
    pub(super) outcome: Outcome,
}

/// What came of loading it.
pub(super) enum Outcome {
    Loaded {
        digest: String,
        /// What it needs and was not granted; its calls fail.
        lacks: Vec<String>,
        tools: Vec<Tool>,
        refused: Vec<Refused>,
    },
    /// `found`: in a directory, where a server passes it over.
    NotLoaded { found: bool, reason: String },
}

/// A tool that is served.
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) findings: Vec<Finding>,
}

/// What comes of it in clients.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Fine,
    Degraded,
    Rejected,
}

impl Tool {
    pub(super) fn verdict(&self) -> Verdict {
        match self.findings.as_slice() {
            [] => Verdict::Fine,
            findings if findings.iter().any(Finding::rejects) => Verdict::Rejected,
            _degraded => Verdict::Degraded,
        }
    }
}

/// How many there are of what.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) components: usize,
    pub(super) fine: usize,
    pub(super) degraded: usize,
    pub(super) rejected: usize,
    pub(super) refused: usize,
    pub(super) not_loaded: usize,
    pub(super) passed_over: usize,
}

impl Report {
    /// Checks every tool of `catalog`; `faults` has the components that did not load.
    pub(super) fn of(
        config: &Config,
        catalog: &Catalog,
        faults: &[NotLoaded],
        clients: Vec<Client>,
    ) -> Self {
        let definitions = mcp::definitions(catalog);
        let components = config.components.iter().filter_map(|named| {
            let outcome = match faults.iter().find(|fault| fault.id == named.id) {
                Some(fault) => {
                    Outcome::NotLoaded { found: fault.found, reason: fault.fault.to_string() }
                }
                None => loaded(&named.id, catalog, &definitions, &clients)?,
            };
            Some(Component { id: named.id.clone(), path: named.path.clone(), outcome })
        });
        let components = components.collect();
        Self { clients, components }
    }

    /// The exit status: 2 when a component that was named does not load, or none does; 1 when a
    /// tool is refused.
    pub(super) fn status(&self) -> u8 {
        let counts = self.counts();
        if counts.not_loaded > 0 || counts.components == 0 {
            2
        } else {
            u8::from(counts.refused > 0)
        }
    }

    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for component in &self.components {
            match &component.outcome {
                Outcome::Loaded { digest: _, lacks: _, tools, refused } => {
                    counts.components += 1;
                    counts.refused += refused.len();
                    for tool in tools {
                        match tool.verdict() {
                            Verdict::Fine => counts.fine += 1,
                            Verdict::Degraded => counts.degraded += 1,
                            Verdict::Rejected => counts.rejected += 1,
                        }
                    }
                }
                Outcome::NotLoaded { found: true, reason: _ } => counts.passed_over += 1,
                Outcome::NotLoaded { found: false, reason: _ } => counts.not_loaded += 1,
            }
        }
        counts
    }
}

fn loaded(id: &str, catalog: &Catalog, definitions: &Value, clients: &[Client]) -> Option<Outcome> {
    let component = catalog.components().iter().find(|component| *component.id == *id)?;
    let entries = catalog.entries().iter().filter(|entry| *entry.component().id == *id);
    let tools = entries.map(|entry| {
        let mut all = definitions.as_array().into_iter().flatten();
        let definition = all.find(|definition| definition["name"] == entry.name.as_str());
        let findings = definition.map(|definition| clients::check(definition, clients));
        Tool { name: entry.name.clone(), findings: findings.unwrap_or_default() }
    });
    Some(Outcome::Loaded {
        digest: component.digest.clone(),
        lacks: component.lacks().collect(),
        tools: tools.collect(),
        refused: catalog.refused().iter().filter(|tool| tool.component == id).cloned().collect(),
    })
}
