//! Whether a schema says nothing that another one did not say.
//!
//! Whatever a model reads of a schema, and a property's name aside, is a text: a description as
//! much as a case of an enum.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::super::walk::{self, Holds};

/// Levels of JSON that are looked at.
const LEVELS_MAX: usize = 160;
/// Characters of a name, or of a pattern, that may be new.
const NAME_MAX: usize = 64;

/// Whether `new` says no text that `old` does not say. Where both have a schema its annotations
/// and its references are the same, where only `new` has one it has no texts of its own, and no
/// string is new but a name, a type, a format or a pattern that is no more than that. An arm or
/// an item is where the one of the same number is.
pub(crate) fn says_the_same(old: &Value, new: &Value) -> bool {
    let mut said = Said::default();
    said.gather(old, LEVELS_MAX)
        && said.says_all_of(new, Place::Schema, LEVELS_MAX)
        && in_step(Some(old), new, LEVELS_MAX)
}

/// What the old schema says, anywhere.
#[derive(Default)]
struct Said<'a> {
    texts: HashSet<&'a str>,
    names: HashSet<&'a str>,
}

/// What a value in a schema is.
#[derive(Clone, Copy)]
enum Place {
    Schema,
    /// The value of a keyword that holds no schemas.
    Data,
    /// As data, but each string is a name.
    Names,
    Pattern,
    /// Says no more than what it refers to.
    Reference,
}

impl<'a> Said<'a> {
    /// Whether all of it could be looked at.
    fn gather(&mut self, value: &'a Value, levels: usize) -> bool {
        let Some(left) = levels.checked_sub(1) else { return false };
        match value {
            Value::String(text) => {
                self.texts.insert(text);
                true
            }
            Value::Array(items) => items.iter().all(|item| self.gather(item, left)),
            Value::Object(entries) => entries.iter().all(|(name, entry)| {
                self.names.insert(name);
                self.gather(entry, left)
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) => true,
        }
    }

    fn says_all_of(&self, value: &Value, place: Place, levels: usize) -> bool {
        let Some(left) = levels.checked_sub(1) else { return false };
        let every = |value: &Value, place| match value {
            Value::Array(items) => items.iter().all(|item| self.says_all_of(item, place, left)),
            Value::Object(entries) => entries
                .iter()
                .all(|(name, entry)| self.may_name(name) && self.says_all_of(entry, place, left)),
            other => self.says_all_of(other, place, left),
        };
        match (value, place) {
            (Value::Null | Value::Bool(_) | Value::Number(_), _) => true,
            (Value::String(text), Place::Schema | Place::Data) => self.texts.contains(&**text),
            (Value::String(name), Place::Names) => self.may_name(name),
            (Value::String(pattern), Place::Pattern) => self.may_match(pattern),
            (Value::String(_), Place::Reference) => true,
            (Value::Object(map), Place::Schema) => {
                map.iter().all(|(keyword, value)| match (walk::keyword(keyword), value) {
                    (Some((Holds::One, _)), schema) => {
                        self.says_all_of(schema, Place::Schema, left)
                    }
                    (Some(_), Value::Object(patterns)) if keyword == "patternProperties" => {
                        patterns.iter().all(|(pattern, schema)| {
                            self.may_match(pattern) && self.says_all_of(schema, Place::Schema, left)
                        })
                    }
                    (Some((Holds::List | Holds::Map, _)), value) => every(value, Place::Schema),
                    (None, value) => {
                        let known = keyword.strip_prefix('$').unwrap_or(keyword);
                        self.may_name(known) && self.says_all_of(value, place_of(keyword), left)
                    }
                })
            }
            (value @ (Value::Array(_) | Value::Object(_)), place) => every(value, place),
        }
    }

    fn may_name(&self, name: &str) -> bool {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        self.names.contains(name)
            || self.texts.contains(name)
            || (name.len() <= NAME_MAX && name.chars().all(is_plain))
    }

    fn may_match(&self, pattern: &str) -> bool {
        self.names.contains(pattern)
            || self.texts.contains(pattern)
            || (pattern.len() <= NAME_MAX && !pattern.contains(char::is_whitespace))
    }
}

fn place_of(keyword: &str) -> Place {
    match keyword {
        "type" | "format" | "required" | "dependentRequired" => Place::Names,
        "pattern" => Place::Pattern,
        "$ref" | "$schema" => Place::Reference,
        _other => Place::Data,
    }
}

/// Whether `keyword` neither restricts values nor holds schemas: what it says is for a reader.
/// That goes for every keyword that JSON Schema does not know (JSON Schema 2020-12 core, section
/// 6.5), and for references: what they lead to is said where they are.
fn is_said(keyword: &str) -> bool {
    let asserts = matches!(
        keyword,
        "type"
            | "enum"
            | "const"
            | "multipleOf"
            | "maximum"
            | "exclusiveMaximum"
            | "minimum"
            | "exclusiveMinimum"
            | "maxLength"
            | "minLength"
            | "pattern"
            | "maxItems"
            | "minItems"
            | "uniqueItems"
            | "maxContains"
            | "minContains"
            | "maxProperties"
            | "minProperties"
            | "required"
            | "dependentRequired"
            | "format"
    );
    !asserts && walk::keyword(keyword).is_none()
}

/// Whether all that is said in `new` is said in the same place in `old`.
fn in_step(old: Option<&Value>, new: &Value, levels: usize) -> bool {
    let Some(left) = levels.checked_sub(1) else { return false };
    let none = Map::new();
    let (is_new, old) = (old.is_none(), old.and_then(Value::as_object).unwrap_or(&none));
    // No schema, or one without a word: `true` is `{}`.
    let new = new.as_object().unwrap_or(&none);
    let says_as_much = |keyword: &String| match (old.get(keyword), new.get(keyword)) {
        (Some(old), Some(new)) => old == new,
        (None, Some(new)) => is_new && (is_silent(new) || keyword == "$ref"),
        (Some(_) | None, None) => false,
    };
    let said = old.keys().chain(new.keys()).filter(|keyword| is_said(keyword));
    said.into_iter().all(says_as_much)
        && new.iter().all(|(keyword, new)| {
            let old = old.get(keyword);
            match (walk::keyword(keyword), new) {
                (None, _) => true,
                (Some((Holds::One, _)), new) => in_step(old, new, left),
                (Some((Holds::List, _)), Value::Array(arms)) => {
                    let mut at = arms.iter().enumerate();
                    at.all(|(index, arm)| in_step(old.and_then(|old| old.get(index)), arm, left))
                }
                (Some((Holds::Map, _)), Value::Object(entries)) => {
                    let mut at = entries.iter();
                    at.all(|(key, entry)| in_step(old.and_then(|old| old.get(key)), entry, left))
                }
                (Some((Holds::List | Holds::Map, _)), _) => false,
            }
        })
}

/// Whether there is no text in `value`.
fn is_silent(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::String(_) => false,
        Value::Array(items) => items.iter().all(is_silent),
        Value::Object(entries) => entries.values().all(is_silent),
    }
}
