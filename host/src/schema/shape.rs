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
    let any = |keywords: &[&str]| keywords.iter().any(|keyword| schema.contains_key(*keyword));
    if any(&["properties", "required", "allOf", "anyOf", "oneOf", "$ref"]) {
        return Shape::Record;
    }
    if any(&["propertyNames", "patternProperties"]) {
        return Shape::KeyedDictionary;
    }
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    if closed { Shape::Record } else { Shape::Dictionary }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shape_of(schema: &Value) -> Shape {
        let definitions = json!({
            "Record": {"type": "object", "properties": {}},
            "List": {"type": "array"},
            "Again": {"$ref": "#/$defs/Record"},
            "Loop": {"$ref": "#/$defs/Loop"},
        });
        shape(schema.as_object().unwrap(), definitions.as_object().unwrap())
    }

    #[test]
    fn objects_are_told_from_everything_else() {
        for (schema, expected) in [
            (json!({"type": "object", "properties": {}}), Shape::Record),
            (json!({"properties": {"a": {}}}), Shape::Record),
            (json!({"type": "object", "additionalProperties": false}), Shape::Record),
            (json!({"type": "object", "oneOf": [{}]}), Shape::Record),
            (json!({"$ref": "#/$defs/Record"}), Shape::Record),
            (json!({"$ref": "#/$defs/Again"}), Shape::Record),
            (json!({"allOf": [{"description": "d"}, {"$ref": "#/$defs/Record"}]}), Shape::Record),
            (json!({"type": "object"}), Shape::Dictionary),
            (json!({"type": ["object"], "additionalProperties": {}}), Shape::Dictionary),
            (json!({"type": "object", "propertyNames": {"enum": ["a"]}}), Shape::KeyedDictionary),
            (json!({"type": "object", "patternProperties": {"^1": {}}}), Shape::KeyedDictionary),
            (json!({"type": ["object", "null"], "properties": {}}), Shape::Other),
            (json!({"oneOf": [{"$ref": "#/$defs/Record"}]}), Shape::Other),
            (json!({"$ref": "#/$defs/List"}), Shape::Other),
            (json!({"$ref": "#/$defs/Loop"}), Shape::Other),
            (json!({"type": "array"}), Shape::Other),
            (json!({}), Shape::Other),
        ] {
            assert_eq!(shape_of(&schema), expected, "{schema}");
        }
    }
}
