//! Where a schema holds schemas.
//!
//! The one table of keywords: whatever visits, rewrites or evaluates subschemas goes by it.

use serde_json::{Map, Value};

/// What the value of a keyword is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// One schema.
    One,
    /// An array of schemas.
    List,
    /// An object whose values are schemas.
    Map,
}

/// What the schemas of a keyword apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applies {
    /// The value itself.
    InPlace,
    /// A part of the value: an element, a property, a key.
    Below,
    /// Nothing, until it is referred to.
    Never,
}

/// What `keyword` holds, and where it applies (JSON Schema 2020-12 core, sections 8 to 11);
/// nothing for a keyword that holds no schemas. `definitions` is kept for older schemas.
pub(super) fn keyword(keyword: &str) -> Option<(Holds, Applies)> {
    match keyword {
        "allOf" | "anyOf" | "oneOf" => Some((Holds::List, Applies::InPlace)),
        "not" | "if" | "then" | "else" => Some((Holds::One, Applies::InPlace)),
        "dependentSchemas" => Some((Holds::Map, Applies::InPlace)),
        "prefixItems" => Some((Holds::List, Applies::Below)),
        "properties" | "patternProperties" => Some((Holds::Map, Applies::Below)),
        "items"
        | "contains"
        | "additionalProperties"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema" => Some((Holds::One, Applies::Below)),
        "$defs" | "definitions" => Some((Holds::Map, Applies::Never)),
        _other => None,
    }
}

/// Whether `keyword` says something about a value without restricting it.
pub(crate) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "default"
            | "examples"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$comment"
    )
}

/// A subschema and where it is in the schema that holds it.
pub(crate) struct Child<'a> {
    pub(crate) keyword: &'a str,
    /// The key or index below the keyword.
    pub(crate) step: Option<Step<'a>>,
    pub(crate) applies: Applies,
    pub(crate) schema: &'a Value,
}

/// A key or an index.
#[derive(Clone, Copy)]
pub(crate) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// The subschemas that `schema` holds directly, in its order. Values of the wrong kind are left
/// out.
pub(crate) fn children(schema: &Map<String, Value>) -> impl Iterator<Item = Child<'_>> {
    schema.iter().flat_map(|(name, value)| {
        let mut found = Vec::new();
        let Some((holds, applies)) = keyword(name) else { return found };
        let mut push = |step, schema| {
            found.push(Child { keyword: name, step, applies, schema });
        };
        match (holds, value) {
            (Holds::One, schema) => push(None, schema),
            (Holds::List, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    push(Some(Step::Index(index)), item);
                }
            }
            (Holds::Map, Value::Object(entries)) => {
                for (key, entry) in entries {
                    push(Some(Step::Key(key)), entry);
                }
            }
            (Holds::List | Holds::Map, _) => {}
        }
        found
    })
}

/// Calls `visit` with every subschema that `schema` holds directly and the keyword it is under.
pub(super) fn children_mut(
    schema: &mut Map<String, Value>,
    visit: &mut dyn FnMut(&str, &mut Value),
) {
    for (name, value) in schema.iter_mut() {
        match (keyword(name), value) {
            (Some((Holds::One, _)), schema) => visit(name, schema),
            (Some((Holds::List, _)), Value::Array(items)) => {
                items.iter_mut().for_each(|item| visit(name, item));
            }
            (Some((Holds::Map, _)), Value::Object(entries)) => {
                entries.values_mut().for_each(|entry| visit(name, entry));
            }
            (Some((Holds::List | Holds::Map, _)) | None, _) => {}
        }
    }
}

/// Calls `visit` with `schema` and every schema within, the outer before the inner.
pub(super) fn every_mut(schema: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    if let Value::Object(map) = schema {
        visit(map);
        children_mut(map, &mut |_, child| every_mut(child, visit));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_schema_within_is_found_in_order() {
        let schema = json!({
            "properties": {"a": 1, "b": 2},
            "anyOf": [3, 4],
            "not": 5,
            "enum": [{"not": "a schema"}],
            "items": 6,
            "oneOf": "of the wrong kind",
            "$defs": {"c": 7},
        });
        let Value::Object(mut map) = schema else { panic!("an object") };
        let found: Vec<_> = children(&map).map(|child| child.schema.clone()).collect();
        assert_eq!(found, [1, 2, 3, 4, 5, 6, 7]);
        let mut mutated = Vec::new();
        children_mut(&mut map, &mut |keyword, child| {
            mutated.push((keyword.to_owned(), child.clone()))
        });
        assert_eq!(mutated.len(), 7);
        assert_eq!(mutated[4], ("not".to_owned(), json!(5)));
    }
}
