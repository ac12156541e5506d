//! What a guest asks of a client in the middle of a call, and what comes back.
//!
//! Questions are not yet checked: nothing of them leaves before `call::questions` has looked at
//! them. Replies are the client's words, for the guest alone.

use super::outcome::{Content, Said};

/// What a call cannot go on without.
#[derive(Debug)]
pub(crate) struct Asks {
    /// Each under its key.
    pub(crate) questions: Vec<(String, Question)>,
    /// The guest's own, to come back unchanged.
    pub(crate) state: Option<Vec<u8>>,
}

/// A question.
#[derive(Debug)]
pub(crate) enum Question {
    Form {
        message: String,
        /// JSON Schema text.
        schema: String,
    },
    Url {
        message: String,
        url: String,
    },
    Sampling(Sampling),
    Roots,
}

/// What the client's model is asked.
#[derive(Debug)]
pub(crate) struct Sampling {
    pub(crate) messages: Vec<Message>,
    pub(crate) system_prompt: Option<String>,
    pub(crate) tokens_max: u32,
    pub(crate) temperature: Option<f64>,
    pub(crate) stop_sequences: Vec<String>,
    pub(crate) model_hints: Vec<String>,
}

/// One message of a prompt or of a conversation.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) role: Role,
    pub(crate) content: Said<Content>,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A person, or a program in their name.
    User,
    /// The model.
    Assistant,
}

/// What came back of a question.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Form(UserReply),
    Url(UserReply),
    Sampling(SamplingReply),
    Roots(Vec<Root>),
}

impl Reply {
    /// The size of what is in it.
    pub(crate) fn bytes(&self) -> usize {
        let optional = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        match self {
            Self::Form(reply) | Self::Url(reply) => match reply {
                UserReply::Accepted(content) => optional(content),
                UserReply::Declined | UserReply::Cancelled => 0,
            },
            Self::Sampling(reply) => {
                let content = reply.content.iter().map(|heard| match heard {
                    Heard::Text(text) => text.len(),
                    Heard::Image { bytes, mime_type } | Heard::Audio { bytes, mime_type } => {
                        bytes.len() + mime_type.len()
                    }
                });
                content.sum::<usize>() + reply.model.len() + optional(&reply.stop_reason)
            }
            Self::Roots(roots) => {
                roots.iter().map(|root| root.uri.len() + optional(&root.name)).sum()
            }
        }
    }
}

/// What the user did.
#[derive(Clone, Debug)]
pub(crate) enum UserReply {
    /// What was filled in, as JSON text; none for a URL.
    Accepted(Option<String>),
    Declined,
    Cancelled,
}

/// What the client's model said.
#[derive(Clone, Debug)]
pub(crate) struct SamplingReply {
    pub(crate) role: Role,
    pub(crate) content: Vec<Heard>,
    pub(crate) model: String,
    pub(crate) stop_reason: Option<String>,
}

/// A block of what the client's model said.
#[derive(Clone, Debug)]
pub(crate) enum Heard {
    Text(String),
    Image { bytes: Vec<u8>, mime_type: String },
    Audio { bytes: Vec<u8>, mime_type: String },
}

/// A directory that the user works in.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) uri: String,
    pub(crate) name: Option<String>,
}
