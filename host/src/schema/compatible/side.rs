//! One of the two documents that are compared.
//!
//! Every reference that is followed leads to a schema of the document, and none leads to itself
//! without going into the value.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::super::kinds::Kinds;
use super::super::references::{self, References};
use super::super::walk::{self, Applies};
use super::super::{Bounds, expansion};
use super::numbers;

/// Steps of all that is done with a document: schemas and values that are looked at.
const STEPS_MAX: usize = 1 << 20;
/// Levels of JSON in a document.
const JSON_LEVELS_MAX: usize = 160;
/// Schemas within one another that apply to one value.
const NESTING_MAX: usize = 64;
/// Schemas that apply to one value.
const EXPANSION_MAX: usize = 1 << 16;

pub(super) struct Side<'a> {
    root: &'a Value,
    references: References,
    /// The addresses of all schemas.
    schemas: HashSet<*const Value>,
    /// The types of values that a schema may allow.
    kinds: RefCell<HashMap<*const Map<String, Value>, Kinds>>,
    /// Steps that may still be taken.
    left: Cell<usize>,
}

impl<'a> Side<'a> {
    /// None if nothing can be told of such a document.
    pub(super) fn read(root: &'a Value) -> Option<Self> {
        if !is_within(root, JSON_LEVELS_MAX) {
            return None;
        }
        let references = References::within(root).ok()?;
        let (nesting_max, expansion_max) = (NESTING_MAX, EXPANSION_MAX);
        let bounds = Bounds { nesting_max, expansion_max, ..Bounds::default() };
        expansion::check(root, &references, &bounds).ok()?;
        let mut schemas = HashSet::new();
        gather(root, &mut schemas);
        let (kinds, left) = (RefCell::default(), Cell::new(STEPS_MAX));
        Some(Self { root, references, schemas, kinds, left })
    }

    /// The schema that `reference` leads to. One that is not where JSON Schema has schemas is not
    /// followed.
    pub(super) fn find(&self, reference: &str) -> Option<&'a Value> {
        let found = self.references.find(self.root, reference)?;
        self.schemas.contains(&std::ptr::from_ref(found)).then_some(found)
    }

    /// The schema that `schema` refers to.
    pub(super) fn referred(&self, schema: &'a Map<String, Value>) -> Option<&'a Value> {
        self.find(schema.get("$ref")?.as_str()?)
    }

    /// Whether every reference of what applies in place with `schema` leads somewhere.
    pub(super) fn finds_all_in_place(&self, schema: &'a Value) -> bool {
        let Value::Object(map) = schema else { return true };
        let is_found =
            |reference| self.find(reference).is_some_and(|target| self.finds_all_in_place(target));
        references::of(map).all(|(_, reference)| is_found(reference))
            && walk::children(map)
                .filter(|child| child.applies == Applies::InPlace)
                .all(|child| self.finds_all_in_place(child.schema))
    }

    /// Takes so many steps. None if too few are left; then none is.
    pub(super) fn take(&self, steps: usize) -> Option<()> {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ())
    }

    /// The types of values that `schema` may allow, or more.
    pub(super) fn kinds(&self, schema: &'a Value) -> Kinds {
        match schema {
            Value::Object(map) => self.kinds_of(map),
            Value::Bool(false) => Kinds::NONE,
            Value::Bool(true)
            | Value::Null
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Kinds::ALL,
        }
    }

    pub(super) fn kinds_of(&self, schema: &'a Map<String, Value>) -> Kinds {
        let address = std::ptr::from_ref(schema);
        if let Some(known) = self.kinds.borrow().get(&address) {
            return *known;
        }
        let kinds = self.kinds_in(schema);
        self.kinds.borrow_mut().insert(address, kinds);
        kinds
    }

    fn kinds_in(&self, schema: &'a Map<String, Value>) -> Kinds {
        let list = |keyword| schema.get(keyword).and_then(Value::as_array);
        let union = |kinds: &mut dyn Iterator<Item = Kinds>| kinds.fold(Kinds::NONE, Kinds::or);
        let mut kinds = schema.get("type").map_or(Kinds::ALL, Kinds::named);
        if let Some(only) = schema.get("const") {
            kinds = kinds.and(numbers::kinds(only));
        }
        if let Some(cases) = list("enum") {
            kinds = kinds.and(union(&mut cases.iter().map(numbers::kinds)));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(arms) = list(keyword) {
                kinds = kinds.and(union(&mut arms.iter().map(|arm| self.kinds(arm))));
            }
        }
        let all = list("allOf").into_iter().flatten().chain(self.referred(schema));
        all.fold(kinds, |kinds, part| kinds.and(self.kinds(part)))
    }
}

fn is_within(value: &Value, levels: usize) -> bool {
    let Some(left) = levels.checked_sub(1) else { return false };
    match value {
        Value::Array(items) => items.iter().all(|item| is_within(item, left)),
        Value::Object(entries) => entries.values().all(|entry| is_within(entry, left)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

fn gather(schema: &Value, found: &mut HashSet<*const Value>) {
    found.insert(schema);
    if let Value::Object(map) = schema {
        walk::children(map).for_each(|child| gather(child.schema, found));
    }
}
