//! A published schema and what checks values against it.
//!
//! Whether a value is valid is decided by the compiled validator alone; everything else here
//! only says why not.

use std::sync::Arc;

use jsonschema::Validator;
use serde_json::{Map, Value};

use super::evaluate::{Evaluator, Manner};
use super::mismatch::{Mismatch, Problem};
use super::normalise::Published;
use super::references::References;
use super::refused::Refused;
use super::remember::Remembering;
use super::stream::Stream;
use super::{Bounds, Refs, bounds, compile, dialect, expansion, hoist, json, overlap, walk};

/// Parts of a value times schemas that each may have to be checked against.
const CHECKS_MAX: usize = 1 << 25;

/// A compiled schema.
#[derive(Debug)]
pub(super) struct Contract {
    name: String,
    wraps: bool,
    published: Arc<Map<String, Value>>,
    schema: Value,
    /// Schemas that one value may have to be checked against.
    expansion: usize,
    references: References,
    validator: Checker,
    engine: compile::Engine,
}

/// What decides whether a value is valid.
#[derive(Debug)]
enum Checker {
    Plain(Validator),
    /// For a schema by which the work could double with each level of a value.
    Remembering(Remembering),
}

/// Reads an author's schema and checks it against the bounds.
pub(super) fn read(text: &str, bounds: &Bounds) -> Result<Value, Refused> {
    let (bytes, bytes_max) = (text.len(), bounds.schema_bytes_max);
    if bytes > bytes_max {
        return Err(Refused::TooLarge { bytes, bytes_max });
    }
    let (author, _) = json::read(text, bounds.depth_max)?;
    bounds::check(&author, bounds)?;
    dialect::check(&author)?;
    expansion::check(&author, &References::within(&author)?, bounds)?;
    Ok(author)
}

impl Contract {
    /// Compiles what is published.
    pub(super) fn new(published: Published, bounds: &Bounds) -> Result<Self, Refused> {
        let Published { schema, name, wraps } = published;
        let published = Arc::new(schema.clone());
        let schema = Value::Object(schema);
        bounds::check(&schema, bounds)?;
        let references = References::within(&schema)?;
        let expansion = expansion::check(&schema, &references, bounds)?;
        let engine = compile::Engine::new(bounds);
        // Of every schema, as what is compiled apart is not all that is published.
        let plain = engine.compile(&schema)?;
        let validator = if overlap::overlaps(&schema, &references) {
            no_unevaluated(&schema)?;
            let apart = hoist::hoist(&schema, "root", Refs::Inline)?;
            Checker::Remembering(Remembering::new(&engine, apart)?)
        } else {
            Checker::Plain(plain)
        };
        Ok(Self { name, wraps, published, schema, expansion, references, validator, engine })
    }

    pub(super) fn published(&self) -> &Arc<Map<String, Value>> {
        &self.published
    }

    pub(super) fn wraps(&self) -> bool {
        self.wraps
    }

    /// Whether a value of so many parts can be checked in time.
    pub(super) fn affords(&self, parts: usize) -> bool {
        parts.saturating_mul(self.expansion) <= CHECKS_MAX
    }

    pub(super) fn is_valid(&self, value: &Value) -> bool {
        match &self.validator {
            Checker::Plain(validator) => validator.is_valid(value),
            Checker::Remembering(validator) => validator.is_valid(value),
        }
    }

    /// What checks values while they are read, if the schema allows it.
    pub(super) fn stream(&self) -> Option<Stream> {
        Stream::new(&self.schema, &self.references, &self.engine, self.wraps)
    }

    /// The root.
    pub(super) fn schema(&self) -> &Value {
        &self.schema
    }

    /// The schema that `reference` leads to.
    pub(super) fn find(&self, reference: &str) -> Option<&Value> {
        self.references.find(&self.schema, reference)
    }

    pub(super) fn evaluator(&self, manner: Manner) -> Evaluator<'_> {
        let quick = matches!(self.validator, Checker::Plain(_));
        Evaluator::new(&self.schema, &self.references, &self.engine, manner, quick)
    }

    pub(super) fn too_costly(&self) -> Mismatch {
        let problem = Problem::new("Input has too many values to be checked in time; send less");
        Mismatch::new(&self.name, &[problem], false)
    }

    /// Why `value`, which is not valid, is not. `others` are problems found elsewhere; where one
    /// is, no other is told.
    pub(super) fn mismatch(&self, value: &Value, manner: Manner, others: Vec<Problem>) -> Mismatch {
        let mut evaluator = self.evaluator(manner);
        let mut problems = evaluator.check(&self.schema, value);
        problems.retain(|problem| !others.iter().any(|other| other.is_where(problem)));
        problems.extend(others);
        if problems.is_empty() {
            problems.push(Problem::new("Input should match the schema"));
        }
        Mismatch::new(&self.name, &problems, evaluator.is_cut_short())
    }
}

/// What is checked apart cannot know what was evaluated elsewhere.
fn no_unevaluated(schema: &Value) -> Result<(), Refused> {
    let Value::Object(map) = schema else { return Ok(()) };
    for keyword in ["unevaluatedProperties", "unevaluatedItems"] {
        if map.contains_key(keyword) {
            return Err(Refused::Overlap { keyword });
        }
    }
    walk::children(map).try_for_each(|child| no_unevaluated(child.schema))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_is_read_within_its_bounds() {
        let bounds = Bounds { schema_bytes_max: 20, ..Bounds::default() };
        assert_eq!(read(r#"{"type": "string"}"#, &bounds), Ok(json!({"type": "string"})));
        let error = read(r#"{"type":    "string"}"#, &bounds).unwrap_err();
        assert_eq!(error, Refused::TooLarge { bytes: 21, bytes_max: 20 });
        let error = read("{", &bounds).unwrap_err();
        assert!(error.to_string().starts_with("it is not JSON: "), "{error}");
        let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
        let error = read(&deep, &Bounds::default()).unwrap_err();
        assert!(error.to_string().contains("deeper than 64 levels"), "{error}");
    }

    #[test]
    fn only_what_overlaps_is_checked_by_remembering() {
        let contract = |schema: Value| {
            let Value::Object(schema) = schema else { panic!("an object") };
            let published = Published { schema, name: "X".to_owned(), wraps: false };
            Contract::new(published, &Bounds::default())
        };
        let a = json!({"items": {"$ref": "#/$defs/A"}});
        let schema = json!({"anyOf": [a, a], "$defs": {"A": {"type": "integer"}}});
        let overlapping = contract(schema.clone()).unwrap();
        assert!(matches!(overlapping.validator, Checker::Remembering(_)));
        assert!(overlapping.is_valid(&json!([1])) && !overlapping.is_valid(&json!(["1"])));
        let plain = contract(json!({"anyOf": [a], "$defs": {"A": {}}})).unwrap();
        assert!(matches!(plain.validator, Checker::Plain(_)));
        let mut anchored = schema.clone();
        anchored["$anchor"] = json!(1);
        assert!(matches!(contract(anchored), Err(Refused::Invalid { .. })));
        let mut unevaluated = schema;
        unevaluated["unevaluatedItems"] = json!(false);
        assert!(matches!(contract(unevaluated), Err(Refused::Overlap { .. })));
    }
}
