//! The component around the tools: what it exports and imports.
//!
//! Only this module knows the types of the WIT package, and it exists only where a component is
//! built; natively there is neither a host nor a need for one.

mod bindings;
#[cfg(feature = "completion")]
mod completion;
mod incoming;
mod outgoing;
#[cfg(feature = "prompts")]
mod prompts;
#[cfg(feature = "resources")]
mod resources;

use bindings::exports::portcullis::guest::tools::{Component, Failure, Guest, Outcome, Request};
use bindings::portcullis::guest::{changed, log, progress, types};

use crate::ask::{Asks, Reply};
use crate::changed::Change;
use crate::log::Level;
use crate::{describe, run};

/// Questions as the host takes them.
pub(crate) type Asking = types::InputRequired;
/// What the host says of an earlier round: made sense of only where something is asked.
#[derive(Debug)]
pub(crate) struct Earlier {
    answers: Vec<types::Answer>,
    state: Option<Vec<u8>>,
}

impl Earlier {
    /// All answers so far, each under its key.
    pub(crate) fn answers(&self) -> Vec<(String, Reply)> {
        incoming::answers(self)
    }
}

/// Questions in the host's words.
pub(crate) fn asks(asks: Asks) -> Asking {
    outgoing::asks(asks)
}

/// Announces a change.
pub(crate) fn announce(change: Change<'_>) {
    match change {
        Change::Tools => changed::tool_list(),
        Change::Resources => changed::resource_list(),
        Change::Prompts => changed::prompt_list(),
        Change::Contents(uri) => changed::resource_contents(uri),
    }
}

/// The tools of the crate that this one is linked into.
struct Provider;

impl Guest for Provider {
    fn describe() -> Result<Component, String> {
        describe::component().map(outgoing::component)
    }

    fn call(name: String, arguments: String, request: Request) -> Result<Outcome, Failure> {
        match run::tool(&name, &arguments, incoming::call(request)) {
            Ok(outcome) => Ok(outgoing::outcome(outcome)),
            Err(error) => outgoing::asks_or_fails(error).map(Outcome::InputRequired),
        }
    }
}

/// Sends a log line to the host.
pub(crate) fn write_log(level: Level, logger: Option<&str>, message: &str) {
    log::write(outgoing::level(level), logger, message);
}

/// Sends a note of progress to the host.
pub(crate) fn report_progress(done: f64, total: Option<f64>, message: Option<&str>) {
    progress::report(done, total, message);
}
