//! What a guest said in answer to a call, not yet checked.
//!
//! These types know neither WIT bindings nor MCP; nothing of them leaves the host before
//! `call::verify` has looked at it.

use crate::sandbox::Ran;
use crate::schema::wit::Unpublishable;

/// An answer, with what the guest wrote to its log on the way.
pub(crate) type Answer = Ran<Result<Outcome, GuestFailure>>;

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
    InputRequired,
    /// It speaks with words of a later version.
    Extended,
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
    Embedded { uri: String, mime_type: Option<String>, contents: Body },
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
    MissingAbility(String),
    NotFound(String),
    Internal(String),
}
