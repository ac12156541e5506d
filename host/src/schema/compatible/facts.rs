//! What is known of a value.
//!
//! Whoever knows less proves less: whatever is left out here costs a yes, and makes none.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::kinds::Kinds;
use super::numbers::{self, count};
use super::side::Side;

/// Schemas that are taken into account for one value.
const SCHEMAS_MAX: usize = 128;

static NULL: Value = Value::Null;
static FALSE: Value = Value::Bool(false);
static TRUE: Value = Value::Bool(true);

/// Schemas that all allow a value, and the types that it may be of.
#[derive(Clone)]
pub(super) struct Facts<'a> {
    schemas: Vec<&'a Map<String, Value>>,
    kinds: Kinds,
    /// How many of the unions in `schemas` were taken apart.
    unions: usize,
}

impl<'a> Facts<'a> {
    /// Of a value that each of `schemas`, all of `side`, allows.
    pub(super) fn of(side: &Side<'a>, schemas: impl IntoIterator<Item = &'a Value>) -> Self {
        let mut facts = Self { schemas: Vec::new(), kinds: Kinds::ALL, unions: 0 };
        schemas.into_iter().for_each(|schema| facts.add(side, schema));
        facts
    }

    /// Adds that `schema` allows the value, and so do those that apply with it whatever the value
    /// is (JSON Schema 2020-12 core, sections 8.2.3.1 and 10.2.1.1).
    pub(super) fn add(&mut self, side: &Side<'a>, schema: &'a Value) {
        self.kinds = self.kinds.and(side.kinds(schema));
        let Value::Object(map) = schema else { return };
        let is_known = self.schemas.iter().any(|known| std::ptr::eq(*known, map));
        if is_known || self.schemas.len() >= SCHEMAS_MAX {
            return;
        }
        self.schemas.push(map);
        let all = map.get("allOf").and_then(Value::as_array).into_iter().flatten();
        all.chain(side.referred(map)).for_each(|part| self.add(side, part));
    }

    pub(super) fn only(mut self, kinds: Kinds) -> Self {
        self.kinds = self.kinds.and(kinds);
        self
    }

    pub(super) fn schemas(&self) -> &[&'a Map<String, Value>] {
        &self.schemas
    }

    pub(super) fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// Whether there is no such value.
    pub(super) fn allow_nothing(&self) -> bool {
        self.kinds == Kinds::NONE
    }

    /// What is known, by addresses.
    pub(super) fn key(&self) -> (Vec<*const Map<String, Value>>, Kinds) {
        let mut schemas: Vec<_> = self.schemas.iter().map(|map| std::ptr::from_ref(*map)).collect();
        schemas.sort_unstable();
        (schemas, self.kinds)
    }

    /// What `keyword` is in each schema that has it.
    pub(super) fn said(&self, keyword: &str) -> impl Iterator<Item = &'a Value> {
        self.schemas.iter().filter_map(move |schema| schema.get(keyword))
    }

    /// The fewest or the most parts that it may have.
    pub(super) fn bound(&self, keyword: &str, fewest: bool) -> Option<u64> {
        let counts = self.said(keyword).filter_map(count);
        if fewest { counts.max() } else { counts.min() }
    }

    /// The strings in the lists that `keyword` is.
    pub(super) fn listed(&self, side: &Side<'a>, keyword: &str) -> BTreeSet<&'a str> {
        let lists = self.said(keyword).filter_map(Value::as_array);
        let lists = lists.take_while(|list| side.take(list.len()).is_some());
        lists.flatten().filter_map(Value::as_str).collect()
    }

    /// The values that it may be, if they are few.
    pub(super) fn values(&self, side: &Side<'a>) -> Option<Vec<&'a Value>> {
        let lists = self.said("enum").filter_map(Value::as_array).map(Vec::as_slice);
        let lists = lists.chain(self.said("const").map(std::slice::from_ref));
        let values: Vec<&Value> = match lists.min_by_key(|list| list.len()) {
            Some(list) => list.iter().collect(),
            None if self.kinds.within(Kinds::NULL.or(Kinds::BOOLEAN)) => {
                vec![&NULL, &FALSE, &TRUE]
            }
            None => return None,
        };
        side.take(values.len() * (1 + self.schemas.len()))?;
        let may_be = |value: &&Value| {
            let denies =
                |schema: &&'a Map<String, Value>| side.allows(schema, value) == Some(false);
            numbers::kinds(value).has(self.kinds) && !self.schemas.iter().any(denies)
        };
        Some(values.into_iter().filter(may_be).collect())
    }

    /// The same in cases of which one is true: the arms of a union (JSON Schema 2020-12 core,
    /// sections 10.2.1.2 and 10.2.1.3), or the types if there is no union left.
    pub(super) fn cases(&self, side: &Side<'a>, by_type: bool) -> Option<Vec<Self>> {
        let unions = |schema: &&'a Map<String, Value>| [schema.get("anyOf"), schema.get("oneOf")];
        let mut unions = self.schemas.iter().flat_map(unions).flatten().filter_map(Value::as_array);
        if let Some(arms) = unions.nth(self.unions) {
            side.take(arms.len() * (1 + self.schemas.len()))?;
            let case = |arm| {
                let mut case = Self { unions: self.unions + 1, ..self.clone() };
                case.add(side, arm);
                case
            };
            return Some(arms.iter().map(case).collect());
        }
        let kinds: Vec<_> = self.kinds.each().collect();
        let several = by_type && kinds.len() > 1;
        several.then(|| kinds.into_iter().map(|kind| self.clone().only(kind)).collect())
    }
}
