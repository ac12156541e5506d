//! The properties of objects: what is known of them, and what has to be.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::kinds::Kinds;
use super::facts::Facts;
use super::numbers::count;
use super::side::Side;
use super::{Check, about};

type Schemas = Map<String, Value>;

fn entries<'a>(schema: &'a Map<String, Value>, keyword: &str) -> Option<&'a Schemas> {
    schema.get(keyword).and_then(Value::as_object)
}

/// What is known of the names of an object's properties.
pub(super) struct Naming<'a> {
    names: Option<BTreeSet<&'a str>>,
    each: Facts<'a>,
}

impl<'a> Naming<'a> {
    /// Whether there may be a property `name`.
    pub(super) fn may_be(&self, side: &Side<'a>, name: &str) -> bool {
        let value = Value::String(name.to_owned());
        self.names.as_ref().is_none_or(|names| names.contains(name))
            && !self.each.schemas().iter().any(|map| side.allows(map, &value) == Some(false))
    }
}

/// What is known of properties (JSON Schema 2020-12 core, section 10.3.2).
impl<'a> Facts<'a> {
    /// Of the property `name`. `unmatched`: patterns of which it is known that none matches the
    /// name.
    pub(super) fn property(
        &self,
        side: &Side<'a>,
        name: &str,
        unmatched: Option<&Schemas>,
    ) -> Self {
        let told = |schema: &&'a Schemas| {
            let declared = entries(schema, "properties").and_then(|map| map.get(name));
            declared.or_else(|| additional(schema, unmatched))
        };
        Self::of(side, self.schemas().iter().filter_map(told))
    }

    /// Of a property that no schema declares.
    fn undeclared(&self, side: &Side<'a>, unmatched: Option<&Schemas>) -> Self {
        let told = self.schemas().iter().filter_map(|schema| additional(schema, unmatched));
        Self::of(side, told)
    }

    /// Of the names of its properties.
    fn name(&self, side: &Side<'a>) -> Self {
        Self::of(side, self.said("propertyNames")).only(Kinds::STRING)
    }

    /// The names that it may have properties of, if they are few.
    fn names(&self, side: &Side<'a>) -> Option<BTreeSet<&'a str>> {
        let closed = self.schemas().iter().filter_map(|schema| {
            let is_closed = additional(schema, None)? == &Value::Bool(false);
            let declared = entries(schema, "properties").into_iter().flatten();
            side.take(declared.clone().count())?;
            is_closed.then(|| declared.map(|(name, _)| name.as_str()).collect::<BTreeSet<_>>())
        });
        let listed = self.name(side).values(side);
        let listed = listed.map(|names| names.into_iter().filter_map(Value::as_str).collect());
        closed.chain(listed).reduce(|one, other| one.intersection(&other).copied().collect())
    }

    /// What names it may have properties of.
    pub(super) fn naming(&self, side: &Side<'a>) -> Naming<'a> {
        Naming { names: self.names(side), each: self.name(side) }
    }
}

/// What `schema` says of properties that it does not declare, if no pattern may match them.
fn additional<'a>(schema: &'a Schemas, unmatched: Option<&Schemas>) -> Option<&'a Value> {
    let patterns = entries(schema, "patternProperties").into_iter().flat_map(Map::keys);
    let is_unmatched = |pattern| unmatched.is_some_and(|patterns| patterns.contains_key(pattern));
    let applies = patterns.into_iter().all(is_unmatched);
    schema.get("additionalProperties").filter(|_| applies)
}

