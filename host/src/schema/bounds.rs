//! Limits on an author's schema.
//!
//! They are checked before anything is compiled; no schema that passes can use up the host's
//! time, memory or stack, or send it anywhere.

use serde_json::{Map, Value};

use super::refused::{At, Piece, Refused};
use super::walk::{self, Step};
use crate::present::clean;

/// Limits on an author's schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes of JSON text. Default: 64 KiB.
    pub schema_bytes_max: usize,
    /// Bytes of JSON text as published, references inlined if so configured. Default: 256 KiB.
    pub published_bytes_max: usize,
    /// Levels of JSON. Default: 64.
    pub depth_max: usize,
    /// Levels of schemas that apply to one value: references, unions and the like. Default: 32.
    pub nesting_max: usize,
    /// Schemas within the schema. Default: 4096.
    pub subschemas_max: usize,
    /// Schemas that one value may have to be checked against. Default: 1024.
    pub expansion_max: usize,
    /// Values of an `enum`, arms of an `anyOf`, `oneOf` or `allOf`. Default: 256.
    pub cases_max: usize,
    /// Bytes of a title or a description. Default: 1 KiB.
    pub description_bytes_max: usize,
    /// Patterns. Default: 64.
    pub patterns_max: usize,
    /// Bytes of a pattern. Default: 1 KiB.
    pub pattern_bytes_max: usize,
    /// Bytes of a compiled pattern. Default: 256 KiB.
    pub regex_bytes_max: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            schema_bytes_max: 64 << 10,
            published_bytes_max: 256 << 10,
            depth_max: 64,
            nesting_max: 32,
            subschemas_max: 4096,
            expansion_max: 1024,
            cases_max: 256,
            description_bytes_max: 1 << 10,
            patterns_max: 64,
            pattern_bytes_max: 1 << 10,
            regex_bytes_max: 256 << 10,
        }
    }
}

/// Checks the texts in `schema`, and the number and size of what is in it.
///
/// # Errors
/// [`Refused`] for the first that is not within `bounds`.
pub(super) fn check(schema: &Value, bounds: &Bounds) -> Result<(), Refused> {
    texts(schema, &mut String::new())?;
    let mut count = Count { bounds, schemas: 0, patterns: 0 };
    count.visit(schema, &mut String::new())
}

/// Refuses hidden characters in every key and string.
fn texts(value: &Value, at: &mut String) -> Result<(), Refused> {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        Value::String(text) => shown(text, at),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| below(at, Step::Index(index), |at| texts(item, at))),
        Value::Object(entries) => entries.iter().try_for_each(|(key, entry)| {
            shown(key, at)?;
            below(at, Step::Key(key), |at| texts(entry, at))
        }),
    }
}

fn shown(text: &str, at: &str) -> Result<(), Refused> {
    if clean::is_clean(text) {
        return Ok(());
    }
    Err(Refused::Hidden { at: At::new(at), text: Piece::new(text) })
}

/// Runs `run` with `step` added to the pointer `at`.
pub(crate) fn below<T>(at: &mut String, step: Step<'_>, run: impl FnOnce(&mut String) -> T) -> T {
    let length = at.len();
    at.push('/');
    match step {
        Step::Key(key) => at.push_str(&key.replace('~', "~0").replace('/', "~1")),
        Step::Index(index) => at.push_str(&index.to_string()),
    }
    let result = run(at);
    at.truncate(length);
    result
}

struct Count<'a> {
    bounds: &'a Bounds,
    schemas: usize,
    patterns: usize,
}

