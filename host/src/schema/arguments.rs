//! Arguments checked against a tool's input schema.
//!
//! Only [`Input`] makes [`Arguments`], and only of what the schema allows.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::contract::{self, Contract};
use super::evaluate::Manner;
use super::mismatch::Problem;
use super::walk::{self, Applies};
use super::{Bounds, Mismatch, Refused, Style, coerce, headers, json, normalise, references};

/// A tool's compiled input schema.
#[derive(Debug)]
pub struct Input {
    contract: Contract,
    known: Known,
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
    /// another dialect or not valid, if its root is not an object, or if clients have to reject an
    /// `x-mcp-header` in it.
    pub fn load(text: &str, tool: &str, style: Style, bounds: &Bounds) -> Result<Self, Refused> {
        let author = contract::read(text, bounds)?;
        let published = normalise::input(&author, tool, style, bounds)?;
        headers::check(&published.schema)?;
        let contract = Contract::new(published, bounds)?;
        let mut known = Known::default();
        known.gather(contract.schema(), &|reference| contract.find(reference));
        Ok(Self { contract, known })
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
        let unknown = self.known.others(&arguments);
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
}

/// The arguments that a schema knows.
#[derive(Debug, Default)]
pub(super) struct Known {
    names: Vec<String>,
    /// Whether others are allowed in as many words.
    open: bool,
}

impl Known {
    /// Adds what `schema`, and all that applies in place with it, knows; `find` gives what a
    /// reference leads to.
    pub(super) fn gather<'s>(
        &mut self,
        schema: &'s Value,
        find: &dyn Fn(&str) -> Option<&'s Value>,
    ) {
        let Value::Object(map) = schema else { return };
        for keyword in ["additionalProperties", "unevaluatedProperties", "patternProperties"] {
            self.open |= map.get(keyword).is_some_and(|rest| *rest != Value::Bool(false));
        }
        for name in map.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys)
        {
            if !self.names.contains(name) {
                self.names.push(name.clone());
            }
        }
        for (_, reference) in references::of(map) {
            if let Some(target) = find(reference) {
                self.gather(target, find);
            }
        }
        for child in walk::children(map) {
            if child.applies == Applies::InPlace && child.keyword != "not" {
                self.gather(child.schema, find);
            }
        }
    }

    /// The names of all arguments that may be given, if they are listed.
    pub(super) fn names_if_closed(&self) -> Option<&[String]> {
        (!self.open).then_some(&self.names)
    }

    /// The problems of `arguments` that are not known.
    fn others(&self, arguments: &Map<String, Value>) -> Vec<Problem> {
        if self.open {
            return Vec::new();
        }
        let unknown = arguments.keys().filter(|name| !self.names.contains(name));
        unknown.map(|name| Problem::new(unexpected(name, &self.names)).under(name)).collect()
    }
}

fn unexpected(name: &str, known: &[String]) -> String {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn errors(schema: &Value, arguments: &Value) -> Vec<(String, String)> {
        let input =
            Input::load(&schema.to_string(), "t", Style::default(), &Bounds::default()).unwrap();
        let Value::Object(arguments) = arguments else { panic!("an object") };
        match input.check(arguments.clone()) {
            Ok(_) => Vec::new(),
            Err(mismatch) => {
                mismatch.errors().map(|(at, what)| (at.to_owned(), what.to_owned())).collect()
            }
        }
    }

    fn error(at: &str, what: &str) -> (String, String) {
        (at.to_owned(), what.to_owned())
    }

    #[test]
    fn an_unknown_argument_is_named_with_the_nearest_known_one() {
        let schema = json!({"properties": {"city": {"type": "string"}, "days": {}}});
        assert_eq!(
            errors(&schema, &json!({"City": "Rome", "day": 1})),
            [
                error("City", "Unexpected argument; the nearest known one is 'city'"),
                error("day", "Unexpected argument; the nearest known one is 'days'"),
            ]
        );
        let none = json!({"type": "object", "additionalProperties": false});
        assert_eq!(
            errors(&none, &json!({"x": 1})),
            [error("x", "Unexpected argument; this tool takes none")]
        );
    }

    #[test]
    fn additional_arguments_pass_if_the_schema_says_so() {
        let open = json!({"properties": {"a": {}}, "additionalProperties": true});
        assert_eq!(errors(&open, &json!({"b": 1})), []);
        let typed = json!({"properties": {"a": {}}, "additionalProperties": {"type": "integer"}});
        assert_eq!(errors(&typed, &json!({"b": "1"})), []);
        assert_eq!(
            errors(&typed, &json!({"b": "x"})),
            [error("b", "Input should be a valid integer, unable to parse string as an integer")]
        );
        let patterns = json!({"patternProperties": {"^x-": {"type": "integer"}}});
        assert_eq!(errors(&patterns, &json!({"x-a": 1})), []);
    }

    #[test]
    fn what_applies_in_place_knows_arguments_too() {
        let schema = json!({
            "type": "object",
            "properties": {"a": {}},
            "oneOf": [{"required": ["id"], "properties": {"id": {"type": "integer"}}}, {"$ref": "#/$defs/N"}],
            "$defs": {"N": {"required": ["name"], "properties": {"name": {"type": "string"}}}},
        });
        assert_eq!(errors(&schema, &json!({"id": "1"})), []);
        assert_eq!(errors(&schema, &json!({"name": "n", "a": 1})), []);
        assert_eq!(
            errors(&schema, &json!({"name": "n", "idd": 1})),
            [error("idd", "Unexpected argument; the nearest known one is 'id'")]
        );
    }

    #[test]
    fn every_error_is_told_in_the_order_of_declaration() {
        let schema = json!({
            "properties": {
                "n": {"type": "integer", "minimum": 1},
                "code": {"minLength": 2},
                "at": {},
            },
            "required": ["at", "n"],
        });
        assert_eq!(
            errors(&schema, &json!({"extra": 1, "code": "A", "n": "0"})),
            [
                error("n", "Input should be greater than or equal to 1"),
                error("code", "String should have at least 2 characters"),
                error("at", "Field required"),
                error("extra", "Unexpected argument; the nearest known one is 'at'"),
            ]
        );
    }

    #[test]
    fn arguments_are_written_in_the_order_given() {
        let schema = json!({"properties": {"a": {"type": "integer"}, "b": {}}});
        let input =
            Input::load(&schema.to_string(), "t", Style::default(), &Bounds::default()).unwrap();
        let arguments = serde_json::from_str(r#"{"b": 1.5, "a": "2"}"#).unwrap();
        assert_eq!(input.check(arguments).unwrap().to_json(), r#"{"b":1.5,"a":2}"#);
        assert_eq!(input.check(Map::new()).unwrap().to_json(), "{}");
    }
}
