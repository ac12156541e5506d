//! Which of the forms a return type has.
//!
//! The macro cannot know it: `Result` may hide behind an alias. So it asks the type, by method
//! calls that resolve to the first form that fits: a trait that the receiver has is found before
//! one that only a reference to it has.

use std::marker::PhantomData;

use crate::content::Content;
use crate::error::{Error, ToolError};
use crate::output::{self, Contract, Outcome, Output, Written};

/// A type, as a value to call methods on.
pub struct Of<T>(PhantomData<fn() -> T>);

impl<T> Of<T> {
    /// The type's stand-in.
    #[must_use]
    #[allow(clippy::new_without_default, reason = "only the macro makes one")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// A function's return type, first form: a `Result`.
pub trait Fallible {
    /// What is returned when all is well.
    type Value;
    /// What is returned otherwise.
    type Error;

    /// The stand-in of the value's type.
    fn value(&self) -> Of<Self::Value> {
        Of::new()
    }

    /// The value, or why there is none.
    ///
    /// # Errors
    /// The tool's own.
    fn settle(&self, returned: Result<Self::Value, Self::Error>) -> Result<Self::Value, Error>
    where
        Self::Error: ToolError,
    {
        returned.map_err(ToolError::into_error)
    }
}

impl<T, E> Fallible for Of<Result<T, E>> {
    type Value = T;
    type Error = E;
}

/// A function's return type, second form: anything else.
pub trait Infallible {
    /// What is returned.
    type Value;

    /// The stand-in of the value's type.
    fn value(&self) -> Of<Self::Value> {
        Of::new()
    }

    /// The value.
    ///
    /// # Errors
    /// None.
    fn settle(&self, returned: Self::Value) -> Result<Self::Value, Error> {
        Ok(returned)
    }
}

impl<T> Infallible for &Of<T> {
    type Value = T;
}

/// A value's type, first form: blocks. `Output` cannot have it, since a `Vec` might one day be
/// written by serde whatever is in it.
pub trait Blocks {
    /// What the tool promises.
    fn contract(&self) -> Contract {
        Contract::ContentOnly
    }

    /// The value as an outcome.
    ///
    /// # Errors
    /// None.
    fn outcome(&self, blocks: Vec<Content>, _own_content: bool) -> Result<Outcome, Error> {
        Ok(output::blocks_outcome(blocks))
    }

    /// The value as the outcome of a tool that is marked content-only.
    ///
    /// # Errors
    /// None.
    fn written(&self, blocks: Vec<Content>) -> Result<Outcome, Error> {
        Ok(output::blocks_outcome(blocks))
    }
}

impl Blocks for Of<Vec<Content>> {}

/// A value's type, second form: anything else.
pub trait Value {
    /// The type.
    type Type;

    /// What the tool promises.
    fn contract(&self) -> Contract
    where
        Self::Type: Output,
    {
        <Self::Type as Output>::contract()
    }

    /// The value as an outcome.
    ///
    /// # Errors
    /// When the value cannot be written as JSON.
    fn outcome(&self, value: Self::Type, own_content: bool) -> Result<Outcome, Error>
    where
        Self::Type: Output,
    {
        value.into_outcome(own_content)
    }

    /// The value as the outcome of a tool that is marked content-only.
    ///
    /// # Errors
    /// When the value cannot be written as JSON.
    fn written(&self, value: Self::Type) -> Result<Outcome, Error>
    where
        Self::Type: Written,
    {
        value.into_outcome()
    }
}

impl<T> Value for &Of<T> {
    type Type = T;
}
