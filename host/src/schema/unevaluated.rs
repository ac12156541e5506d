//! Properties that no schema has evaluated.
//!
//! What counts as evaluated is what JSON Schema 2020-12 says (core, section 11.3).

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::evaluate::Evaluator;
use super::mismatch::Problem;
use super::{references, wording};

impl<'s> Evaluator<'s> {
    pub(super) fn unevaluated(
        &mut self,
        schema: &'s Map<String, Value>,
        value: &Value,
        object: &Map<String, Value>,
        problems: &mut Vec<Problem>,
    ) {
        let Some(rest) = schema.get("unevaluatedProperties") else { return };
        let mut evaluated = BTreeSet::new();
        self.evaluated(schema, value, object, &mut evaluated);
        for (key, value) in object {
            if self.is_full(problems) {
                return;
            }
            if evaluated.contains(key) {
                continue;
            }
            let found = match rest {
                Value::Bool(false) => vec![wording::extra(&Map::new())],
                rest => self.check(rest, value),
            };
            self.add(problems, found.into_iter().map(|problem| problem.under(key)));
        }
    }

    /// The keys of `object` that `schema` says something about (core, section 11.3).
    fn evaluated<'o>(
        &mut self,
        schema: &'s Map<String, Value>,
        value: &Value,
        object: &'o Map<String, Value>,
        keys: &mut BTreeSet<&'o String>,
    ) {
        let declared = schema.get("properties").and_then(Value::as_object);
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        let rest = schema.contains_key("additionalProperties");
        for key in object.keys() {
            let known = declared.is_some_and(|declared| declared.contains_key(key))
                || patterns.is_some_and(|map| map.keys().any(|pattern| self.matches(pattern, key)));
            if rest || known {
                keys.insert(key);
            }
        }
        for arm in self.arms(schema, value, object) {
            if let Value::Object(map) = arm {
                if map.contains_key("unevaluatedProperties") {
                    keys.extend(object.keys());
                }
                self.evaluated(map, value, object, keys);
            }
        }
    }

    /// The schemas in place that `value` fits.
    fn arms(
        &mut self,
        schema: &'s Map<String, Value>,
        value: &Value,
        object: &Map<String, Value>,
    ) -> Vec<&'s Value> {
        let list = |keyword| schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
        let mut arms: Vec<&Value> =
            references::of(schema).filter_map(|(_, reference)| self.find(reference)).collect();
        arms.extend(list("allOf").chain(list("anyOf")).chain(list("oneOf")));
        let dependent = schema.get("dependentSchemas").and_then(Value::as_object);
        arms.extend(
            dependent
                .into_iter()
                .flatten()
                .filter(|(key, _)| object.contains_key(*key))
                .map(|(_, arm)| arm),
        );
        if let Some(condition) = schema.get("if") {
            let holds = self.check(condition, value).is_empty();
            arms.extend(holds.then_some(condition));
            arms.extend(schema.get(if holds { "then" } else { "else" }));
        }
        arms.retain(|arm| self.check(arm, value).is_empty());
        arms
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::tests::told;

    #[test]
    fn what_is_left_over_is_told() {
        let schema = json!({
            "type": "object",
            "allOf": [{"properties": {"a": {}}}],
            "anyOf": [
                {"properties": {"b": {"type": "null"}}, "required": ["b"]},
                {"minProperties": 1},
            ],
            "unevaluatedProperties": false,
        });
        assert_eq!(told(&schema, &json!({"a": 1, "b": null})), [""; 0]);
        assert_eq!(told(&schema, &json!({"a": 1, "b": 1})), ["b: Extra inputs are not permitted"]);
    }
}
