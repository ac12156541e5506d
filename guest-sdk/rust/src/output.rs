//! What a tool's return type promises, and how its value becomes an outcome.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::bindings::exports::portcullis::guest::tools as wit;
use crate::content::Content;
use crate::encode;
use crate::error::Error;
use crate::full::Full;
use crate::schema;

/// What a call gives. Only this crate looks inside.
pub struct Outcome(pub(crate) wit::Outcome);

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
    note = "the return type is the tool's output schema: add `#[derive(serde::Serialize, schemars::JsonSchema)]` to `{Self}` and to the types within it",
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
        let json = encode::to_json(&self)?;
        let schema = wit::ValueSchema::Declared;
        Ok(Outcome(wit::Outcome::Value(wit::TypedValue { json, schema })))
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
                "the tool writes content of its own; say so with `#[tool(own_content)]`",
            ));
        }
        let json = encode::to_json(&self.value)?;
        let schema = match &self.exact_schema {
            Some(schema) => wit::ValueSchema::Exact(schema.to_string()),
            None => wit::ValueSchema::Declared,
        };
        full_outcome(self, Some(wit::TypedValue { json, schema }), Vec::new())
    }
}

#[diagnostic::do_not_recommend]
impl Output for Content {
    fn contract() -> Contract {
        Contract::ContentOnly
    }

    fn into_outcome(self, _: bool) -> Result<Outcome, Error> {
        Ok(blocks_outcome(vec![self]))
    }
}

/// A return type of a tool that is marked content-only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as content",
    label = "a content-only tool cannot return this type as it is",
    note = "return a `String`, a `portcullis_guest::Content` or a `Vec<Content>`, or add `#[derive(serde::Serialize)]` to `{Self}` and to the types within it"
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
        encode::to_blocks(&self).map(blocks_outcome)
    }
}

#[diagnostic::do_not_recommend]
impl Written for Content {
    fn into_outcome(self) -> Result<Outcome, Error> {
        Ok(blocks_outcome(vec![self]))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Written for Full<T> {
    fn into_outcome(self) -> Result<Outcome, Error> {
        let blocks = encode::to_blocks(&self.value)?;
        full_outcome(self, None, blocks)
    }
}

#[diagnostic::do_not_recommend]
impl Written for Full<Content> {
    fn into_outcome(self) -> Result<Outcome, Error> {
        let blocks = vec![self.value.clone()];
        full_outcome(self, None, blocks)
    }
}

/// Content as an outcome.
pub(crate) fn blocks_outcome(blocks: Vec<Content>) -> Outcome {
    Outcome(wit::Outcome::Content(to_wit(blocks)))
}

fn full_outcome<T>(
    full: Full<T>,
    value: Option<wit::TypedValue>,
    mut blocks: Vec<Content>,
) -> Result<Outcome, Error> {
    full.check()?;
    blocks.extend(full.content);
    let meta =
        full.meta.into_iter().map(|(key, value)| wit::MetaEntry { key, value: value.to_string() });
    Ok(Outcome(wit::Outcome::Full(wit::FullResult {
        content: to_wit(blocks),
        value,
        meta: meta.collect(),
        is_error: full.is_error,
    })))
}

fn to_wit(blocks: Vec<Content>) -> Vec<crate::bindings::portcullis::guest::types::Content> {
    blocks.into_iter().map(|it| it.block).collect()
}