impl<'a> Check<'a> {
    /// Whether an object keeps `keyword` of `schema`. None for keywords that are not about
    /// objects.
    pub(super) fn of_object(
        &mut self,
        schema: &'a Schemas,
        keyword: &str,
        operand: &'a Value,
        facts: &Facts<'a>,
    ) -> Option<bool> {
        if about(keyword) != Kinds::OBJECT {
            return None;
        }
        let operands = || operand.as_object().into_iter().flatten();
        let naming = facts.naming(&self.narrow);
        Some(match keyword {
            "required" => {
                let required = facts.listed(&self.narrow, "required");
                let is_required =
                    |name: &Value| name.as_str().is_some_and(|n| required.contains(n));
                operand.as_array().is_some_and(|names| names.iter().all(is_required))
            }
            "minProperties" => {
                let required = facts.listed(&self.narrow, "required").len() as u64;
                let fewest = facts.bound(keyword, true).unwrap_or(0).max(required);
                count(operand).is_some_and(|least| fewest >= least)
            }
            "maxProperties" => {
                let names = naming.names.as_ref().map(|names| names.len() as u64);
                let most = names.into_iter().chain(facts.bound(keyword, false)).min();
                count(operand).zip(most).is_some_and(|(operand, most)| most <= operand)
            }
            "properties" => operands().all(|(name, wide)| {
                !naming.may_be(&self.narrow, name)
                    || self.fits(wide, &facts.property(&self.narrow, name, None))
            }),
            "additionalProperties" => {
                let (declared, patterns) =
                    (entries(schema, "properties"), entries(schema, "patternProperties"));
                let is_declared = |name: &str| declared.is_some_and(|map| map.contains_key(name));
                self.every_property(operand, facts, patterns, &is_declared)
            }
            "patternProperties" => operands().all(|(pattern, wide)| {
                let told = facts.said(keyword).filter_map(|patterns| patterns.get(pattern));
                let matched = Facts::of(&self.narrow, told);
                self.fits(wide, &matched) || self.every_property(wide, facts, None, &|_| false)
            }),
            "propertyNames" => self.property_names(operand, facts),
            "dependentRequired" => {
                let required = facts.listed(&self.narrow, "required");
                operands().all(|(name, names)| {
                    let told = facts.said(keyword).filter_map(|map| map.get(name)?.as_array());
                    let told: Vec<_> = told.flatten().filter_map(Value::as_str).collect();
                    let is_told = |name: &str| required.contains(name) || told.contains(&name);
                    let mut names = names.as_array().into_iter().flatten();
                    names.all(|name| name.as_str().is_some_and(is_told))
                        || !naming.may_be(&self.narrow, name)
                })
            }
            "dependentSchemas" => operands().all(|(name, wide)| {
                let mut with = facts.clone();
                let told = facts.said(keyword).filter_map(|map| map.get(name));
                told.for_each(|schema| with.add(&self.narrow, schema));
                !naming.may_be(&self.narrow, name) || self.fits(wide, &with)
            }),
            _other => return None,
        })
    }

    /// Whether every property fits `wide`, but for those that are `known` to be another's.
    /// `unmatched`: patterns that match none of them.
    fn every_property(
        &mut self,
        wide: &'a Value,
        facts: &Facts<'a>,
        unmatched: Option<&Schemas>,
        known: &dyn Fn(&str) -> bool,
    ) -> bool {
        let naming = facts.naming(&self.narrow);
        let declared = facts.said("properties").filter_map(Value::as_object);
        let declared = || declared.flat_map(Map::keys).map(String::as_str).collect();
        let is_closed = naming.names.is_some();
        let names: BTreeSet<&str> = naming.names.clone().unwrap_or_else(declared);
        names.into_iter().filter(|name| !known(name)).all(|name| {
            !naming.may_be(&self.narrow, name)
                || self.fits(wide, &facts.property(&self.narrow, name, unmatched))
        }) && (is_closed || self.fits(wide, &facts.undeclared(&self.narrow, unmatched)))
    }

    fn property_names(&mut self, wide: &'a Value, facts: &Facts<'a>) -> bool {
        let allows = |name: &str| match wide {
            Value::Object(map) => self.wide.allows(map, &Value::String(name.to_owned())),
            Value::Bool(allowed) => Some(*allowed),
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
        };
        let names = facts.names(&self.narrow);
        names.is_some_and(|names| names.into_iter().all(|name| allows(name) == Some(true)))
            || self.fits(wide, &facts.name(&self.narrow))
    }
}