impl Count<'_> {
    fn visit(&mut self, schema: &Value, at: &mut String) -> Result<(), Refused> {
        self.schemas += 1;
        if self.schemas > self.bounds.subschemas_max {
            return Err(Refused::TooManySchemas { subschemas_max: self.bounds.subschemas_max });
        }
        let map = match schema {
            Value::Bool(_) => return Ok(()),
            Value::Object(map) => map,
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                let why = Piece::new("a schema is an object or a boolean");
                return Err(Refused::Invalid { at: At::new(at), why });
            }
        };
        self.keywords(map, at)?;
        for child in walk::children(map) {
            below(at, Step::Key(child.keyword), |at| match child.step {
                None => self.visit(child.schema, at),
                Some(step) => below(at, step, |at| self.visit(child.schema, at)),
            })?;
        }
        Ok(())
    }

    fn keywords(&mut self, schema: &Map<String, Value>, at: &str) -> Result<(), Refused> {
        for keyword in ["title", "description"] {
            let bytes = schema.get(keyword).and_then(Value::as_str).map_or(0, str::len);
            let bytes_max = self.bounds.description_bytes_max;
            if bytes > bytes_max {
                return Err(Refused::TooLong { at: At::new(at), keyword, bytes, bytes_max });
            }
        }
        for keyword in ["enum", "anyOf", "oneOf", "allOf"] {
            let cases = schema.get(keyword).and_then(Value::as_array).map_or(0, Vec::len);
            let cases_max = self.bounds.cases_max;
            if cases > cases_max {
                return Err(Refused::TooManyCases { at: At::new(at), keyword, cases, cases_max });
            }
        }
        let pattern = schema.get("pattern").and_then(Value::as_str);
        let keys = schema.get("patternProperties").and_then(Value::as_object);
        let keys = keys.into_iter().flat_map(Map::keys).map(String::as_str);
        pattern.into_iter().chain(keys).try_for_each(|pattern| self.pattern(pattern, at))
    }

    fn pattern(&mut self, pattern: &str, at: &str) -> Result<(), Refused> {
        self.patterns += 1;
        if self.patterns > self.bounds.patterns_max {
            return Err(Refused::TooManyPatterns { patterns_max: self.bounds.patterns_max });
        }
        if pattern.len() > self.bounds.pattern_bytes_max {
            return Err(Refused::TooLong {
                at: At::new(at),
                keyword: "pattern",
                bytes: pattern.len(),
                bytes_max: self.bounds.pattern_bytes_max,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(schema: &Value) -> String {
        check(schema, &Bounds::default()).unwrap_err().to_string()
    }

    #[test]
    fn what_is_within_the_bounds_passes() {
        let cases: Vec<_> = (0..256).collect();
        let schema = json!({
            "description": "d".repeat(1024),
            "properties": {"a": {"enum": cases}, "b": {"pattern": "p".repeat(1024)}},
            "default": {"title": "t".repeat(2000)},
        });
        assert_eq!(check(&schema, &Bounds::default()), Ok(()));
    }

    #[test]
    fn each_limit_is_named_with_the_place() {
        let cases: Vec<_> = (0..257).collect();
        assert_eq!(
            refused(&json!({"properties": {"a/b": {"items": {"enum": cases}}}})),
            "`enum` has 257 cases at #/properties/a~1b/items, more than 256"
        );
        assert_eq!(
            refused(&json!({"anyOf": [{"description": "d".repeat(1025)}]})),
            "its `description` has 1025 bytes at #/anyOf/0, more than 1024"
        );
        assert_eq!(
            refused(&json!({"pattern": "p".repeat(1025)})),
            "its `pattern` has 1025 bytes at #, more than 1024"
        );
        let patterns = vec![json!({"pattern": "a"}); 65];
        assert_eq!(refused(&json!({"allOf": patterns})), "it has more than 64 patterns");
        let many = vec![json!({"prefixItems": vec![json!({}); 256]}); 16];
        assert_eq!(refused(&json!({"prefixItems": many})), "it has more than 4096 schemas");
    }

    #[test]
    fn what_is_no_schema_is_named() {
        assert_eq!(
            refused(&json!({"properties": {"a": "string"}})),
            "what is at #/properties/a is not a schema: a schema is an object or a boolean"
        );
        assert!(check(&json!(7), &Bounds::default()).is_err());
    }

    #[test]
    fn hidden_characters_are_shown_where_they_are() {
        assert_eq!(
            refused(&json!({"properties": {"a": {"examples": ["x\u{202e}"]}}})),
            "it holds control, bidirectional, tag or zero-width characters at \
             #/properties/a/examples/0: x\\u{202e}"
        );
    }
}
