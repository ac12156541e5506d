//! Why the parts of an object or an array do not fit.
//!
//! Properties come in the order in which the schema declares them, then the others in the order
//! of the value.

use serde_json::{Map, Value};

use super::evaluate::Evaluator;
use super::mismatch::Problem;
use super::wording;

/// Parts from which on those that fit are told apart first.
const MANY_PARTS: usize = 32;

impl<'s> Evaluator<'s> {
    pub(super) fn parts(
        &mut self,
        schema: &'s Map<String, Value>,
        value: &Value,
        problems: &mut Vec<Problem>,
    ) {
        match value {
            Value::Object(object) => {
                self.declared(schema, object, problems);
                self.other_keys(schema, object, problems);
                self.dependent(schema, value, object, problems);
                self.unevaluated(schema, value, object, problems);
            }
            Value::Array(items) => self.items(schema, items, problems),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn declared(
        &mut self,
        schema: &'s Map<String, Value>,
        object: &Map<String, Value>,
        problems: &mut Vec<Problem>,
    ) {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = required(schema.get("required"));
        for (name, property) in properties.into_iter().flatten() {
            let found = match object.get(name) {
                Some(value) => self.check(property, value),
                None if required.contains(&name.as_str()) => vec![missing()],
                None => Vec::new(),
            };
            self.add(problems, found.into_iter().map(|problem| problem.under(name)));
        }
        let declared = |name: &str| properties.is_some_and(|known| known.contains_key(name));
        for name in required {
            if !declared(name) && !object.contains_key(name) {
                self.add(problems, [missing().under(name)]);
            }
        }
    }

    fn other_keys(
        &mut self,
        schema: &'s Map<String, Value>,
        object: &Map<String, Value>,
        problems: &mut Vec<Problem>,
    ) {
        for (key, value) in object {
            if self.is_full(problems) {
                return;
            }
            let found = self.other_key(schema, key, value);
            self.add(problems, found.into_iter().map(|problem| problem.under(key)));
        }
    }

    fn other_key(
        &mut self,
        schema: &'s Map<String, Value>,
        key: &str,
        value: &Value,
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        if let Some(names) = schema.get("propertyNames") {
            let name = Value::String(key.to_owned());
            let found = self.for_passing(|this| this.check(names, &name));
            problems.extend(found.into_iter().map(|problem| problem.under("[key]")));
        }
        let mut known =
            schema.get("properties").and_then(|properties| properties.get(key)).is_some();
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        for (pattern, property) in patterns.into_iter().flatten() {
            if self.matches(pattern, key) {
                known = true;
                problems.extend(self.check_unless_fit(property, value));
            }
        }
        if known {
            return problems;
        }
        match schema.get("additionalProperties") {
            Some(Value::Bool(false)) => problems.push(wording::extra(schema)),
            Some(additional) => problems.extend(self.check_unless_fit(additional, value)),
            None => {}
        }
        problems
    }

    fn dependent(
        &mut self,
        schema: &'s Map<String, Value>,
        value: &Value,
        object: &Map<String, Value>,
        problems: &mut Vec<Problem>,
    ) {
        let entries =
            |keyword| schema.get(keyword).and_then(Value::as_object).into_iter().flatten();
        for (key, names) in entries("dependentRequired") {
            if !object.contains_key(key) {
                continue;
            }
            for name in required(Some(names)) {
                if !object.contains_key(name) {
                    let message = format!("Field required beside '{key}'");
                    self.add(problems, [Problem::new(message).under(name)]);
                }
            }
        }
        for (key, dependent) in entries("dependentSchemas") {
            if object.contains_key(key) {
                let found = self.check(dependent, value);
                self.add(problems, found);
            }
        }
    }

    fn items(
        &mut self,
        schema: &'s Map<String, Value>,
        items: &[Value],
        problems: &mut Vec<Problem>,
    ) {
        let prefix = schema.get("prefixItems").and_then(Value::as_array);
        let prefix = prefix.map_or(&[][..], Vec::as_slice);
        for (index, (item, schema)) in items.iter().zip(prefix).enumerate() {
            let found = self.check(schema, item);
            self.add(problems, found.into_iter().map(|problem| problem.under(index)));
        }
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        let least = usize::try_from(least).unwrap_or(usize::MAX);
        for index in items.len()..least.min(prefix.len()) {
            self.add(problems, [missing().under(index)]);
        }
        if least > prefix.len().max(items.len()) && !prefix.is_empty() {
            let message = wording::broken(schema, "minItems", &Value::Array(items.to_vec()));
            self.add(problems, [Problem::new(message)]);
        }
        let many = items.len() >= MANY_PARTS;
        if let Some(every) = schema.get("items") {
            for (index, item) in items.iter().enumerate().skip(prefix.len()) {
                if self.is_full(problems) {
                    return;
                }
                let found =
                    if many { self.check_unless_fit(every, item) } else { self.check(every, item) };
                self.add(problems, found.into_iter().map(|problem| problem.under(index)));
            }
        }
        self.contains(schema, items, problems);
    }

    fn contains(
        &mut self,
        schema: &'s Map<String, Value>,
        items: &[Value],
        problems: &mut Vec<Problem>,
    ) {
        let Some(contained) = schema.get("contains") else { return };
        let bound = |keyword| schema.get(keyword).and_then(Value::as_u64);
        let count =
            items.iter().filter(|item| self.check_unless_fit(contained, item).is_empty()).count();
        let count = count as u64;
        let least = bound("minContains").unwrap_or(1);
        let found = if count < least {
            Some(format!(
                "List should have at least {least} items of the kind that it must contain"
            ))
        } else {
            bound("maxContains").filter(|most| count > *most).map(|most| {
                format!("List should have at most {most} items of the kind that it must contain")
            })
        };
        self.add(problems, found.map(Problem::new));
    }

    /// As `check`, quick for what fits.
    fn check_unless_fit(&mut self, schema: &'s Value, value: &Value) -> Vec<Problem> {
        if self.fits(schema, value) == Some(true) { Vec::new() } else { self.check(schema, value) }
    }
}

fn missing() -> Problem {
    Problem::new("Field required")
}

fn required(names: Option<&Value>) -> Vec<&str> {
    names.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::tests::told;

    #[test]
    fn properties_come_in_the_order_of_declaration() {
        let schema = json!({
            "properties": {"b": {"type": "null"}, "a": {"type": "null"}, "c": {}},
            "required": ["d", "c"],
            "additionalProperties": {"type": "null"},
        });
        assert_eq!(
            told(&schema, &json!({"z": 1, "a": 1, "b": 1})),
            [
                "b: Input should be null",
                "a: Input should be null",
                "c: Field required",
                "d: Field required",
                "z: Input should be null",
            ]
        );
    }

    #[test]
    fn a_short_tuple_is_told_by_what_it_lacks() {
        let elements = json!([{"type": "integer"}, {"type": "string"}]);
        let pair = json!({"prefixItems": elements, "minItems": 2, "maxItems": 2});
        assert_eq!(told(&pair, &json!([1])), ["result.1: Field required"]);
        assert_eq!(
            told(&pair, &json!(["x"])),
            [
                "result.0: Input should be a valid integer, unable to parse string as an integer",
                "result.1: Field required",
            ]
        );
    }

    #[test]
    fn keys_are_told_apart_from_values() {
        let map = json!({
            "type": "object",
            "propertyNames": {"maxLength": 1},
            "additionalProperties": {"type": "null"},
        });
        assert_eq!(
            told(&map, &json!({"ab": 1})),
            [
                "result.ab.[key]: String should have at most 1 character",
                "result.ab: Input should be null",
            ]
        );
        let pattern = json!({
            "type": "object",
            "patternProperties": {"^[a-z]$": {}},
            "additionalProperties": false,
        });
        assert_eq!(
            told(&pattern, &json!({"A": 1})),
            ["result.A.[key]: String should match pattern '^[a-z]$'"]
        );
    }

    #[test]
    fn what_depends_on_a_property_is_told() {
        let schema = json!({
            "type": "object",
            "properties": {},
            "dependentRequired": {"a": ["b"]},
            "dependentSchemas": {"a": {"required": ["c"]}},
        });
        assert_eq!(
            told(&schema, &json!({"a": 1})),
            ["b: Field required beside 'a'", "c: Field required"]
        );
    }

    #[test]
    fn what_a_list_must_contain_is_told() {
        let nothing = json!({"type": "null"});
        let schema = json!({"contains": nothing, "minContains": 2, "maxContains": 3});
        let least = "result: List should have at least 2 items of the kind that it must contain";
        assert_eq!(told(&schema, &json!([null, 1])), [least]);
        let most = "result: List should have at most 3 items of the kind that it must contain";
        assert_eq!(told(&schema, &json!([null, null, null, null])), [most]);
    }

    #[test]
    fn the_last_of_many_items_is_found() {
        let list = json!({"type": "array", "items": {"type": "integer"}});
        let mut value = vec![json!(1); 200_000];
        value.push(json!(null));
        assert_eq!(told(&list, &json!(value)), ["result.200000: Input should be a valid integer"]);
    }
}
