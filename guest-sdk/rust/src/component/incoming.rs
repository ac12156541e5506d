//! What the host says, in this crate's words.

use std::time::Duration;

use super::Earlier;
use super::bindings::portcullis::guest::types as wit;
use crate::ask::{Reply, Root};
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
        earlier: Some(Earlier { answers: request.answers, state: request.state }),
    })
}

/// Those of the last round, and those before it, which this crate put into the state.
pub(super) fn answers(earlier: &Earlier) -> Vec<(String, Reply)> {
    let state = earlier.state.as_deref().unwrap_or(b"[]");
    let mut answers: Vec<(String, Reply)> = serde_json::from_slice(state).unwrap_or_default();
    for answer in &earlier.answers {
        answers.retain(|(key, _)| *key != answer.key);
        answers.push((answer.key.clone(), reply(&answer.reply)));
    }
    answers
}

fn reply(reply: &wit::Reply) -> Reply {
    match reply {
        wit::Reply::Form(reply) | wit::Reply::Url(reply) => match reply {
            wit::UserReply::Accepted(content) => {
                let content = content.as_deref().map(serde_json::from_str);
                Reply::Accepted(content.and_then(Result::ok))
            }
            wit::UserReply::Declined => Reply::Declined,
            wit::UserReply::Cancelled => Reply::Cancelled,
        },
        wit::Reply::Sampling(said) => {
            let text = |block: &wit::Content| match block {
                wit::Content::Text(block) => Some(block.text.clone()),
                _ => None,
            };
            Reply::Sampled {
                text: said.content.iter().filter_map(text).collect::<Vec<_>>().join("\n"),
                model: said.model.clone(),
                stop_reason: said.stop_reason.clone(),
            }
        }
        wit::Reply::Roots(roots) => {
            let root = |it: &wit::Root| Root { uri: it.uri.clone(), name: it.name.clone() };
            Reply::Roots(roots.iter().map(root).collect())
        }
    }
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
