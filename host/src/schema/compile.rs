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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn compiled(schema: &Value) -> Result<Validator, Refused> {
        Engine::new(&Bounds::default()).compile(schema)
    }

    #[test]
    fn formats_and_encodings_are_asserted() {
        let day = compiled(&json!({"format": "date"})).unwrap();
        assert!(day.is_valid(&json!("2024-02-29")) && !day.is_valid(&json!("2023-02-29")));
        let bytes = compiled(&json!({"contentEncoding": "base64"})).unwrap();
        assert!(bytes.is_valid(&json!("AA==")) && !bytes.is_valid(&json!("AA")));
        assert!(bytes.is_valid(&json!(7)));
        let media = compiled(&json!({"contentMediaType": "application/json"})).unwrap();
        assert!(media.is_valid(&json!("{")));
    }

    #[test]
    fn a_pattern_that_is_not_supported_is_named() {
        for schema in [json!({"pattern": r"(a)\1"}), json!({"patternProperties": {r"(a)\1": {}}})] {
            let error = compiled(&schema).unwrap_err();
            assert!(matches!(error, Refused::Pattern { .. }), "{error}");
            assert!(error.to_string().contains(r"`(a)\1`"), "{error}");
        }
    }

    #[test]
    fn a_schema_that_is_not_valid_is_refused_where_it_is_not() {
        let error = compiled(&json!({"properties": {"a": {"minimum": "1"}}})).unwrap_err();
        assert!(error.to_string().contains("#/properties/a/minimum"), "{error}");
    }

    #[test]
    fn nothing_is_fetched() {
        assert!(compiled(&json!({"$ref": "http://127.0.0.1:9/s"})).is_err());
        assert!(compiled(&json!({"$ref": "file:///etc/hostname"})).is_err());
    }
}
