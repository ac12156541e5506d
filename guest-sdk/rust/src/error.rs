//! What an author says when a call fails.

use std::any::Any;
use std::fmt::{self, Debug, Display};

use crate::call::ClientAbilities;

/// A [`std::result::Result`] whose error is [`Error`] unless another is named.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call failed, and who can act on it.
///
/// A tool may return any error that can be displayed; the model then reads its text as a tool
/// error. This type is for tools that want `?` on every error of the standard library and beyond,
/// or that want to say which kind of failure it is.
///
#[doc = "```"]
#[doc = include_str!("../tests/examples/error.rs")]
#[doc = "```"]
pub struct Error {
    pub(crate) kind: Kind,
    pub(crate) message: String,
}

/// Who can act on a failure.
#[derive(Debug)]
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "for a host to read"))]
pub(crate) enum Kind {
    Tool,
    InvalidArguments,
    MissingAbility(ClientAbilities),
    NotFound,
    Internal,
    /// No failure: something is asked first.
    Asks(Box<Asking>),
}

/// Questions; in a component, as the host takes them.
#[cfg(target_arch = "wasm32")]
pub(crate) use crate::component::Asking;
/// Questions.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) type Asking = crate::ask::Asks;

impl Error {
    /// The tool did not manage. The model reads the message and may try something else.
    pub fn new(message: impl Display) -> Self {
        Self::of(Kind::Tool, &message)
    }

    /// The arguments fit the schema but make no sense. The model can correct them.
    pub fn invalid_arguments(message: impl Display) -> Self {
        Self::of(Kind::InvalidArguments, &message)
    }

    /// The call needs something that this client cannot do.
    pub fn missing_ability(abilities: ClientAbilities, message: impl Display) -> Self {
        Self::of(Kind::MissingAbility(abilities), &message)
    }

    /// What the call names does not exist.
    pub fn not_found(message: impl Display) -> Self {
        Self::of(Kind::NotFound, &message)
    }

    /// The component's own fault. The host logs the message and keeps it from the model.
    pub fn internal(message: impl Display) -> Self {
        Self::of(Kind::Internal, &message)
    }

    fn of(kind: Kind, message: &dyn Display) -> Self {
        Self { kind, message: message.to_string() }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.message)
    }
}

// Error itself is no std::error::Error: this conversion could not stand beside that.
impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        Self::new(error)
    }
}

/// What the error of a fallible tool must be able to do.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "an error that cannot be displayed",
    note = "the model reads the error's text: implement `std::fmt::Display` for `{Self}`, or return `portcullis_guest::Result<…>`"
)]
pub trait ToolError {
    /// Ours as it is; any other by its text.
    fn into_error(self) -> Error;
}

#[diagnostic::do_not_recommend]
impl<E: Display + 'static> ToolError for E {
    fn into_error(self) -> Error {
        let mut this = Some(self);
        if let Some(ours) = (&mut this as &mut dyn Any).downcast_mut::<Option<Error>>()
            && let Some(error) = ours.take()
        {
            return error;
        }
        Error::of(Kind::Tool, &this.expect("taken by no one else"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_error_is_a_tool_error_with_its_text() {
        let error = "no such city".into_error();
        assert_eq!(format!("{error:?}"), "Tool: no such city");
    }

    #[test]
    fn our_own_error_keeps_its_kind() {
        let error = Error::not_found("gone").into_error();
        assert_eq!(format!("{error:?}"), "NotFound: gone");
    }
}
