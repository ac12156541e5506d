//! Who asks, as far as the host knows.

use std::sync::Arc;

use crate::config::Scopes;

/// Someone who asks for calls. What they may call was settled when they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// By what their share is counted.
    pub(crate) client: Arc<str>,
    /// Who they proved to be; none: nobody asked them.
    pub(crate) principal: Option<Arc<str>>,
    /// What they may call.
    pub(crate) allowed: Allowed,
}

/// Some tools, by the names that clients know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// Every one.
    All,
    /// These.
    These(Arc<[String]>),
}

impl Caller {
    /// Whoever started this program, and may do what it can.
    pub(crate) fn owner() -> Self {
        Self { client: "owner".into(), principal: None, allowed: Allowed::All }
    }
}

impl Allowed {
    /// What those of `scopes` that `granted` names allow.
    pub(crate) fn by<'a>(scopes: &Scopes, granted: impl Iterator<Item = &'a str>) -> Self {
        let tools = granted.filter_map(|scope| scopes.get(scope)).flatten();
        let tools: Arc<[String]> = tools.cloned().collect();
        if tools.iter().any(|tool| tool == "*") { Self::All } else { Self::These(tools) }
    }

    /// Whether `tool` is one of them.
    pub(crate) fn has(&self, tool: &str) -> bool {
        match self {
            Self::All => true,
            Self::These(tools) => tools.iter().any(|allowed| allowed == tool),
        }
    }
}
