//! The component around the tools: what it exports and imports.
//!
//! Only this module knows the types of the WIT package, and it exists only where a component is
//! built; natively there is neither a host nor a need for one.

mod bindings;
mod incoming;
mod outgoing;

use bindings::exports::portcullis::guest::tools::{Component, Failure, Guest, Outcome, Request};
use bindings::portcullis::guest::{log, progress};

use crate::log::Level;
use crate::{describe, run};

/// The tools of the crate that this one is linked into.
struct Provider;

impl Guest for Provider {
    fn describe() -> Result<Component, String> {
        describe::component().map(outgoing::component)
    }

    fn call(name: String, arguments: String, request: Request) -> Result<Outcome, Failure> {
        run::tool(&name, &arguments, incoming::call(request))
            .map(outgoing::outcome)
            .map_err(outgoing::failure)
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
