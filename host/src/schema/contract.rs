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
use super::{Bounds, bounds, compile, dialect, expansion, json, overlap, walk};

/// A compiled schema.
#[derive(Debug)]
pub(super) struct Contract {
    name: String,
    wraps: bool,
    published: Arc<Map<String, Value>>,
    schema: Value,
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
    let author = json::read(text, bounds.depth_max)?;
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
        let engine = compile::Engine::new(bounds);
        let validator = if overlap::overlaps(&schema, &references) {
            only_pointers(&schema)?;
            Checker::Remembering(Remembering::new(&engine, &schema)?)
        } else {
            Checker::Plain(engine.compile(&schema)?)
        };
        Ok(Self { name, wraps, published, schema, references, validator, engine })
    }

    pub(super) fn published(&self) -> &Arc<Map<String, Value>> {
        &self.published
    }

    pub(super) fn wraps(&self) -> bool {
        self.wraps
    }

    pub(super) fn is_valid(&self, value: &Value) -> bool {
        match &self.validator {
            Checker::Plain(validator) => validator.is_valid(value),
            Checker::Remembering(validator) => validator.is_valid(value),
        }
    }

    /// The root.
    pub(super) fn schema(&self) -> &Value {
        &self.schema
    }

    pub(super) fn evaluator(&self, manner: Manner) -> Evaluator<'_> {
        let quick = matches!(self.validator, Checker::Plain(_));
        Evaluator::new(&self.schema, &self.references, &self.engine, manner, quick)
    }

    /// Why `value`, which is not valid, is not; `first` are problems found elsewhere.
    pub(super) fn mismatch(&self, value: &Value, manner: Manner, first: Vec<Problem>) -> Mismatch {
        let mut evaluator = self.evaluator(manner);
        let mut problems = evaluator.check(&self.schema, value);
        problems.extend(first);
        if problems.is_empty() {
            problems.push(Problem::new("Input should match the schema"));
        }
        Mismatch::new(&self.name, &problems, evaluator.is_cut_short())
    }
}

/// What a schema that is checked by remembering cannot say.
fn only_pointers(schema: &Value) -> Result<(), Refused> {
    let Value::Object(map) = schema else { return Ok(()) };
    for keyword in
        ["$dynamicRef", "$anchor", "$dynamicAnchor", "unevaluatedProperties", "unevaluatedItems"]
    {
        if map.contains_key(keyword) {
            return Err(Refused::Overlap { keyword });
        }
    }
    walk::children(map).try_for_each(|child| only_pointers(child.schema))
}
