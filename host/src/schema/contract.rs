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
use super::{Bounds, bounds, compile, dialect, expansion, json};

/// A compiled schema.
#[derive(Debug)]
pub(super) struct Contract {
    name: String,
    wraps: bool,
    published: Arc<Map<String, Value>>,
    schema: Value,
    references: References,
    validator: Validator,
    engine: compile::Engine,
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
        expansion::check(&schema, &references, bounds)?;
        let engine = compile::Engine::new(bounds);
        let validator = engine.compile(&schema)?;
        Ok(Self { name, wraps, published, schema, references, validator, engine })
    }

    pub(super) fn published(&self) -> &Arc<Map<String, Value>> {
        &self.published
    }

    pub(super) fn wraps(&self) -> bool {
        self.wraps
    }

    pub(super) fn is_valid(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    /// The root.
    pub(super) fn schema(&self) -> &Value {
        &self.schema
    }

    pub(super) fn evaluator(&self, manner: Manner) -> Evaluator<'_> {
        Evaluator::new(&self.schema, &self.references, &self.engine, manner)
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
