//! What a guest said in answer to a call, not yet checked.
//!
//! These types know neither WIT bindings nor MCP; nothing of them leaves the host before
//! `call::verify` has looked at it.

use crate::sandbox::Ran;

/// An answer, with what the guest wrote to its log on the way.
pub(crate) type Said = Ran<Result<Outcome, GuestFailure>>;

/// What a call gave.
#[derive(Debug)]
pub(crate) enum Outcome {
    Value(Typed),
    Content(Vec<Content>),
    Full(Full),
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
    /// A kind of block that this version cannot check; its name.
    Unsupported(&'static str),
}

/// A result of which the author controls every part.
#[derive(Debug)]
pub(crate) struct Full {
    pub(crate) content: Vec<Content>,
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
