//! Whether a schema allows one value that is written in the other one.
//!
//! What would take a regular expression or a format to tell is not told.

use serde_json::{Map, Value};

use super::super::kinds::Kinds;
use super::super::walk;
use super::numbers::{all, any, count, kinds, order, same, whole};
use super::side::Side;
use super::{about, rules};

/// Schemas that are looked at within one another.
const LEVELS_MAX: usize = 64;
/// Items of an array that are compared with one another.
const UNIQUE_MAX: usize = 64;

impl<'a> Side<'a> {
    /// Whether `schema` allows `value`.
    pub(super) fn allows(&self, schema: &'a Map<String, Value>, value: &Value) -> Option<bool> {
        self.all_of(schema, value, LEVELS_MAX)
    }

    /// Whether `value` keeps `keyword` of `schema`.
    pub(super) fn keeps(
        &self,
        schema: &'a Map<String, Value>,
        keyword: &str,
        value: &Value,
    ) -> Option<bool> {
        let of_kind = about(keyword).has(kinds(value));
        if of_kind { self.keyword(schema, keyword, value, LEVELS_MAX) } else { Some(true) }
    }

    fn all_of(&self, schema: &'a Map<String, Value>, value: &Value, levels: usize) -> Option<bool> {
        let left = levels.checked_sub(1)?;
        self.take(1 + schema.len())?;
        let told = schema.keys().filter(|keyword| about(keyword).has(kinds(value)));
        all(told.map(|keyword| self.keyword(schema, keyword, value, left)))
    }

    fn verdict(&self, schema: &'a Value, value: &Value, levels: usize) -> Option<bool> {
        match schema {
            Value::Bool(allowed) => Some(*allowed),
            Value::Object(map) => self.all_of(map, value, levels),
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
        }
    }

    /// `value` is of a type that `keyword` is about.
    fn keyword(
        &self,
        schema: &'a Map<String, Value>,
        keyword: &str,
        value: &Value,
        levels: usize,
    ) -> Option<bool> {
        let operand = schema.get(keyword)?;
        let verdict = |schema| self.verdict(schema, value, levels);
        match keyword {
            "type" => is_of(rules::named(operand)?, value),
            "const" => same(operand, value),
            "enum" => any(operand.as_array()?.iter().map(|case| same(case, value))),
            "allOf" => all(operand.as_array()?.iter().map(verdict)),
            "anyOf" => any(operand.as_array()?.iter().map(verdict)),
            "oneOf" => one(operand.as_array()?.iter().map(verdict)),
            "not" => verdict(operand).map(|allowed| !allowed),
            "$ref" => self.verdict(self.referred(schema)?, value, levels),
            known if walk::is_annotation(known) || rules::is_idle(known) => Some(true),
            other => match value {
                Value::Number(_) => of_number(operand, other, value),
                Value::String(text) => of_text(operand, other, text),
                Value::Array(items) => self.of_array(schema, other, items, levels),
                Value::Object(entries) => self.of_object(schema, other, value, entries, levels),
                Value::Null | Value::Bool(_) => None,
            },
        }
    }

    fn of_array(
        &self,
        schema: &'a Map<String, Value>,
        keyword: &str,
        items: &[Value],
        levels: usize,
    ) -> Option<bool> {
        let operand = schema.get(keyword)?;
        let prefix = schema.get("prefixItems").and_then(Value::as_array);
        let prefix = prefix.map_or(&[][..], Vec::as_slice);
        let length = items.len() as u64;
        match keyword {
            "minItems" => Some(length >= count(operand)?),
            "maxItems" => Some(length <= count(operand)?),
            "uniqueItems" if *operand == Value::Bool(false) => Some(true),
            "uniqueItems" if items.len() <= UNIQUE_MAX => {
                let after = |index: usize| items.iter().skip(index + 1);
                let equal = |(index, item)| any(after(index).map(|other| same(item, other)));
                any(items.iter().enumerate().map(equal)).map(|equal| !equal)
            }
            "prefixItems" => {
                all(prefix.iter().zip(items).map(|(one, item)| self.verdict(one, item, levels)))
            }
            "items" => {
                let rest = items.iter().skip(prefix.len());
                all(rest.map(|item| self.verdict(operand, item, levels)))
            }
            _other => None,
        }
    }

    fn of_object(
        &self,
        schema: &'a Map<String, Value>,
        keyword: &str,
        value: &Value,
        entries: &Map<String, Value>,
        levels: usize,
    ) -> Option<bool> {
        let operand = schema.get(keyword)?;
        let length = entries.len() as u64;
        let has = |name: &Value| Some(entries.contains_key(name.as_str()?));
        match keyword {
            "minProperties" => Some(length >= count(operand)?),
            "maxProperties" => Some(length <= count(operand)?),
            "required" => all(operand.as_array()?.iter().map(has)),
            "dependentRequired" => {
                let told =
                    operand.as_object()?.iter().filter(|(name, _)| entries.contains_key(*name));
                all(told.map(|(_, names)| all(names.as_array()?.iter().map(has))))
            }
            "dependentSchemas" => {
                let told =
                    operand.as_object()?.iter().filter(|(name, _)| entries.contains_key(*name));
                all(told.map(|(_, schema)| self.verdict(schema, value, levels)))
            }
            "properties" => {
                let declared = operand.as_object()?.iter();
                let told = declared.filter_map(|(name, one)| Some((one, entries.get(name)?)));
                all(told.map(|(schema, entry)| self.verdict(schema, entry, levels)))
            }
            "additionalProperties" => {
                if schema.contains_key("patternProperties") {
                    return None;
                }
                let declared = schema.get("properties").and_then(Value::as_object);
                let is_declared = |name| declared.is_some_and(|map| map.contains_key(name));
                let rest = entries.iter().filter(|(name, _)| !is_declared(name.as_str()));
                all(rest.map(|(_, entry)| self.verdict(operand, entry, levels)))
            }
            "propertyNames" => {
                let names = entries.keys().map(|name| Value::String(name.clone()));
                all(names.map(|name| self.verdict(operand, &name, levels)))
            }
            _other => None,
        }
    }
}

/// Whether `value` is of a type in `named`.
fn is_of(named: Kinds, value: &Value) -> Option<bool> {
    let kinds = kinds(value);
    if kinds.within(named) {
        return Some(true);
    }
    if kinds.has(named) { None } else { Some(false) }
}

/// Whether exactly one is true.
fn one(verdicts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let verdicts: Vec<_> = verdicts.collect();
    let count = |verdict| verdicts.iter().filter(|other| **other == verdict).count();
    match (count(Some(true)), count(None)) {
        (2.., _) => Some(false),
        (holds, 0) => Some(holds == 1),
        (_, _) => None,
    }
}

fn of_number(operand: &Value, keyword: &str, value: &Value) -> Option<bool> {
    let (operand, value) = (operand.as_number()?, value.as_number()?);
    match keyword {
        "minimum" => Some(order(value, operand)?.is_ge()),
        "maximum" => Some(order(value, operand)?.is_le()),
        "exclusiveMinimum" => Some(order(value, operand)?.is_gt()),
        "exclusiveMaximum" => Some(order(value, operand)?.is_lt()),
        "multipleOf" => Some(whole(value)?.checked_rem(whole(operand)?)? == 0),
        _other => None,
    }
}

fn of_text(operand: &Value, keyword: &str, text: &str) -> Option<bool> {
    let length = text.chars().count() as u64;
    match keyword {
        "minLength" => Some(length >= count(operand)?),
        "maxLength" => Some(length <= count(operand)?),
        _other => None,
    }
}
