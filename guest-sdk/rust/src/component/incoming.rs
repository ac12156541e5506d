//! What the host says, in this crate's words.

use std::time::Duration;

use super::bindings::portcullis::guest::types as wit;
use crate::call::{Call, ClientAbilities, Facts};
use crate::log::Level;

/// The facts of a call.
pub(super) fn call(request: wit::Request) -> Call {
    Call::new(Facts {
        id: request.call_id,
        time_limit: Duration::from_millis(request.time_left_ms),
        client: abilities(request.client),
        wants_progress: request.wants_progress,
        wants_log: request.wants_log.map(level),
        principal: request.principal,
        trace: request.trace.map(|trace| (trace.parent, trace.state)),
    })
}

fn abilities(flags: wit::ClientAbilities) -> ClientAbilities {
    use wit::ClientAbilities as Flag;
    let has = |flag: Flag| flags.bits() & flag.bits() != 0;
    ClientAbilities {
        elicit_form: has(Flag::ELICIT_FORM),
        elicit_url: has(Flag::ELICIT_URL),
        sampling: has(Flag::SAMPLING),
        roots: has(Flag::ROOTS),
    }
}

fn level(level: wit::LogLevel) -> Level {
    match level {
        wit::LogLevel::Debug => Level::Debug,
        wit::LogLevel::Info => Level::Info,
        wit::LogLevel::Notice => Level::Notice,
        wit::LogLevel::Warning => Level::Warning,
        wit::LogLevel::Error => Level::Error,
        wit::LogLevel::Critical => Level::Critical,
        wit::LogLevel::Alert => Level::Alert,
        wit::LogLevel::Emergency => Level::Emergency,
    }
}
