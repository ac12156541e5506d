//! How a call fails, by who can act on it, and in two texts: one for the model, one for the log.
//!
//! The text for the model holds no word of a guest but those that it meant for the model,
//! cleaned and bounded.

use crate::component::GuestFailure;
use crate::present::clean;
use crate::schema::{Mismatch, Unverified};

/// Bytes of a guest's message that the model reads.
const MESSAGE_BYTES_MAX: usize = 1024;

/// Why a call has no result.
#[derive(Debug)]
pub(crate) enum Failure {
    // The caller can act.
    Arguments(Mismatch),
    ArgumentsTooLarge { bytes_max: usize },
    // The tool says so.
    Guest(GuestFailure),
    // The tool's author can act.
    Output(Unverified),
    Contract(String),
    Unpublishable(String),
    Exited { status: i32 },
    Trapped(String),
    // The operator can act.
    Deadline { deadline_ms: u64 },
    Memory { bytes_max: usize },
    ResultTooLarge { bytes_max: usize },
    Busy { waited_ms: u64 },
    // This version cannot.
    NotYet(&'static str),
}

impl Failure {
    /// What the model reads, after `Error executing tool NAME: `.
    pub(crate) fn for_model(&self, call_id: &str) -> String {
        match self {
            Self::Arguments(mismatch) => mismatch.to_string(),
            Self::ArgumentsTooLarge { bytes_max } => {
                format!("the arguments have more than {bytes_max} bytes; send less")
            }
            Self::Guest(failure) => guest(failure, call_id),
            Self::Output(unverified) => unverified.to_string(),
            Self::Contract(what) => format!("its result breaks its own contract: {what}"),
            Self::Unpublishable(what) => format!("its result cannot be published: {what}"),
            Self::Exited { status } => {
                format!("the tool exited with status {status} and gave no result{}", log(call_id))
            }
            Self::Trapped(_) => {
                format!("the tool stopped unexpectedly and gave no result{}", log(call_id))
            }
            Self::Deadline { deadline_ms } => format!(
                "the call took longer than {deadline_ms} ms and was stopped; ask for less, or \
                 have the operator raise `call_deadline_ms`"
            ),
            Self::Memory { bytes_max } => format!(
                "the call needed more than {bytes_max} bytes of memory and was stopped; ask for \
                 less, or have the operator raise `memory_bytes_max`"
            ),
            Self::ResultTooLarge { bytes_max } => format!(
                "the result has more than {bytes_max} bytes; ask for less, or have the operator \
                 raise `result_bytes_max`"
            ),
            Self::Busy { waited_ms } => {
                format!(
                    "too many calls are running; this one waited {waited_ms} ms; try again later"
                )
            }
            Self::NotYet(what) => format!("the tool {what}, which this host does not support yet"),
        }
    }

    /// What the log keeps beside what the caller reads.
    pub(crate) fn for_log(&self) -> Option<String> {
        /// Bytes of a guest's account of what went wrong.
        const DETAILS_BYTES_MAX: usize = 4096;
        let one_line = |text: &str| clean::bounded(&text.replace('\n', " | "), DETAILS_BYTES_MAX);
        match self {
            Self::Guest(GuestFailure::Internal(message)) => {
                Some(format!("internal failure: {}", one_line(message)))
            }
            Self::Trapped(trap) => Some(format!("trapped: {}", one_line(trap))),
            Self::Exited { status } => Some(format!("exited with status {status}")),
            Self::Arguments(_)
            | Self::ArgumentsTooLarge { .. }
            | Self::Guest(_)
            | Self::Output(_)
            | Self::Contract(_)
            | Self::Unpublishable(_)
            | Self::Deadline { .. }
            | Self::Memory { .. }
            | Self::ResultTooLarge { .. }
            | Self::Busy { .. }
            | Self::NotYet(_) => None,
        }
    }
}

fn guest(failure: &GuestFailure, call_id: &str) -> String {
    match failure {
        GuestFailure::Tool(message)
        | GuestFailure::InvalidArguments(message)
        | GuestFailure::NotFound(message) => clean::bounded(message, MESSAGE_BYTES_MAX),
        GuestFailure::MissingAbility(message) => format!(
            "this client cannot do what the tool needs: {}",
            clean::bounded(message, MESSAGE_BYTES_MAX)
        ),
        GuestFailure::Internal(_) => format!("the tool has an internal fault{}", log(call_id)),
    }
}

/// Where the details are.
fn log(call_id: &str) -> String {
    format!("; the host's log has the details under call {call_id}")
}
