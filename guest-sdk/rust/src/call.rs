//! The facts about the call that is running.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use crate::ask::Reply;
use crate::log::Level;

/// The facts about one call.
///
/// A tool asks for them with a parameter of type `&Call`, which is not part of the tool's
/// schema, or anywhere with [`call()`].
///
/// The default is what a function sees outside of a host, as in a native test: no time limit,
/// and a client that can do nothing.
#[derive(Clone, Debug)]
pub struct Call {
    facts: Rc<Facts>,
}

#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) id: String,
    pub(crate) time_limit: Duration,
    pub(crate) client: ClientAbilities,
    pub(crate) wants_progress: bool,
    pub(crate) wants_log: Option<Level>,
    pub(crate) principal: Option<String>,
    pub(crate) trace: Option<(String, Option<String>)>,
    pub(crate) earlier: Option<Earlier>,
}

/// What the host says of an earlier round of the call.
#[cfg(target_arch = "wasm32")]
use crate::component::Earlier;
/// Natively there is no earlier round, but what a test answers.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug)]
pub(crate) struct Earlier(pub(crate) Vec<(String, Reply)>);

#[cfg(not(target_arch = "wasm32"))]
impl Earlier {
    /// All answers so far, each under its key.
    pub(crate) fn answers(&self) -> Vec<(String, Reply)> {
        self.0.clone()
    }
}

/// What the client that made a call can do for the tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "four facts that do not depend on each other")]
pub struct ClientAbilities {
    /// Show a form to the user and return what was filled in.
    pub elicit_form: bool,
    /// Ask the user to open a URL.
    pub elicit_url: bool,
    /// Run a language model.
    pub sampling: bool,
    /// Name the directories that the user works in.
    pub roots: bool,
}

impl ClientAbilities {
    /// None of them.
    pub const NONE: Self =
        Self { elicit_form: false, elicit_url: false, sampling: false, roots: false };

    /// What only this can do.
    #[must_use]
    pub(crate) fn beyond(self, other: Self) -> Self {
        Self {
            elicit_form: self.elicit_form && !other.elicit_form,
            elicit_url: self.elicit_url && !other.elicit_url,
            sampling: self.sampling && !other.sampling,
            roots: self.roots && !other.roots,
        }
    }

    /// What either can do.
    #[must_use]
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            elicit_form: self.elicit_form || other.elicit_form,
            elicit_url: self.elicit_url || other.elicit_url,
            sampling: self.sampling || other.sampling,
            roots: self.roots || other.roots,
        }
    }
}

thread_local! {
    static CURRENT: RefCell<Call> = RefCell::new(Call::default());
}

/// The call that is running.
#[must_use]
pub fn call() -> Call {
    CURRENT.with_borrow(Clone::clone)
}

impl Call {
    /// The name of this call in the host's log.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.facts.id
    }

    /// How long the call may take, counted from its start.
    #[must_use]
    pub fn time_limit(&self) -> Duration {
        self.facts.time_limit
    }

    /// What the client can do.
    #[must_use]
    pub fn client(&self) -> ClientAbilities {
        self.facts.client
    }

    /// Whether anyone receives [`progress`](crate::progress) notes.
    #[must_use]
    pub fn wants_progress(&self) -> bool {
        self.facts.wants_progress
    }

    /// Whether anyone receives [`log`](crate::log) lines of this level.
    #[must_use]
    pub fn wants_log(&self, level: Level) -> bool {
        self.facts.wants_log.is_some_and(|least| level >= least)
    }

    /// Who makes the call: opaque, equal for the same caller, of no other use.
    #[must_use]
    pub fn principal(&self) -> Option<&str> {
        self.facts.principal.as_deref()
    }

    /// The W3C `traceparent` to pass on.
    #[must_use]
    pub fn trace_parent(&self) -> Option<&str> {
        self.facts.trace.as_ref().map(|(parent, _)| parent.as_str())
    }

    /// The W3C `tracestate` to pass on.
    #[must_use]
    pub fn trace_state(&self) -> Option<&str> {
        self.facts.trace.as_ref()?.1.as_deref()
    }

    /// All answers so far, each under its key.
    pub(crate) fn answers(&self) -> Vec<(String, Reply)> {
        self.facts.earlier.as_ref().map(Earlier::answers).unwrap_or_default()
    }

    pub(crate) fn new(facts: Facts) -> Self {
        Self { facts: Rc::new(facts) }
    }

    /// Runs a tool as this call.
    pub(crate) fn during<T>(self, run: impl FnOnce(&Self) -> T) -> T {
        let before = CURRENT.replace(self.clone());
        let result = run(&self);
        CURRENT.set(before);
        result
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Call {
    /// A call by a client that can be asked anything, and that has answered this much.
    pub(crate) fn answered(answers: Vec<(String, Reply)>) -> Self {
        let client =
            ClientAbilities { elicit_form: true, elicit_url: true, sampling: true, roots: true };
        Self::new(Facts {
            id: String::new(),
            time_limit: Duration::MAX,
            client,
            wants_progress: false,
            wants_log: None,
            principal: None,
            trace: None,
            earlier: Some(Earlier(answers)),
        })
    }
}

impl Default for Call {
    fn default() -> Self {
        Self::new(Facts {
            id: String::new(),
            time_limit: Duration::MAX,
            client: ClientAbilities::default(),
            wants_progress: false,
            wants_log: None,
            principal: None,
            trace: None,
            earlier: None,
        })
    }
}
