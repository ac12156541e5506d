//! Results checked against their contract.
//!
//! Only [`Output`] makes a [`Verified`], and only of a value that its schema allows; nothing is
//! coerced (rule V4).

use std::sync::Arc;

use serde_json::{Map, Value};

use super::contract::{self, Contract};
use super::evaluate::Manner;
use super::normalise::{self, RESULT};
use super::stream::Stream;
use super::{Bounds, Mismatch, NotJson, Refused, Style, VALUE_DEPTH_MAX, json};
use crate::present::Structured;

/// A tool's compiled output contract.
#[derive(Debug)]
pub struct Output {
    contract: Contract,
    /// What checks most results, and only ever accepts.
    stream: Option<Stream>,
    tool: String,
    style: Style,
}

/// A value that its contract allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    whole: Structured,
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
        let stream = contract.stream();
        Ok(Self { contract, stream, tool: tool.to_owned(), style })
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
        match self.read(json) {
            Some(verified) => Ok(verified),
            None => self.decide(json).map(|whole| self.verified(&whole)),
        }
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
        let whole = exact.decide(json)?;
        self.fits(&whole)?;
        let published = Value::Object(exact.published().as_ref().clone());
        Ok((self.verified(&whole), published))
    }

    fn exact(&self, schema: &str, bounds: &Bounds) -> Result<Self, Refused> {
        let author = contract::read(schema, bounds)?;
        let wraps = Some(self.wraps());
        let published = normalise::output(&author, &self.tool, self.style, bounds, wraps)?;
        let contract = Contract::new(published, bounds)?;
        Ok(Self { contract, stream: None, tool: self.tool.clone(), style: self.style })
    }

    /// What checks results while they are read.
    #[cfg(test)]
    pub(super) fn stream(&self) -> Option<&Stream> {
        self.stream.as_ref()
    }

    /// Checks a result while it is read. None says nothing about it.
    pub(super) fn read(&self, json: &str) -> Option<Verified> {
        let (json, parts) = self.stream.as_ref()?.read(json)?;
        let verified = Verified { whole: Structured::new(json), wraps: self.wraps() };
        self.contract.affords(parts).then_some(verified)
    }

    /// Reads a result and checks it, and gives it as it is published.
    pub(super) fn decide(&self, json: &str) -> Result<Value, Unverified> {
        let (value, parts) = json::read(json, VALUE_DEPTH_MAX).map_err(Unverified::NotJson)?;
        if !self.contract.affords(parts) {
            return Err(Unverified::TooCostly { parts });
        }
        let whole = match self.wraps() {
            true => Value::Object(Map::from_iter([(RESULT.to_owned(), value)])),
            false => value,
        };
        self.fits(&whole)?;
        Ok(whole)
    }

    /// `whole` is an object, as the root of a published schema has `type: object`.
    fn verified(&self, whole: &Value) -> Verified {
        Verified { whole: Structured::new(whole.to_string()), wraps: self.wraps() }
    }

    fn fits(&self, value: &Value) -> Result<(), Unverified> {
        if self.contract.is_valid(value) { Ok(()) } else { Err(self.mismatch(value)) }
    }

    fn mismatch(&self, value: &Value) -> Unverified {
        Unverified::Mismatch(self.contract.mismatch(value, Manner::Strict, Vec::new()))
    }
}

impl Verified {
    /// The value as the tool gave it: JSON text, compact, as `serde_json` writes it.
    #[must_use]
    pub fn json(&self) -> &str {
        let whole = self.whole.as_str();
        if !self.wraps {
            return whole;
        }
        // `{"result":` and `}`.
        &whole[RESULT.len() + 4..whole.len() - 1]
    }

    /// The value as it is published: an object, wrapped if the contract says so.
    #[must_use]
    pub fn structured(&self) -> &Structured {
        &self.whole
    }

