//! Values that are not made of others.

use jsonschema::Validator;
use serde_json::Value;

use super::super::kinds::Kinds;
use super::Stream;
use super::node::{ANY, Id, Node, Plain};

/// A value that is not made of others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scalar<'a> {
    Null,
    Boolean(bool),
    /// One that fits s64 or u64.
    Integer(i128),
    Float(f64),
    Text(&'a str),
}

/// What is said of strings.
#[derive(Debug)]
pub(super) struct Text {
    /// In characters.
    pub(super) min: u64,
    pub(super) max: u64,
    /// All that are allowed, sorted; none: any.
    pub(super) cases: Option<Vec<String>>,
    pub(super) is_encoded: Option<fn(&str) -> bool>,
    /// All else.
    pub(super) rest: Option<Validator>,
}

impl Default for Text {
    fn default() -> Self {
        Self { min: 0, max: u64::MAX, cases: None, is_encoded: None, rest: None }
    }
}

impl Text {
    pub(super) fn allows(&self, text: &str) -> bool {
        self.has_length(text)
            && self
                .cases
                .as_ref()
                .is_none_or(|cases| cases.binary_search_by(|case| case.as_str().cmp(text)).is_ok())
            && self.is_encoded.is_none_or(|is_encoded| is_encoded(text))
            && self.rest.as_ref().is_none_or(|rest| rest.is_valid(&Value::from(text)))
    }

    /// Characters are counted only where the bytes leave it open: one has one to four.
    fn has_length(&self, text: &str) -> bool {
        let bytes = text.len() as u64;
        if self.min <= bytes.div_ceil(4) && bytes <= self.max {
            return true;
        }
        (self.min..=self.max).contains(&(text.chars().count() as u64))
    }
}

impl Stream {
    /// Whether the schema allows a value that is not made of others.
    pub(super) fn allows(&self, id: Id, value: &Scalar<'_>) -> bool {
        match &self.nodes[id] {
            _any if id == ANY => true,
            Node::Plain(plain) => plain.allows(value),
            Node::Union(union) => {
                let mut arms = union.arms.iter().filter(|arm| self.allows(**arm, value));
                arms.next().is_some() && !(union.exactly_one && arms.next().is_some())
            }
        }
    }
}

impl Plain {
    fn allows(&self, value: &Scalar<'_>) -> bool {
        match value {
            Scalar::Null => self.kinds.has(Kinds::NULL),
            Scalar::Boolean(value) => {
                self.kinds.has(Kinds::BOOLEAN) && self.boolean.is_none_or(|only| only == *value)
            }
            Scalar::Integer(integer) => {
                self.kinds.has(Kinds::INTEGER) && self.numbers.allow_integer(*integer)
            }
            // A whole float is an integer (JSON Schema 2020-12 core, section 4.2.2).
            Scalar::Float(float) => {
                (self.kinds.has(Kinds::FLOAT)
                    || (self.kinds.has(Kinds::INTEGER) && float.fract() == 0.0))
                    && self.numbers.allow_float(*float)
            }
            Scalar::Text(text) => self.kinds.has(Kinds::STRING) && self.text.allows(text),
        }
    }
}
