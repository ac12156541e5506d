//! Which types of values a schema may allow.
//!
//! The answer may be too wide, never too narrow.

use serde_json::{Map, Value};

use super::references;

/// A set of JSON types. An integer is a number too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Kinds(u8);

/// References that are followed.
const REFERENCES_MAX: usize = 32;

impl Kinds {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(1 << 1);
    pub(super) const INTEGER: Self = Self(1 << 2);
    pub(super) const FLOAT: Self = Self(1 << 3);
    pub(super) const STRING: Self = Self(1 << 4);
    pub(super) const ARRAY: Self = Self(1 << 5);
    pub(super) const OBJECT: Self = Self(1 << 6);
    pub(super) const NONE: Self = Self(0);
    pub(super) const ALL: Self = Self((1 << 7) - 1);

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether every type in this set is in the other.
    pub(super) const fn within(self, other: Self) -> bool {
        self.and(other).0 == self.0
    }

    /// The types in this set, each alone.
    pub(super) fn each(self) -> impl Iterator<Item = Self> {
        (0..7).map(|bit| Self(1 << bit)).filter(move |kind| self.has(*kind))
    }

    /// Whether any type is in both.
    pub(super) const fn has(self, other: Self) -> bool {
        self.and(other).0 != 0
    }

    /// The type of `value`.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number.is_f64() => Self::FLOAT,
            Value::Number(_) => Self::INTEGER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// The types that `keyword`'s value, a type or a list of types, names.
    pub(super) fn named(kinds: &Value) -> Self {
        match kinds {
            Value::String(name) => match name.as_str() {
                "null" => Self::NULL,
                "boolean" => Self::BOOLEAN,
                "integer" => Self::INTEGER,
                "number" => Self::INTEGER.or(Self::FLOAT),
                "string" => Self::STRING,
                "array" => Self::ARRAY,
                "object" => Self::OBJECT,
                _other => Self::ALL,
            },
            Value::Array(kinds) => kinds.iter().map(Self::named).fold(Self::NONE, Self::or),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Self::ALL,
        }
    }

    /// The types of values that `schema` may allow; `find` gives what a reference leads to.
    pub(super) fn allowed<'s>(schema: &'s Value, find: &dyn Fn(&str) -> Option<&'s Value>) -> Self {
        Self::followed(schema, find, REFERENCES_MAX)
    }

    fn followed<'s>(
        schema: &'s Value,
        find: &dyn Fn(&str) -> Option<&'s Value>,
        left: usize,
    ) -> Self {
        let Value::Object(map) = schema else { return Self::ALL };
        let Some(left) = left.checked_sub(1) else { return Self::ALL };
        let of = |schema| Self::followed(schema, find, left);
        let mut kinds = map.get("type").map_or(Self::ALL, Self::named);
        kinds = kinds.and(Self::of_cases(map));
        for target in references::of(map).filter_map(|(_, reference)| find(reference)) {
            kinds = kinds.and(of(target));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(arms)) = map.get(keyword) {
                kinds = kinds.and(arms.iter().map(of).fold(Self::NONE, Self::or));
            }
        }
        for arm in map.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            kinds = kinds.and(of(arm));
        }
        kinds
    }

    fn of_cases(schema: &Map<String, Value>) -> Self {
        match (schema.get("const"), schema.get("enum")) {
            (Some(only), _) => Self::of(only),
            (None, Some(Value::Array(cases))) => {
                cases.iter().map(Self::of).fold(Self::NONE, Self::or)
            }
            (None, Some(_) | None) => Self::ALL,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kinds(schema: &Value) -> Kinds {
        let definition = json!({"type": ["array", "null"]});
        let definition: &'static Value = Box::leak(Box::new(definition));
        let schema: &'static Value = Box::leak(Box::new(schema.clone()));
        Kinds::allowed(schema, &|_| Some(definition))
    }

    #[test]
    fn types_are_found_through_references_and_unions() {
        assert_eq!(kinds(&json!({"type": "integer"})), Kinds::INTEGER);
        assert_eq!(kinds(&json!({"type": "number"})), Kinds::INTEGER.or(Kinds::FLOAT));
        assert_eq!(kinds(&json!({"enum": ["a", null]})), Kinds::STRING.or(Kinds::NULL));
        assert_eq!(kinds(&json!({"$ref": "#/$defs/A"})), Kinds::ARRAY.or(Kinds::NULL));
        let union = json!({"anyOf": [{"type": "string"}, {"$ref": "#/$defs/A", "type": "array"}]});
        assert_eq!(kinds(&union), Kinds::STRING.or(Kinds::ARRAY));
        let both = json!({"allOf": [{"type": ["string", "object"]}, {"type": ["object", "null"]}]});
        assert_eq!(kinds(&both), Kinds::OBJECT);
        assert_eq!(kinds(&json!({"description": "anything"})), Kinds::ALL);
        assert_eq!(kinds(&json!(true)), Kinds::ALL);
    }
}
