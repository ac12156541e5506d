//! Prompts: messages that a user picks to start from.

use std::str::FromStr;

use crate::call::Call;
use crate::content::Content;
use crate::error::{Error, Result};
use crate::registry::{Package, Place};

/// One message of a prompt, or of a conversation with a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub(crate) from_user: bool,
    pub(crate) content: Content,
}

impl Message {
    /// The user speaks.
    pub fn user(content: impl Into<Content>) -> Self {
        Self { from_user: true, content: content.into() }
    }

    /// The model speaks.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self { from_user: false, content: content.into() }
    }
}

/// One prompt, as the macro writes it down.
pub struct Prompt {
    /// The published name.
    pub name: &'static str,
    /// A name for people.
    pub title: Option<&'static str>,
    /// The lines of the doc comment.
    pub docs: &'static [&'static str],
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// The crate that it stands in.
    pub package: Package,
    /// Where in the crate it stands.
    pub place: Place,
    /// Fills it in.
    pub get: Get,
}

/// Fills in a prompt, given its arguments.
pub type Get = fn(&[(String, String)], &Call) -> Result<Vec<Message>>;

/// A parameter of a prompt.
pub struct Parameter {
    /// The published name.
    pub name: &'static str,
    /// A name for people.
    pub title: Option<&'static str>,
    /// The lines of the doc comment.
    pub docs: &'static [&'static str],
    /// Whether there is no prompt without it.
    pub required: bool,
}

inventory::collect!(Prompt);

/// The prompts: module by module, each in source order.
#[cfg_attr(not(all(target_arch = "wasm32", feature = "prompts")), allow(dead_code))]
pub(crate) fn prompts() -> Vec<&'static Prompt> {
    let mut prompts: Vec<&Prompt> = inventory::iter::<Prompt>.into_iter().collect();
    prompts.sort_by_key(|it| (it.place, it.name));
    prompts
}

/// Fills in the prompt of this name.
#[cfg_attr(not(all(target_arch = "wasm32", feature = "prompts")), allow(dead_code))]
pub(crate) fn get(name: &str, arguments: &[(String, String)], call: Call) -> Result<Vec<Message>> {
    let Some(prompt) = inventory::iter::<Prompt>.into_iter().find(|it| it.name == name) else {
        return Err(Error::not_found(format_args!("there is no prompt `{name}`")));
    };
    call.during(|call| (prompt.get)(arguments, call))
}

/// What a prompt's function may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no messages",
    label = "a prompt cannot return this type",
    note = "return a `String`, a `portcullis_guest::Message` or a `Vec<Message>`"
)]
pub trait Messages {
    /// The messages.
    fn into_messages(self) -> Vec<Message>;
}

impl Messages for Vec<Message> {
    fn into_messages(self) -> Vec<Message> {
        self
    }
}

impl Messages for Message {
    fn into_messages(self) -> Vec<Message> {
        vec![self]
    }
}

impl Messages for Content {
    fn into_messages(self) -> Vec<Message> {
        vec![Message::user(self)]
    }
}

impl Messages for String {
    fn into_messages(self) -> Vec<Message> {
        vec![Message::user(self)]
    }
}

impl Messages for &str {
    fn into_messages(self) -> Vec<Message> {
        vec![Message::user(self)]
    }
}

/// An argument that may be left out; the macro calls it.
///
/// # Errors
/// When it is none of its type.
pub fn optional<T: FromStr<Err: std::fmt::Display>>(
    arguments: &[(String, String)],
    name: &str,
) -> Result<Option<T>> {
    let Some((_, text)) = arguments.iter().find(|(it, _)| it == name) else { return Ok(None) };
    match text.parse() {
        Ok(value) => Ok(Some(value)),
        Err(error) => Err(Error::invalid_arguments(format_args!("argument `{name}`: {error}"))),
    }
}

/// An argument that has to be there; the macro calls it.
///
/// # Errors
/// When it is not, or is none of its type.
pub fn required<T: FromStr<Err: std::fmt::Display>>(
    arguments: &[(String, String)],
    name: &str,
) -> Result<T> {
    let missing = || Error::invalid_arguments(format_args!("argument `{name}` is missing"));
    optional(arguments, name)?.ok_or_else(missing)
}
