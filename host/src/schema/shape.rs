//! What kind of value a schema is for.
//!
//! Only a schema that allows objects alone has the shape of one.

use serde_json::{Map, Value};

use super::references;

/// The shape of a schema's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// An object with named properties (rule W3).
    Record,
    /// An object with any strings for keys (rule W4).
    Dictionary,
    /// An object whose keys are restricted, as those that stand for numbers or cases of an enum
    /// are (rule W5).
    KeyedDictionary,
    /// Anything else, unions of objects among it (rules W2, W8).
    Other,
}

/// The shape of `schema`, whose references lead to `definitions`.
pub(super) fn shape(schema: &Map<String, Value>, definitions: &Map<String, Value>) -> Shape {
    followed(schema, definitions, definitions.len())
}

fn followed(schema: &Map<String, Value>, definitions: &Map<String, Value>, left: usize) -> Shape {
    if let Some(kind) = schema.get("type") {
        let object = kind == "object" || kind.as_array().is_some_and(|kinds| *kinds == ["object"]);
        return if object { of_object(schema) } else { Shape::Other };
    }
    if ["anyOf", "oneOf", "enum", "const", "items", "prefixItems"]
        .into_iter()
        .any(|keyword| schema.contains_key(keyword))
    {
        return Shape::Other;
    }
    if ["properties", "required", "patternProperties", "additionalProperties"]
        .into_iter()
        .any(|keyword| schema.contains_key(keyword))
    {
        return of_object(schema);
    }
    let Some(left) = left.checked_sub(1) else { return Shape::Other };
    let arms = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    let referred = references::of(schema).filter_map(|(_, reference)| {
        definitions.iter().find(|(name, _)| references::to_definition(name) == reference)
    });
    referred
        .map(|(_, definition)| definition)
        .chain(arms)
        .filter_map(Value::as_object)
        .map(|part| followed(part, definitions, left))
        .find(|part| *part != Shape::Other)
        .unwrap_or(Shape::Other)
}

fn of_object(schema: &Map<String, Value>) -> Shape {
    let has = |keyword: &&str| schema.contains_key(*keyword);
    if ["properties", "required", "allOf", "anyOf", "oneOf", "$ref"].iter().any(|it| has(&it)) {
        return Shape::Record;
    }
    if ["propertyNames", "patternProperties"].iter().any(|it| has(&it)) {
        return Shape::KeyedDictionary;
    }
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    if closed { Shape::Record } else { Shape::Dictionary }
}
