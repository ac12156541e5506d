//! Who asks, as far as the host knows, and what they may ask for.

use std::sync::{Arc, LazyLock};

use crate::catalog::Entry;
use crate::component::Component;
use crate::config::Scopes;

/// Someone who asks for calls. What they may call was settled when they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    /// By what their share is counted.
    pub(crate) client: Arc<str>,
    /// Who they proved to be; none: nobody asked them.
    pub(crate) principal: Option<Arc<str>>,
    /// What they may call.
    pub(crate) allowed: Allowed,
}

/// What a client may ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// Everything.
    #[default]
    All,
    /// Tools, by the names that clients know, and all that a component has, as `ID:*`.
    These(Arc<[String]>),
}

impl Default for Identity {
    /// Whoever started this program, and may do what it can.
    fn default() -> Self {
        static CLIENT: LazyLock<Arc<str>> = LazyLock::new(|| "owner".into());
        Self { client: CLIENT.clone(), principal: None, allowed: Allowed::All }
    }
}

impl Allowed {
    /// What those of `scopes` that `granted` names allow.
    pub(crate) fn by<'a>(scopes: &Scopes, granted: impl Iterator<Item = &'a str>) -> Self {
        let tools = granted.filter_map(|scope| scopes.get(scope)).flatten();
        let tools: Arc<[String]> = tools.cloned().collect();
        if tools.iter().any(|tool| tool == "*") { Self::All } else { Self::These(tools) }
    }

    /// Whether the tool of `entry` is one of them.
    pub(crate) fn has(&self, entry: &Entry) -> bool {
        self.any(|named| named == entry.name) || self.has_all_of(entry.component())
    }

    /// Whether all that `component` has is, and so its resources and prompts.
    pub(crate) fn has_all_of(&self, component: &Component) -> bool {
        self.any(|named| named.strip_suffix(":*") == Some(&*component.id))
    }

    fn any(&self, is_it: impl Fn(&str) -> bool) -> bool {
        match self {
            Self::All => true,
            Self::These(names) => names.iter().any(|named| is_it(named)),
        }
    }
}
