//! Why a value does not fit a schema.
//!
//! This only ever explains: it is asked after the validator has said no, takes a bounded number
//! of steps, and leaves every question about a single value to validators of the same kind.

use std::collections::HashMap;
use std::rc::Rc;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::compile::Engine;
use super::mismatch::Problem;
use super::references::{self, References};
use super::wording;

/// Problems that are listed.
const PROBLEMS_MAX: usize = 100;
/// Schemas that are looked at.
const STEPS_MAX: usize = 100_000;
/// Schemas that are looked at within one another, as each takes its part of the stack.
const LEVELS_MAX: usize = 192;

/// How values are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// As they are (rule V4).
    Strict,
    /// Numbers and booleans may come as strings (rules I1 to I5).
    Lenient,
}

/// Finds the problems of a value.
pub(super) struct Evaluator<'s> {
    root: &'s Value,
    references: &'s References,
    engine: &'s Engine,
    pub(super) manner: Manner,
    /// Whether a validator answers quickly.
    quick: bool,
    steps: usize,
    levels: usize,
    cut_short: bool,
    /// Validators of parts of a schema, by address and keyword; none for what has none.
    validators: HashMap<(usize, &'static str), Option<Validator>>,
    /// Problems already found, by the addresses of a schema and a value.
    known: HashMap<(*const Value, *const Value), Rc<[Problem]>>,
}

