//! What a tool's return type promises, and how its value becomes an outcome.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::content::Content;
use crate::encode;
use crate::error::Error;
use crate::full::{Full, Parts};
use crate::schema;

/// What a call gives.
pub enum Outcome {
    /// A value of the declared type, as JSON text.
    Value(String),
    /// Content blocks alone.
    Content(Vec<Content>),
    /// All parts of a result.
    Full(Parts),
}

/// What a tool promises about its results.
pub enum Contract {
    /// Every value answers to this JSON Schema.
    Typed(Value),
    /// Content blocks alone.
    ContentOnly,
}

/// A return type that says what the tool promises.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no output schema",
    label = "a tool cannot return this type as it is",
    note = "the return type is the tool's output schema: add `#[derive(serde::Serialize, schemars::JsonSchema)]` to every type of your own in `{Self}`",
    note = "or, if the tool has nothing to compute with, return text or `portcullis_guest::Content` and write `#[tool(content_only)]`"
)]
pub trait Output {
    /// What the tool promises.
    fn contract() -> Contract;
    /// The value as an outcome; `own_content` is what the tool's descriptor says.
    ///
    /// # Errors
    /// When the value cannot be written as JSON.
    fn into_outcome(self, own_content: bool) -> Result<Outcome, Error>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> Output for T {
    fn contract() -> Contract {
        Contract::Typed(schema::output::<T>())
    }

    fn into_outcome(self, _: bool) -> Result<Outcome, Error> {
        encode::to_json(&self).map(Outcome::Value)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> Output for Full<T> {
    fn contract() -> Contract {
        T::contract()
    }

    fn into_outcome(self, own_content: bool) -> Result<Outcome, Error> {
        if !own_content && !self.content.is_empty() {
            return Err(Error::internal(
                "the tool gives content of its own with `.content(…)`, which its description does \
                 not announce: write `#[tool(own_content)]` on the function",
            ));
        }
        let json = encode::to_json(&self.value)?;
        self.finish(Some(json), Vec::new()).map(Outcome::Full)
    }
}

#[diagnostic::do_not_recommend]
impl Output for Content {
    fn contract() -> Contract {
        Contract::ContentOnly
    }

    fn into_outcome(self, _: bool) -> Result<Outcome, Error> {
        Ok(Outcome::Content(vec![self]))
    }
}

#[diagnostic::do_not_recommend]
impl Output for Full<Content> {
    fn contract() -> Contract {
        Contract::ContentOnly
    }

    fn into_outcome(self, _: bool) -> Result<Outcome, Error> {
        Written::into_outcome(self)
    }
}

/// A return type of a tool that has content of its own beside a typed value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no content of its own beside a typed value",
    label = "a tool with `own_content` cannot return this type as it is",
    note = "return a `portcullis_guest::Full<T>` whose `T` has an output schema (`#[derive(serde::Serialize, schemars::JsonSchema)]`), or leave `own_content` out"
)]
pub trait OwnContent: Output {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> OwnContent for Full<T> {}

/// A return type of a tool that is marked content-only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as content",
    label = "a content-only tool cannot return this type as it is",
    note = "return a `String`, a `portcullis_guest::Content` or a `Vec<Content>`, or add `#[derive(serde::Serialize)]` to every type of your own in `{Self}`"
)]
pub trait Written {
    /// The value as content, by the rules by which a host renders a typed value.
    ///
    /// # Errors
    /// When the value cannot be written as JSON.
    fn into_outcome(self) -> Result<Outcome, Error>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Written for T {
    fn into_outcome(self) -> Result<Outcome, Error> {
        encode::to_blocks(&self).map(Outcome::Content)
    }
}

#[diagnostic::do_not_recommend]
impl Written for Content {
    fn into_outcome(self) -> Result<Outcome, Error> {
        Ok(Outcome::Content(vec![self]))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Written for Full<T> {
    fn into_outcome(self) -> Result<Outcome, Error> {
        let blocks = encode::to_blocks(&self.value)?;
        self.finish(None, blocks).map(Outcome::Full)
    }
}

#[diagnostic::do_not_recommend]
impl Written for Full<Content> {
    fn into_outcome(self) -> Result<Outcome, Error> {
        let blocks = vec![self.value.clone()];
        self.finish(None, blocks).map(Outcome::Full)
    }
}
