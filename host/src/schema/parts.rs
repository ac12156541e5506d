//! Why the parts of an object or an array do not fit.
//!
//! Properties come in the order in which the schema declares them, then the others in the order
//! of the value.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::evaluate::Evaluator;
use super::mismatch::Problem;
use super::{references, wording};

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

    fn unevaluated(
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

fn missing() -> Problem {
    Problem::new("Field required")
}

fn required(names: Option<&Value>) -> Vec<&str> {
    names.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}
