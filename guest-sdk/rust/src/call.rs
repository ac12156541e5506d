//! The facts about the call that is running.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use crate::bindings::exports::portcullis::guest::tools as wit;
use crate::bindings::portcullis::guest::types;
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
struct Facts {
    id: String,
    time_limit: Duration,
    client: ClientAbilities,
    wants_progress: bool,
    wants_log: Option<Level>,
    principal: Option<String>,
    trace: Option<(String, Option<String>)>,
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

    pub(crate) fn new(request: wit::Request) -> Self {
        Self {
            facts: Rc::new(Facts {
                id: request.call_id,
                time_limit: Duration::from_millis(request.time_left_ms),
                client: ClientAbilities::from_wit(request.client),
                wants_progress: request.wants_progress,
                wants_log: request.wants_log.map(Level::from_wit),
                principal: request.principal,
                trace: request.trace.map(|trace| (trace.parent, trace.state)),
            }),
        }
    }

    /// Runs a tool as this call.
    pub(crate) fn during<T>(self, run: impl FnOnce(&Self) -> T) -> T {
        let before = CURRENT.replace(self.clone());
        let result = run(&self);
        CURRENT.set(before);
        result
    }
}

impl Default for Call {
    fn default() -> Self {
        Self {
            facts: Rc::new(Facts {
                id: String::new(),
                time_limit: Duration::MAX,
                client: ClientAbilities::default(),
                wants_progress: false,
                wants_log: None,
                principal: None,
                trace: None,
            }),
        }
    }
}

impl ClientAbilities {
    fn flags(self) -> [(bool, types::ClientAbilities); 4] {
        use types::ClientAbilities as Flag;
        [
            (self.elicit_form, Flag::ELICIT_FORM),
            (self.elicit_url, Flag::ELICIT_URL),
            (self.sampling, Flag::SAMPLING),
            (self.roots, Flag::ROOTS),
        ]
    }

    pub(crate) fn to_wit(self) -> types::ClientAbilities {
        self.flags()
            .into_iter()
            .filter(|(set, _)| *set)
            .fold(types::ClientAbilities::empty(), |all, (_, flag)| all | flag)
    }

    fn from_wit(flags: types::ClientAbilities) -> Self {
        use types::ClientAbilities as Flag;
        let has = |flag: Flag| flags.bits() & flag.bits() != 0;
        Self {
            elicit_form: has(Flag::ELICIT_FORM),
            elicit_url: has(Flag::ELICIT_URL),
            sampling: has(Flag::SAMPLING),
            roots: has(Flag::ROOTS),
        }
    }
}
