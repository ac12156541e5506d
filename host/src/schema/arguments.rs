//! Arguments checked against a tool's input schema.
//!
//! Only [`Input`] makes [`Arguments`], and only of what the schema allows.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::contract::{self, Contract};
use super::evaluate::Manner;
use super::mismatch::Problem;
use super::{Bounds, Mismatch, Refused, Style, coerce, json, normalise};

/// A tool's compiled input schema.
#[derive(Debug)]
pub struct Input {
    contract: Contract,
}

/// Arguments that a tool's input schema allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Arguments {
    map: Map<String, Value>,
}

impl Input {
    /// Publishes and compiles an author's input schema for `tool`.
    ///
    /// # Errors
    /// [`Refused`] if the schema is beyond `bounds`, refers to anything outside of itself, is of
    /// another dialect or not valid, or if its root is not a flat object.
    pub fn load(text: &str, tool: &str, style: Style, bounds: &Bounds) -> Result<Self, Refused> {
        let author = contract::read(text, bounds)?;
        let published = normalise::input(&author, tool, style, bounds)?;
        Ok(Self { contract: Contract::new(published, bounds)? })
    }

    /// The schema as clients see it: its root is an object with `properties`.
    #[must_use]
    pub fn published(&self) -> &Arc<Map<String, Value>> {
        self.contract.published()
    }

    /// Checks arguments, reading them as rules I1 to I5 have it: a numeric string for a number,
    /// an integral number for an integer, `"true"` and `"false"` for a boolean, and JSON text for
    /// a parameter that is an object or an array and cannot be a string.
    ///
    /// # Errors
    /// [`Mismatch`] with every error, in the order of declaration; an argument that the schema
    /// does not know is one, unless it allows additional properties in as many words.
    pub fn check(&self, arguments: Map<String, Value>) -> Result<Arguments, Mismatch> {
        let unknown = self.unknown(&arguments);
        let value = Value::Object(arguments);
        if !self.contract.affords(json::parts(&value)) {
            return Err(self.contract.too_costly());
        }
        let as_is = self.contract.is_valid(&value) && !coerce::has_whole_float(&value);
        let (value, problems) =
            if as_is { (value, Vec::new()) } else { coerce::coerce(&self.contract, value) };
        let is_valid = as_is || self.contract.is_valid(&value);
        match value {
            Value::Object(map) if is_valid && problems.is_empty() && unknown.is_empty() => {
                Ok(Arguments { map })
            }
            value => {
                let others = problems.into_iter().chain(unknown);
                Err(self.contract.mismatch(&value, Manner::Lenient, others.collect()))
            }
        }
    }

    fn unknown(&self, arguments: &Map<String, Value>) -> Vec<Problem> {
        let schema = self.contract.published();
        let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        let open = ["additionalProperties", "unevaluatedProperties"];
        let open = !closed && open.into_iter().any(|keyword| schema.contains_key(keyword));
        if open || schema.contains_key("patternProperties") {
            return Vec::new();
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        let known: Vec<_> = properties.into_iter().flat_map(Map::keys).collect();
        arguments
            .keys()
            .filter(|name| !known.contains(name))
            .map(|name| Problem::new(unexpected(name, &known)).under(name))
            .collect()
    }
}

fn unexpected(name: &str, known: &[&String]) -> String {
    let likeness = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    let nearest = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match nearest {
        Some(nearest) => format!("Unexpected argument; the nearest known one is '{nearest}'"),
        None => "Unexpected argument; this tool takes none".to_owned(),
    }
}

impl Arguments {
    /// As one JSON object.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.map).unwrap_or_default()
    }

    /// By name.
    #[must_use]
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.map
    }
}
