//! How a call fails, by who can act on it, and in two texts: one for the model, one for the log.
//!
//! The text for the model holds no word of a guest but those that it meant for the model,
//! cleaned and bounded.

use super::Why;
use crate::component::GuestFailure;
use crate::grants::Ability;
use crate::present::clean;
use crate::schema::{Mismatch, Unverified};

/// Bytes of a guest's message that the model reads.
const MESSAGE_BYTES_MAX: usize = 1024;

/// Why a call has no result.
#[derive(Debug)]
pub(crate) enum Failure {
    // The caller can act.
    Arguments(Mismatch),
    /// Those of a prompt.
    Parameters(String),
    ArgumentsTooLarge {
        bytes_max: usize,
    },
    /// The client cannot do what this needs.
    Unable {
        abilities: Vec<Ability>,
    },
    // The tool says so.
    Guest(GuestFailure),
    // The tool's author can act.
    Output(Unverified),
    Contract(String),
    Unpublishable(String),
    Exited {
        status: i32,
    },
    Trapped(String),
    // The operator can act.
    Deadline {
        deadline_ms: u64,
    },
    Memory {
        bytes_max: usize,
    },
    ResultTooLarge {
        bytes_max: usize,
    },
    Busy {
        waited_ms: u64,
    },
    QueueFull,
    TooOften {
        per_second: u64,
    },
    HostMemory,
    /// The component needs what it was not granted; the sentence says what, and the line to add.
    Lacks(String),
    /// A directory that is granted is not there.
    Directory {
        guest: String,
    },
    /// It gave away a secret, or a server did through it.
    Secret {
        name: String,
    },
    // This version cannot.
    NotYet(&'static str),
}

impl Failure {
    /// What the model reads, after `Error executing tool NAME: `.
    pub(crate) fn for_model(&self, call_id: &str) -> String {
        match self {
            Self::Arguments(mismatch) => mismatch.to_string(),
            Self::Parameters(what) => what.clone(),
            Self::Unable { abilities } => unable(abilities),
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
            Self::QueueFull => "as many calls of this component wait as may (`calls_queued_max`); \
                                try again later"
                .to_owned(),
            Self::TooOften { per_second } => format!(
                "this client called it {per_second} times in a second, which is as often as it \
                 may (`calls_per_second_max`); wait a second, or ask for more in one call"
            ),
            Self::HostMemory => "all calls together need more memory than the host gives \
                                 (`host.memory_bytes_max`), and this one was stopped; try again \
                                 later"
                .to_owned(),
            Self::Lacks(sentence) => format!("its component needs {sentence}"),
            Self::Directory { guest } => format!(
                "the directory that is granted as `{guest}` cannot be opened; have the operator \
                 look at it"
            ),
            Self::Secret { name } => format!(
                "what it says holds the secret `{name}`, which must not leave; nothing of it is shown"
            ),
            Self::NotYet(what) => format!("the tool {what}, which this host does not support yet"),
        }
    }

    /// What the log keeps beside what the caller reads; `redacted` takes secrets out of a guest's
    /// words.
    pub(crate) fn for_log(&self, redacted: impl Fn(&str) -> String) -> Option<String> {
        /// Bytes of a guest's account of what went wrong.
        const DETAILS_BYTES_MAX: usize = 4096;
        let one_line =
            |text: &str| clean::bounded(&redacted(text).replace('\n', " | "), DETAILS_BYTES_MAX);
        match self {
            Self::Guest(GuestFailure::Internal(message)) => {
                Some(format!("internal failure: {}", one_line(message)))
            }
            Self::Trapped(trap) => Some(format!("trapped: {}", one_line(trap))),
            Self::Exited { status } => Some(format!("exited with status {status}")),
            Self::Arguments(_)
            | Self::Parameters(_)
            | Self::Unable { .. }
            | Self::ArgumentsTooLarge { .. }
            | Self::Guest(_)
            | Self::Output(_)
            | Self::Contract(_)
            | Self::Unpublishable(_)
            | Self::Deadline { .. }
            | Self::Memory { .. }
            | Self::ResultTooLarge { .. }
            | Self::Busy { .. }
            | Self::QueueFull
            | Self::TooOften { .. }
            | Self::HostMemory
            | Self::Lacks(_)
            | Self::Directory { .. }
            | Self::Secret { .. }
            | Self::NotYet(_) => None,
        }
    }

    /// Who can act on it, as far as whoever asked is concerned.
    pub(super) fn why(&self) -> Why {
        match self {
            Self::Arguments(_)
            | Self::Parameters(_)
            | Self::ArgumentsTooLarge { .. }
            | Self::Guest(GuestFailure::InvalidArguments(_)) => Why::Arguments,
            Self::Unable { abilities }
            | Self::Guest(GuestFailure::MissingAbility { abilities, .. }) => {
                Why::Unable(abilities.clone())
            }
            Self::Guest(GuestFailure::NotFound(_)) => Why::NotFound,
            Self::Guest(GuestFailure::Tool(_) | GuestFailure::Internal(_))
            | Self::Output(_)
            | Self::Contract(_)
            | Self::Unpublishable(_)
            | Self::Exited { .. }
            | Self::Trapped(_)
            | Self::Deadline { .. }
            | Self::Memory { .. }
            | Self::ResultTooLarge { .. }
            | Self::Busy { .. }
            | Self::QueueFull
            | Self::TooOften { .. }
            | Self::HostMemory
            | Self::Lacks(_)
            | Self::Directory { .. }
            | Self::Secret { .. }
            | Self::NotYet(_) => Why::Internal,
        }
    }

    /// One word for receipts.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Arguments(_) | Self::Parameters(_) | Self::ArgumentsTooLarge { .. } => {
                "invalid-arguments"
            }
            Self::Unable { .. } => "unable-client",
            Self::Guest(_) => "tool-error",
            Self::Output(_) | Self::Contract(_) | Self::Unpublishable(_) => "broken-contract",
            Self::Exited { .. } => "exited",
            Self::Trapped(_) => "trapped",
            Self::Deadline { .. } => "deadline",
            Self::Memory { .. } | Self::HostMemory => "memory",
            Self::ResultTooLarge { .. } => "result-too-large",
            Self::Busy { .. } | Self::QueueFull | Self::TooOften { .. } => "busy",
            Self::Lacks(_) | Self::Directory { .. } => "lacks-grant",
            Self::Secret { .. } => "secret",
            Self::NotYet(_) => "unsupported",
        }
    }
}

fn guest(failure: &GuestFailure, call_id: &str) -> String {
    match failure {
        GuestFailure::Tool(message)
        | GuestFailure::InvalidArguments(message)
        | GuestFailure::NotFound(message) => clean::bounded(message, MESSAGE_BYTES_MAX),
        GuestFailure::MissingAbility { message, abilities } => {
            format!("{}: {}", unable(abilities), clean::bounded(message, MESSAGE_BYTES_MAX))
        }
        GuestFailure::Internal(_) => format!("the tool has an internal fault{}", log(call_id)),
    }
}

/// What a client lacks.
fn unable(abilities: &[Ability]) -> String {
    let words: Vec<&str> = abilities.iter().map(|ability| ability.word()).collect();
    match words.is_empty() {
        true => "this client cannot do what is needed".to_owned(),
        false => format!("this client cannot do what is needed ({})", words.join(", ")),
    }
}

/// Where the details are.
fn log(call_id: &str) -> String {
    format!("; the host's log has the details under call {call_id}")
}