    /// As [`Verified::structured`], without a copy.
    #[must_use]
    pub fn into_structured(self) -> Structured {
        self.whole
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn output(schema: &Value) -> Output {
        Output::load(&schema.to_string(), "get", Style::default(), &Bounds::default()).unwrap()
    }

    #[test]
    fn a_value_that_fits_is_there_bare_and_as_published() {
        let list = output(&json!({"type": "array", "items": {"type": "number"}}));
        assert!(list.wraps());
        let verified = list.verify("[1, 2.0]").unwrap();
        assert_eq!(verified.json(), "[1,2.0]");
        assert_eq!(verified.structured().as_str(), r#"{"result":[1,2.0]}"#);
        assert_eq!(Value::Object(verified.structured().to_map()), json!({"result": [1, 2.0]}));
        let record = output(&json!({"properties": {"b": {}, "a": {}}}));
        assert!(!record.wraps());
        let verified = record.verify(r#"{"z": 1, "a": null}"#).unwrap();
        assert_eq!(verified.json(), r#"{"z":1,"a":null}"#);
        assert_eq!(verified.into_structured().as_str(), r#"{"z":1,"a":null}"#);
    }

    #[test]
    fn nothing_is_coerced() {
        for (schema, value) in [
            (json!({"type": "integer"}), r#""42""#),
            (json!({"type": "boolean"}), "1"),
            (json!({"type": "boolean"}), r#""yes""#),
            (json!({"type": "string"}), "5"),
            (json!({"type": "number"}), "null"),
            (json!({"properties": {"a": {"type": "array"}}}), r#"{"a": "[]"}"#),
        ] {
            let verified = output(&schema).verify(value);
            assert!(matches!(verified, Err(Unverified::Mismatch(_))), "{schema} {value}");
        }
    }

    #[test]
    fn unknown_fields_are_errors_only_where_the_schema_is_closed() {
        let open = output(&json!({"properties": {"a": {}}}));
        assert!(open.verify(r#"{"b": 1}"#).is_ok());
        let closed = output(&json!({"properties": {"a": {}}, "additionalProperties": false}));
        assert_eq!(
            closed.verify(r#"{"b": 1}"#).unwrap_err().to_string(),
            "1 validation error for getOutput\nb\n  Extra inputs are not permitted"
        );
    }

    #[test]
    fn what_readers_would_not_agree_on_is_no_result() {
        let any = output(&json!({}));
        for (text, expected) in [
            (r#"{"a": 1, "a": 2}"#, "the key `a` is given twice (at byte 12)"),
            ("1e999", "number out of range (at byte 5)"),
            ("NaN", "expected value (at byte 1)"),
        ] {
            let error = any.verify(text).unwrap_err().to_string();
            assert_eq!(error, format!("the result is not JSON: {expected}"));
        }
    }

    #[test]
    fn an_exact_schema_narrows_the_contract_and_never_widens_it() {
        let table = output(&json!({"type": "array", "items": {"type": "object"}}));
        let row = r#"{"title": "Row", "type": "object", "properties": {"n": {"type": "integer"}}}"#;
        let items = r##""items": {"$ref": "#/$defs/Row"}"##;
        let rows = format!(r#"{{"type": "array", {items}, "$defs": {{"Row": {row}}}}}"#);
        let bounds = Bounds::default();
        let (verified, exact) = table.verify_exact(r#"[{"n": 1}]"#, &rows, &bounds).unwrap();
        assert_eq!(verified.json(), r#"[{"n":1}]"#);
        assert_eq!(exact["properties"]["result"]["items"], json!({"$ref": "#/$defs/Row"}));
        let wrong = table.verify_exact(r#"[{"n": "x"}]"#, &rows, &bounds).unwrap_err();
        assert!(wrong.to_string().contains("result.0.n\n"), "{wrong}");
        let wider = table.verify_exact("[1]", r#"{"type": "array"}"#, &bounds).unwrap_err();
        assert!(wider.to_string().contains("result.0\n"), "{wider}");
        let outside = r#"{"$ref": "https://a.example/s"}"#;
        let refused = table.verify_exact("[]", outside, &bounds).unwrap_err();
        assert!(matches!(refused, Unverified::Exact(Refused::Outside { .. })), "{refused}");
    }

    #[test]
    fn an_exact_schema_is_wrapped_as_its_contract_is() {
        let any = output(&json!({}));
        let record = r#"{"type": "object", "properties": {"a": {"type": "null"}}}"#;
        let (verified, exact) =
            any.verify_exact(r#"{"a": null}"#, record, &Bounds::default()).unwrap();
        assert_eq!(verified.structured().as_str(), r#"{"result":{"a":null}}"#);
        assert_eq!(exact["required"], json!(["result"]));
    }
}
