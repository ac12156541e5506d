//! Which of the forms a return type has.
//!
//! The macro cannot know it: `Result` may hide behind an alias. So it asks the type, by method
//! calls that resolve to the first form that fits: a trait that the receiver has is found before
//! one that only a reference to it has.

use std::marker::PhantomData;

use crate::content::Content;
use crate::error::{Error, ToolError};
use crate::output::{Contract, Outcome, Output, OwnContent, Written};

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

/// What becomes of a value: the one place that asks its type for all that it needs, so that a
/// type which lacks it is told once.
pub struct Returns<T> {
    contract: fn() -> Contract,
    outcome: fn(T, bool) -> Result<Outcome, Error>,
}

impl<T> Returns<T> {
    /// What the tool promises.
    #[must_use]
    pub fn contract(&self) -> Contract {
        (self.contract)()
    }

    /// The value as an outcome; `own_content` is what the tool's descriptor says.
    ///
    /// # Errors
    /// When the value cannot be written as JSON.
    pub fn outcome(&self, value: T, own_content: bool) -> Result<Outcome, Error> {
        (self.outcome)(value, own_content)
    }
}

/// A value's type, first form: blocks. `Output` cannot have it, since a `Vec` might one day be
/// written by serde whatever is in it.
pub trait Blocks {
    /// What becomes of it in a tool that says no more.
    fn returns(&self) -> Returns<Vec<Content>> {
        Returns {
            contract: || Contract::ContentOnly,
            outcome: |blocks, _| Ok(Outcome::Content(blocks)),
        }
    }

    /// What becomes of it in a tool that is marked content-only.
    fn returns_content(&self) -> Returns<Vec<Content>> {
        self.returns()
    }
}

impl Blocks for Of<Vec<Content>> {}

/// A value's type, second form: anything else.
pub trait Value {
    /// The type.
    type Type;

    /// What becomes of it in a tool that says no more.
    fn returns(&self) -> Returns<Self::Type>
    where
        Self::Type: Output,
    {
        Returns {
            contract: <Self::Type as Output>::contract,
            outcome: <Self::Type as Output>::into_outcome,
        }
    }

    /// What becomes of it in a tool that has content of its own.
    fn returns_own_content(&self) -> Returns<Self::Type>
    where
        Self::Type: OwnContent,
    {
        Returns {
            contract: <Self::Type as Output>::contract,
            outcome: <Self::Type as Output>::into_outcome,
        }
    }

    /// What becomes of it in a tool that is marked content-only.
    fn returns_content(&self) -> Returns<Self::Type>
    where
        Self::Type: Written,
    {
        Returns { contract: || Contract::ContentOnly, outcome: |value, _| value.into_outcome() }
    }
}

impl<T> Value for &Of<T> {
    type Type = T;
}
