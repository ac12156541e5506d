//! What a guest said in answer to a call, not yet checked.
//!
//! These types know neither WIT bindings nor MCP; nothing of them leaves the host before
//! `call::verify` has looked at it.

use super::asks::{Asks, Message};
use crate::grants::Ability;
use crate::sandbox::{Ending, Ran};
use crate::schema::wit::Unpublishable;

/// An answer, with what the guest wrote to its log on the way.
pub(crate) type Answer = Ran<Result<Outcome, GuestFailure>>;

/// What a guest gives in answer to anything.
pub(crate) trait Weighed {
    /// Bytes of it.
    fn bytes(&self) -> usize;
}

impl<T: Weighed> Ran<Result<T, GuestFailure>> {
    /// Bytes of what the guest returned.
    pub(crate) fn result_bytes(&self) -> usize {
        match &self.ending {
            Ending::Returned(Ok(outcome)) => outcome.bytes(),
            Ending::Returned(Err(failure)) => failure.message().len(),
            Ending::Deadline
            | Ending::Memory
            | Ending::HostMemory
            | Ending::TooLarge
            | Ending::Exited(_)
            | Ending::Trapped(_) => 0,
        }
    }
}

impl Weighed for Outcome {
    fn bytes(&self) -> usize {
        let contents =
            |blocks: &[Said<Content>]| blocks.iter().map(|block| block.what.bytes()).sum::<usize>();
        match self {
            Self::Value(typed) => typed.json.len(),
            Self::Content(blocks) => contents(blocks),
            Self::Full(full) => {
                let meta = full.meta.iter().map(|(key, value)| key.len() + value.len());
                let value = full.value.as_ref().map_or(0, |typed| typed.json.len());
                contents(&full.content) + value + meta.sum::<usize>()
            }
            Self::InputRequired(asks) => asks.bytes(),
            Self::TooLarge | Self::Unpublishable(_) | Self::Extended => 0,
        }
    }
}

impl<T: Weighed> Weighed for Given<T> {
    fn bytes(&self) -> usize {
        match self {
            Self::Whole(given) => given.bytes(),
            Self::Asks(asks) => asks.bytes(),
            Self::Extended => 0,
        }
    }
}

impl Weighed for Vec<ContentsSaid> {
    fn bytes(&self) -> usize {
        self.iter().map(ContentsSaid::bytes).sum()
    }
}

impl Weighed for PromptSaid {
    fn bytes(&self) -> usize {
        self.messages.iter().map(|message| message.content.what.bytes()).sum()
    }
}

impl Weighed for Suggested {
    fn bytes(&self) -> usize {
        self.values.iter().map(String::len).sum()
    }
}

impl Asks {
    fn bytes(&self) -> usize {
        self.state.as_ref().map_or(0, Vec::len)
            + self.questions.iter().map(|(key, _)| key.len()).sum::<usize>()
    }
}

impl ContentsSaid {
    fn bytes(&self) -> usize {
        match &self.body {
            Body::Text(text) => text.len(),
            Body::Bytes(bytes) => bytes.len(),
        }
    }
}

impl Content {
    fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Image { bytes, .. } | Self::Audio { bytes, .. } => bytes.len(),
            Self::Link(link) => link.uri.len(),
            Self::Embedded(contents) => contents.bytes(),
        }
    }
}

impl GuestFailure {
    fn message(&self) -> &str {
        match self {
            Self::Tool(message)
            | Self::InvalidArguments(message)
            | Self::MissingAbility { message, .. }
            | Self::NotFound(message)
            | Self::Internal(message) => message,
        }
    }
}

/// What a call gave.
#[derive(Debug)]
pub(crate) enum Outcome {
    Value(Typed),
    Content(Vec<Said<Content>>),
    Full(Full),
    /// Content that is too large to be written.
    TooLarge,
    /// A value that JSON cannot say, and where it is.
    Unpublishable(Unpublishable),
    /// It wants to ask the client something.
    InputRequired(Asks),
    /// It speaks with words of a later version.
    Extended,
}

/// What reading a resource gave, or getting a prompt.
#[derive(Debug)]
pub(crate) enum Given<T> {
    Whole(T),
    /// It wants to ask the client something.
    Asks(Asks),
    /// It speaks with words of a later version.
    Extended,
}

/// The messages of a prompt.
#[derive(Debug)]
pub(crate) struct PromptSaid {
    pub(crate) description: Option<String>,
    pub(crate) messages: Vec<Message>,
}

/// What may come after what was typed.
#[derive(Debug)]
pub(crate) struct Suggested {
    pub(crate) values: Vec<String>,
    pub(crate) total: Option<u32>,
    pub(crate) more: bool,
}

/// JSON text, and a narrower schema for it where it has one.
#[derive(Debug)]
pub(crate) struct Typed {
    pub(crate) json: String,
    pub(crate) exact: Option<String>,
}

/// A block of content.
#[derive(Debug)]
pub(crate) enum Content {
    Text(String),
    Image { bytes: Vec<u8>, mime_type: String },
    Audio { bytes: Vec<u8>, mime_type: String },
    Link(LinkSaid),
    Embedded(ContentsSaid),
}

/// A link to a resource.
#[derive(Debug)]
pub(crate) struct LinkSaid {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) size: Option<u64>,
}

/// The contents of a resource.
#[derive(Debug)]
pub(crate) struct ContentsSaid {
    pub(crate) uri: String,
    pub(crate) mime_type: Option<String>,
    pub(crate) body: Body,
}

/// What is in a resource.
#[derive(Debug)]
pub(crate) enum Body {
    Text(String),
    Bytes(Vec<u8>),
}

/// Something said, with notes on it.
#[derive(Debug)]
pub(crate) struct Said<T> {
    pub(crate) what: T,
    pub(crate) notes: Option<Notes>,
}

/// Hints about a block.
#[derive(Debug)]
pub(crate) struct Notes {
    pub(crate) user: bool,
    pub(crate) assistant: bool,
    pub(crate) priority: Option<f64>,
    pub(crate) last_modified: Option<String>,
}

/// A result of which the author controls every part.
#[derive(Debug)]
pub(crate) struct Full {
    pub(crate) content: Vec<Said<Content>>,
    pub(crate) value: Option<Typed>,
    /// Keys and JSON texts.
    pub(crate) meta: Vec<(String, String)>,
    pub(crate) is_error: bool,
}

/// Why a guest gave no outcome, by its own account.
#[derive(Debug)]
pub(crate) enum GuestFailure {
    Tool(String),
    InvalidArguments(String),
    MissingAbility { message: String, abilities: Vec<Ability> },
    NotFound(String),
    Internal(String),
}
