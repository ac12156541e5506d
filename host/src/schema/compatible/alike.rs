//! Schemas that are the same but for annotations, whatever their definitions are called.
//!
//! What is alike allows the same values, also by keywords that no rule is about.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::super::walk::{self, Holds};
use super::numbers::same;
use super::{Check, rules};

/// Pairs of schemas that are being compared, by their addresses.
type Seen = HashSet<(*const Map<String, Value>, *const Map<String, Value>)>;

impl<'a> Check<'a> {
    /// Whether `wide` and `narrow` are alike.
    pub(super) fn are_alike(
        &mut self,
        wide: &'a Map<String, Value>,
        narrow: &'a Map<String, Value>,
    ) -> bool {
        self.maps(wide, narrow, &mut Seen::new())
    }

    /// Whether each of `keywords` is alike in both, or missing.
    pub(super) fn agree(
        &mut self,
        keywords: &[&str],
        wide: &'a Map<String, Value>,
        narrow: &'a Map<String, Value>,
    ) -> bool {
        keywords.iter().all(|keyword| match (wide.get(*keyword), narrow.get(*keyword)) {
            (Some(_), Some(_)) => self.keyword(keyword, wide, narrow, &mut Seen::new()),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        })
    }

    fn maps(
        &mut self,
        wide: &'a Map<String, Value>,
        narrow: &'a Map<String, Value>,
        seen: &mut Seen,
    ) -> bool {
        if self.narrow.take(wide.len() + narrow.len()).is_none() {
            return false;
        }
        let is_read = |keyword: &&String| !walk::is_annotation(keyword) && !rules::is_idle(keyword);
        let counts = [wide, narrow].map(|map| map.keys().filter(is_read).count());
        // Schemas that refer to themselves are alike if no difference is found.
        if counts[0] != counts[1] || !seen.insert((wide, narrow)) {
            return counts[0] == counts[1];
        }
        self.deeper(|this| {
            wide.keys().filter(is_read).all(|keyword| this.keyword(keyword, wide, narrow, seen))
        })
    }

    fn schemas(&mut self, wide: &'a Value, narrow: &'a Value, seen: &mut Seen) -> bool {
        match (wide, narrow) {
            (Value::Object(wide), Value::Object(narrow)) => self.maps(wide, narrow, seen),
            (wide, narrow) => is_data(wide, narrow),
        }
    }

    fn keyword(
        &mut self,
        keyword: &str,
        wide: &'a Map<String, Value>,
        narrow: &'a Map<String, Value>,
        seen: &mut Seen,
    ) -> bool {
        let (Some(one), Some(other)) = (wide.get(keyword), narrow.get(keyword)) else {
            return false;
        };
        match (walk::keyword(keyword), one, other) {
            (None, ..) if keyword == "$ref" => {
                let targets = self.wide.referred(wide).zip(self.narrow.referred(narrow));
                targets.is_some_and(|(wide, narrow)| self.schemas(wide, narrow, seen))
            }
            // What these refer to depends on more than the two schemas.
            (None, ..) if keyword.starts_with('$') => false,
            (None, one, other) => is_data(one, other),
            (Some((Holds::One, _)), one, other) => self.schemas(one, other, seen),
            (Some((Holds::List, _)), Value::Array(one), Value::Array(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|(one, other)| self.schemas(one, other, seen))
            }
            (Some((Holds::Map, _)), Value::Object(one), Value::Object(other)) => {
                one.len() == other.len()
                    && one.iter().all(|(key, one)| {
                        other.get(key).is_some_and(|other| self.schemas(one, other, seen))
                    })
            }
            (Some((Holds::List | Holds::Map, _)), ..) => false,
        }
    }
}

/// Whether both are the same value, which refers to nothing.
pub(super) fn is_data(one: &Value, other: &Value) -> bool {
    same(one, other) == Some(true) && !refers(one)
}

fn refers(value: &Value) -> bool {
    match value {
        Value::Object(entries) => {
            let is_reference = |key: &String| key.starts_with('$') && key.ends_with("ef");
            entries.keys().any(is_reference) || entries.values().any(refers)
        }
        Value::Array(items) => items.iter().any(refers),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
