//! Results checked against their contract.
//!
//! Only [`Output`] makes a [`Verified`], and only of a value that its schema allows; nothing is
//! coerced (rule V4).

use std::sync::Arc;

use serde_json::{Map, Value};

use super::contract::{self, Contract};
use super::evaluate::Manner;
use super::normalise::{self, RESULT};
use super::{Bounds, Mismatch, NotJson, Refused, Style, VALUE_DEPTH_MAX, json};

/// A tool's compiled output contract.
#[derive(Debug)]
pub struct Output {
    contract: Contract,
    tool: String,
    style: Style,
}

/// A value that its contract allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// Always an object.
    whole: Value,
    wraps: bool,
}

/// Why a result is not verified. The tool's author must act.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unverified {
    /// It is not JSON that every reader reads alike.
    #[error("the result is not JSON: {0}")]
    NotJson(NotJson),
    /// It does not fit the schema.
    #[error("{0}")]
    Mismatch(Mismatch),
    /// It is too large for how many schemas each of its parts may have to be checked against.
    #[error(
        "the result has {parts} values, too many to be checked against its schema in time; \
         return less, or use fewer nested unions"
    )]
    TooCostly {
        /// The values that it is made of.
        parts: usize,
    },
    /// It came with a schema of its own that is refused.
    #[error("the result's own schema is refused: {0}")]
    Exact(Refused),
}

impl Output {
    /// Publishes and compiles an author's output schema for `tool`.
    ///
    /// # Errors
    /// [`Refused`] if the schema is beyond `bounds`, refers to anything outside of itself, is of
    /// another dialect or not valid, or allows no value.
    pub fn load(text: &str, tool: &str, style: Style, bounds: &Bounds) -> Result<Self, Refused> {
        let author = contract::read(text, bounds)?;
        let published = normalise::output(&author, tool, style, bounds, None)?;
        let contract = Contract::new(published, bounds)?;
        Ok(Self { contract, tool: tool.to_owned(), style })
    }

    /// The schema as clients see it: its root has `type: object`.
    #[must_use]
    pub fn published(&self) -> &Arc<Map<String, Value>> {
        self.contract.published()
    }

    /// Whether values are published in a property `result` (rules W1, W2).
    #[must_use]
    pub fn wraps(&self) -> bool {
        self.contract.wraps()
    }

    /// Checks a result, JSON text of the value itself, never wrapped.
    ///
    /// # Errors
    /// [`Unverified`] with every error, in the order of declaration (rule V2).
    pub fn verify(&self, json: &str) -> Result<Verified, Unverified> {
        let (value, parts) = json::read(json, VALUE_DEPTH_MAX).map_err(Unverified::NotJson)?;
        if !self.contract.affords(parts) {
            return Err(Unverified::TooCostly { parts });
        }
        self.checked(value)
    }

    /// Checks a result against the contract and against a narrower schema of its own, and gives
    /// that schema as it is published. It is wrapped if the contract's values are.
    ///
    /// # Errors
    /// [`Unverified`] as of [`Output::verify`], or if the narrower schema is refused.
    pub fn verify_exact(
        &self,
        json: &str,
        exact_schema: &str,
        bounds: &Bounds,
    ) -> Result<(Verified, Value), Unverified> {
        let exact = self.exact(exact_schema, bounds).map_err(Unverified::Exact)?;
        let verified = exact.verify(json)?;
        self.fits(&verified.whole)?;
        Ok((verified, Value::Object(exact.published().as_ref().clone())))
    }

    fn exact(&self, schema: &str, bounds: &Bounds) -> Result<Self, Refused> {
        let author = contract::read(schema, bounds)?;
        let wraps = Some(self.wraps());
        let published = normalise::output(&author, &self.tool, self.style, bounds, wraps)?;
        let contract = Contract::new(published, bounds)?;
        Ok(Self { contract, tool: self.tool.clone(), style: self.style })
    }

    fn checked(&self, value: Value) -> Result<Verified, Unverified> {
        let wraps = self.wraps();
        let whole =
            if wraps { Value::Object(Map::from_iter([(RESULT.to_owned(), value)])) } else { value };
        self.fits(&whole)?;
        Ok(Verified { whole, wraps })
    }

    fn fits(&self, value: &Value) -> Result<(), Unverified> {
        if self.contract.is_valid(value) { Ok(()) } else { Err(self.mismatch(value)) }
    }

    fn mismatch(&self, value: &Value) -> Unverified {
        Unverified::Mismatch(self.contract.mismatch(value, Manner::Strict, Vec::new()))
    }
}

impl Verified {
    /// The value as the tool gave it.
    #[must_use]
    pub fn value(&self) -> &Value {
        if self.wraps { &self.whole[RESULT] } else { &self.whole }
    }

    /// The value as it is published: an object, wrapped if the contract says so.
    #[must_use]
    pub fn structured(&self) -> &Map<String, Value> {
        match &self.whole {
            Value::Object(structured) => structured,
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => {
                unreachable!("the root of a published schema has `type: object`")
            }
        }
    }

    /// As [`Verified::structured`], without a copy.
    #[must_use]
    pub fn into_structured(self) -> Map<String, Value> {
        match self.whole {
            Value::Object(structured) => structured,
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => {
                unreachable!("the root of a published schema has `type: object`")
            }
        }
    }
}
