//! From a schema to its validator.
//!
//! A validator has no way to fetch anything, matches patterns in time linear in the text, and
//! asserts every format and encoding that its schema names.

use jsonschema::{
    Draft, Keyword, PatternCache, PatternOptions, Uri, ValidationError, ValidationOptions,
    Validator,
};
use serde_json::{Map, Value};

use super::refused::{At, Piece, Refused};
use super::remember::{self, Factory};
use super::{Bounds, encoding};

/// What compiles a schema, and parts of it later on.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    regex_bytes_max: usize,
    /// Patterns that were compiled already.
    patterns: PatternCache,
}

impl Engine {
    pub(super) fn new(bounds: &Bounds) -> Self {
        Self { regex_bytes_max: bounds.regex_bytes_max, patterns: PatternCache::new() }
    }

    /// # Errors
    /// [`Refused`] if it is not a valid schema, or has a pattern that is not supported.
    pub(super) fn compile(&self, schema: &Value) -> Result<Validator, Refused> {
        self.options().build(schema).map_err(|error| refused(schema, &error))
    }

    /// Compiles a schema in which [`remember::KEYWORD`] stands for references.
    pub(super) fn compile_apart(
        &self,
        schema: &Value,
        definitions: &Factory,
    ) -> Result<Validator, Refused> {
        let definitions = definitions.clone();
        self.options()
            .with_keyword(remember::KEYWORD, move |_: &Map<_, _>, name: &Value, _| {
                Ok(remember::keyword(&definitions, name))
            })
            .build(schema)
            .map_err(|error| refused(schema, &error))
    }

    fn options(&self) -> ValidationOptions<'static> {
        let patterns = PatternOptions::regex()
            .size_limit(self.regex_bytes_max)
            .dfa_size_limit(self.regex_bytes_max);
        jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_retriever(Nowhere)
            .with_pattern_options(patterns)
            .with_pattern_cache(self.patterns.clone())
            .should_validate_formats(true)
            .with_keyword("contentEncoding", |_: &Map<_, _>, encoding: &Value, _| {
                let name = encoding.as_str().unwrap_or_default();
                Ok(Box::new(Encoded { is_encoded: encoding::checker(name) }))
            })
    }
}

/// Refuses to fetch.
struct Nowhere;

impl jsonschema::Retrieve for Nowhere {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("`{uri}` is outside of the schema").into())
    }
}

fn refused(schema: &Value, error: &ValidationError<'_>) -> Refused {
    let pointer = error.instance_path().as_str();
    let at = At::new(pointer);
    let mut steps = pointer.rsplit('/');
    let (last, outer) = (steps.next().unwrap_or_default(), steps.next());
    match (schema.pointer(pointer), outer) {
        (Some(Value::String(pattern)), _) if last == "pattern" => {
            Refused::Pattern { at, pattern: Piece::new(pattern) }
        }
        (_, Some("patternProperties")) => {
            let pattern = last.replace("~1", "/").replace("~0", "~");
            Refused::Pattern { at, pattern: Piece::new(&pattern) }
        }
        (Some(_) | None, _) => {
            Refused::Invalid { at, why: Piece::new(&error.masked().to_string()) }
        }
    }
}

/// Asserts `contentEncoding`, which 2020-12 leaves to the reader.
struct Encoded {
    is_encoded: fn(&str) -> bool,
}

impl<'i> Keyword<'i> for Encoded {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if Keyword::is_valid(self, instance) {
            Ok(())
        } else {
            Err(ValidationError::custom("not in the encoding"))
        }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        instance.as_str().is_none_or(self.is_encoded)
    }
}