/// The keywords about a value as a whole, in the order in which they are reported.
const WHOLE: [&str; 15] = [
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "contentEncoding",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

impl<'s> Evaluator<'s> {
    pub(super) fn new(
        root: &'s Value,
        references: &'s References,
        engine: &'s Engine,
        manner: Manner,
        quick: bool,
    ) -> Self {
        Self {
            root,
            references,
            engine,
            manner,
            quick,
            steps: 0,
            levels: 0,
            cut_short: false,
            validators: HashMap::new(),
            known: HashMap::new(),
        }
    }

    /// Whether there may be more problems than were found.
    pub(super) fn is_cut_short(&self) -> bool {
        self.cut_short
    }

    /// The schema that `reference` leads to.
    pub(super) fn find(&self, reference: &str) -> Option<&'s Value> {
        self.references.find(self.root, reference)
    }

    /// The problems of `value`, in the order of declaration.
    pub(super) fn check(&mut self, schema: &'s Value, value: &Value) -> Vec<Problem> {
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(false) => return vec![Problem::new("Input is not allowed")],
            Value::Bool(true)
            | Value::Null
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => return Vec::new(),
        };
        self.steps += 1;
        if self.steps > STEPS_MAX || self.levels >= LEVELS_MAX {
            return self.without_a_look(schema, value);
        }
        self.levels += 1;
        let mut problems = self.whole(map, value);
        if problems.is_empty() {
            self.parts(map, value, &mut problems);
            self.in_place(map, value, &mut problems);
        }
        self.levels -= 1;
        problems
    }

    fn without_a_look(&mut self, schema: &'s Value, value: &Value) -> Vec<Problem> {
        self.cut_short = true;
        match self.fits(schema, value) {
            Some(false) => vec![Problem::new("Input should match the schema")],
            Some(true) | None => Vec::new(),
        }
    }

    /// Adds to `problems`, as long as there are not too many.
    pub(super) fn add(
        &mut self,
        problems: &mut Vec<Problem>,
        more: impl IntoIterator<Item = Problem>,
    ) {
        for problem in more {
            if self.is_full(problems) {
                return;
            }
            problems.push(problem);
        }
    }

    /// As `add`, for what another schema may have found already.
    fn add_new(&mut self, problems: &mut Vec<Problem>, more: impl IntoIterator<Item = Problem>) {
        let earlier = problems.len();
        for problem in more {
            if !problems[..earlier].contains(&problem) {
                self.add(problems, [problem]);
            }
        }
    }

    /// Whether no more problems are looked for.
    pub(super) fn is_full(&mut self, problems: &[Problem]) -> bool {
        let full = problems.len() >= PROBLEMS_MAX;
        self.cut_short |= full;
        full
    }

    /// The first thing that is wrong with the value as a whole.
    fn whole(&mut self, schema: &'s Map<String, Value>, value: &Value) -> Vec<Problem> {
        if !self.keeps(schema, "const", value) || !self.keeps(schema, "enum", value) {
            return vec![Problem::new(wording::wrong_case(schema))];
        }
        if !self.keeps(schema, "type", value) {
            return vec![Problem::new(wording::wrong_type(schema, value, self.manner))];
        }
        let broken = WHOLE.into_iter().find(|keyword| {
            // A short tuple is told by the items that it lacks.
            let in_parts = *keyword == "minItems" && schema.contains_key("prefixItems");
            !in_parts && !self.keeps(schema, keyword, value)
        });
        let problem = broken.map(|keyword| Problem::new(wording::broken(schema, keyword, value)));
        problem.into_iter().collect()
    }

    /// Whether `value` keeps `keyword` of `schema`, which holds no schemas.
    pub(super) fn keeps(
        &mut self,
        schema: &'s Map<String, Value>,
        keyword: &'static str,
        value: &Value,
    ) -> bool {
        let Some(operand) = schema.get(keyword) else { return true };
        let engine = self.engine;
        let alone = || {
            let alone = Map::from_iter([(keyword.to_owned(), operand.clone())]);
            engine.compile(&Value::Object(alone)).ok()
        };
        let key = (std::ptr::from_ref(operand).addr(), keyword);
        let validator = self.validators.entry(key).or_insert_with(alone);
        validator.as_ref().is_none_or(|validator| validator.is_valid(value))
    }

    /// Whether `pattern`, a key of the schema, matches `text`.
    pub(super) fn matches(&mut self, pattern: &'s str, text: &str) -> bool {
        let engine = self.engine;
        let alone = || engine.compile(&json!({ "pattern": pattern })).ok();
        let validator =
            self.validators.entry((pattern.as_ptr().addr(), "pattern")).or_insert_with(alone);
        let text = Value::String(text.to_owned());
        validator.as_ref().is_none_or(|validator| validator.is_valid(&text))
    }

    /// Whether `value` fits `schema`; none where that cannot be told without a look at it.
    pub(super) fn fits(&mut self, schema: &'s Value, value: &Value) -> Option<bool> {
        if !self.quick {
            return None;
        }
        let (engine, root) = (self.engine, self.root);
        let alone = || {
            let mut alone = schema.clone();
            if let (Value::Object(alone), Some(definitions)) = (&mut alone, root.get("$defs")) {
                alone.insert("$defs".to_owned(), definitions.clone());
            }
            engine.compile(&alone).ok()
        };
        let key = (std::ptr::from_ref(schema).addr(), "");
        let validator = self.validators.entry(key).or_insert_with(alone);
        validator.as_ref().map(|validator| validator.is_valid(value))
    }

    /// The problems of a value that was looked at already have a place to be.
    fn referred(&mut self, schema: &'s Value, value: &Value) -> Rc<[Problem]> {
        let key = (std::ptr::from_ref(schema), std::ptr::from_ref(value));
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let problems: Rc<[Problem]> = self.check(schema, value).into();
        self.known.insert(key, Rc::clone(&problems));
        problems
    }

    /// Runs `run` for a value that does not live on: its address says nothing afterwards.
    pub(super) fn for_passing<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let known = std::mem::take(&mut self.known);
        let result = run(self);
        self.known = known;
        result
    }

    fn in_place(
        &mut self,
        schema: &'s Map<String, Value>,
        value: &Value,
        problems: &mut Vec<Problem>,
    ) {
        for (_, reference) in references::of(schema) {
            if let Some(target) = self.find(reference) {
                let found = self.referred(target, value);
                self.add_new(problems, found.iter().cloned());
            }
        }
        for arm in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            let found = self.check(arm, value);
            self.add_new(problems, found);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(arms)) = schema.get(keyword) {
                let found = self.union(schema, arms, keyword == "oneOf", value);
                self.add_new(problems, found);
            }
        }
        if let Some(not) = schema.get("not")
            && self.check(not, value).is_empty()
        {
            self.add_new(problems, [Problem::new("Input is of a form that is not allowed")]);
        }
        if let Some(condition) = schema.get("if") {
            let branch = if self.check(condition, value).is_empty() { "then" } else { "else" };
            let found = schema.get(branch).map(|branch| self.check(branch, value));
            self.add_new(problems, found.into_iter().flatten());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Bounds, mismatch::Mismatch};
    use super::*;

    fn told(schema: &Value, value: &Value) -> String {
        let references = References::within(schema).unwrap();
        let engine = Engine::new(&Bounds::default());
        let mut evaluator = Evaluator::new(schema, &references, &engine, Manner::Strict, true);
        let problems = evaluator.check(schema, value);
        Mismatch::new("X", &problems, evaluator.is_cut_short()).to_string()
    }

    #[test]
    fn what_two_schemas_find_is_told_once() {
        let schema = json!({
            "allOf": [{"type": "integer"}, {"$ref": "#/$defs/A"}],
            "$ref": "#/$defs/A",
            "$defs": {"A": {"type": "integer"}},
        });
        assert_eq!(
            told(&schema, &json!(null)),
            "1 validation error for X\n  Input should be a valid integer"
        );
    }

    #[test]
    fn a_condition_chooses_what_is_told() {
        let schema = json!({"if": {"minimum": 5}, "then": {"multipleOf": 5}, "else": {"const": 1}});
        assert!(told(&schema, &json!(7)).ends_with("Input should be a multiple of 5"));
        assert!(told(&schema, &json!(3)).ends_with("Input should be 1"));
    }

    #[test]
    fn no_more_is_told_than_can_be_read() {
        let schema = json!({"items": {"type": "integer"}});
        let text = told(&schema, &json!(vec![json!(null); 1000]));
        assert!(text.starts_with("at least 100 validation errors for X\n0\n"), "{text}");
    }

    #[test]
    fn what_is_too_deep_is_told_from_where_it_can_be_seen() {
        let mut schema = json!({"type": "integer"});
        for _ in 0..300 {
            schema = json!({"allOf": [schema]});
        }
        let text = told(&schema, &json!(null));
        assert_eq!(text, "at least 1 validation error for X\n  Input should match the schema");
    }
}
