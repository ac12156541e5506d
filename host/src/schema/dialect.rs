//! The dialect that an author writes in.
//!
//! What passes reads the same in JSON Schema 2020-12, whatever `$schema` says.

use serde_json::{Map, Value};

use super::bounds::below;
use super::refused::{At, Piece, Refused};
use super::walk::{self, Step};

const DRAFT_2020_12: &str = "json-schema.org/draft/2020-12/schema";
const DRAFT_07: &str = "json-schema.org/draft-07/schema";

/// Checks that `schema` is of JSON Schema 2020-12, or of draft-07 and without the words that
/// 2020-12 reads in another way.
///
/// # Errors
/// [`Refused::Dialect`] for any other dialect, [`Refused::Keyword`] for such a word.
pub(super) fn check(schema: &Value) -> Result<(), Refused> {
    let Some(dialect) = schema.get("$schema") else { return words(schema, &mut String::new()) };
    match identity(dialect) {
        Some(DRAFT_2020_12) => words(schema, &mut String::new()),
        Some(DRAFT_07) => {
            words(schema, &mut String::new())?;
            siblings(schema, &mut String::new())
        }
        Some(_) | None => {
            let dialect = dialect.as_str().map_or_else(|| dialect.to_string(), str::to_owned);
            Err(Refused::Dialect { dialect: Piece::new(&dialect) })
        }
    }
}

/// Whether `dialect`, a value of `$schema`, is JSON Schema 2020-12.
pub(super) fn is_current(dialect: &Value) -> bool {
    identity(dialect) == Some(DRAFT_2020_12)
}

fn identity(dialect: &Value) -> Option<&str> {
    let name = dialect.as_str()?;
    let name = name.strip_prefix("https://").or_else(|| name.strip_prefix("http://"))?;
    Some(name.strip_suffix('#').unwrap_or(name))
}

/// Refuses what was a word of an older dialect, and would be ignored or misread.
fn words(schema: &Value, at: &mut String) -> Result<(), Refused> {
    each(schema, at, &mut |map, at| {
        let old = [
            ("additionalItems", "write `prefixItems` and `items`"),
            ("dependencies", "write `dependentRequired` or `dependentSchemas`"),
            ("$recursiveRef", "write `$dynamicRef`"),
        ];
        for (keyword, instead) in old {
            if map.contains_key(keyword) {
                return Err(Refused::Keyword { at: At::new(at), keyword, instead });
            }
        }
        if map.get("items").is_some_and(Value::is_array) {
            let instead = "write a list of schemas as `prefixItems`";
            return Err(Refused::Keyword { at: At::new(at), keyword: "items", instead });
        }
        Ok(())
    })
}

/// Draft-07 ignores what stands beside a `$ref`.
fn siblings(schema: &Value, at: &mut String) -> Result<(), Refused> {
    each(schema, at, &mut |map, at| {
        let is_read = |key: &str| {
            matches!(key, "$ref" | "$schema" | "$defs" | "definitions") || walk::is_annotation(key)
        };
        let ignored = |key: &String| !is_read(key);
        if map.contains_key("$ref") && map.keys().any(ignored) {
            let instead = "put what stands beside it and the reference into `allOf`";
            return Err(Refused::Keyword { at: At::new(at), keyword: "$ref", instead });
        }
        Ok(())
    })
}

/// What is asked of each schema, and of its place.
type Visit<'a> = dyn FnMut(&Map<String, Value>, &str) -> Result<(), Refused> + 'a;

fn each(schema: &Value, at: &mut String, visit: &mut Visit<'_>) -> Result<(), Refused> {
    let Value::Object(map) = schema else { return Ok(()) };
    visit(map, at)?;
    for child in walk::children(map) {
        below(at, Step::Key(child.keyword), |at| match child.step {
            None => each(child.schema, at, visit),
            Some(step) => below(at, step, |at| each(child.schema, at, visit)),
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_dialect_is_2020_12_or_reads_alike() {
        for good in [
            json!({"type": "string"}),
            json!({"$schema": "https://json-schema.org/draft/2020-12/schema"}),
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {}}}),
            json!({
                "$schema": "http://json-schema.org/draft-07/schema#",
                "properties": {"a": {"$ref": "#/definitions/a", "description": "d"}},
            }),
        ] {
            assert_eq!(check(&good), Ok(()), "{good}");
        }
        for dialect in [
            "http://json-schema.org/draft-04/schema#",
            "https://json-schema.org/draft/2019-09/schema",
            "https://example.com/mine",
        ] {
            assert_eq!(
                check(&json!({"$schema": dialect})).unwrap_err().to_string(),
                format!("its dialect `{dialect}` is not supported; write JSON Schema 2020-12")
            );
        }
        assert!(check(&json!({"$schema": 7})).is_err());
    }

    #[test]
    fn words_that_would_be_misread_are_refused() {
        let draft_07 = "http://json-schema.org/draft-07/schema#";
        for bad in [
            json!({"items": [{"type": "string"}]}),
            json!({"properties": {"a": {"additionalItems": false}}}),
            json!({"dependencies": {"a": ["b"]}}),
            json!({"$schema": draft_07, "items": {"$ref": "#", "minimum": 1}}),
        ] {
            assert!(matches!(check(&bad), Err(Refused::Keyword { .. })), "{bad}");
        }
    }
}
