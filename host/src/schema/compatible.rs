//! Whether a schema accepts all that another one accepts, and says nothing else.
//!
//! A yes is a proof; a no may only mean that the rules here do not tell. Keywords that no rule
//! is about must be the same on both sides.

mod alike;
mod apart;
mod arrays;
mod facts;
mod numbers;
mod objects;
mod rules;
mod side;
#[cfg(test)]
mod tests;
mod texts;
mod verdict;

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::arguments::Known;
use super::kinds::Kinds;
use facts::Facts;
use side::Side;
pub(crate) use texts::says_the_same;

/// Pairs that are looked at within one another, as each takes its part of the stack.
const LEVELS_MAX: usize = 160;

/// Whether every value that `narrow` allows is allowed by `wide`, as far as can be told from
/// their words: `false` may also mean that it cannot be told. Both are of JSON Schema 2020-12, or
/// read the same in it.
pub(crate) fn accepts_all_of(wide: &Value, narrow: &Value) -> bool {
    let Some(mut check) = Check::new(wide, narrow) else { return false };
    let facts = Facts::of(&check.narrow, [narrow]);
    check.fits(wide, &facts)
}

/// As [`accepts_all_of`], for schemas of arguments as [`Input::check`](super::Input::check) reads
/// them: they are an object, and an argument that a schema does not know is refused, unless it
/// allows others in as many words. So a new optional argument is accepted beside all that was,
/// and an argument that is not known any more is not.
///
/// Rules I1 to I5, by which some arguments are read as others, are left out of account.
pub(crate) fn accepts_all_arguments_of(wide: &Value, narrow: &Value) -> bool {
    let Some((of_wide, of_narrow)) = closed(wide).zip(closed(narrow)) else { return false };
    let Some(mut check) = Check::new(wide, narrow) else { return false };
    let facts = Facts::of(&check.narrow, [narrow, &of_narrow]);
    check.fits(wide, &facts) && check.fits(&of_wide, &facts)
}

/// What the host demands of arguments beside their schema. None if that cannot be told.
fn closed(schema: &Value) -> Option<Value> {
    let side = Side::read(schema)?;
    let mut known = Known::default();
    known.gather(schema, &|reference| side.find(reference));
    let names = known.names_if_closed();
    let is_told = side.finds_all_in_place(schema);
    is_told.then(|| match names {
        Some(names) => json!({"type": "object", "propertyNames": {"enum": names}}),
        None => json!({"type": "object"}),
    })
}

/// What a keyword says something about (JSON Schema 2020-12 core, sections 7.6.1 and 10.3;
/// validation, section 6): values of other types pass.
fn about(keyword: &str) -> Kinds {
    match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            Kinds::INTEGER.or(Kinds::FLOAT)
        }
        "minLength" | "maxLength" | "pattern" | "contentEncoding" | "contentMediaType"
        | "contentSchema" => Kinds::STRING,
        // Some formats that are no part of JSON Schema are about numbers.
        "format" => Kinds::STRING.or(Kinds::INTEGER).or(Kinds::FLOAT),
        "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains"
        | "minContains" | "maxContains" | "unevaluatedItems" => Kinds::ARRAY,
        "properties"
        | "patternProperties"
        | "additionalProperties"
        | "propertyNames"
        | "required"
        | "minProperties"
        | "maxProperties"
        | "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedProperties" => Kinds::OBJECT,
        _other => Kinds::ALL,
    }
}

/// A schema of the wide side and what is known of a value, by their addresses.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Pair {
    wide: *const Map<String, Value>,
    narrow: (Vec<*const Map<String, Value>>, Kinds),
}

/// The proof so far.
struct Check<'a> {
    wide: Side<'a>,
    narrow: Side<'a>,
    levels: usize,
    /// Whether a pair is known to fit. Yes is also what is assumed of a pair that is being
    /// decided: no schema leads to itself but through a part of the value, and that is smaller.
    pairs: HashMap<Pair, bool>,
    /// The pairs that are said to fit, in the order in which that was said.
    trail: Vec<Pair>,
}

impl<'a> Check<'a> {
    fn new(wide: &'a Value, narrow: &'a Value) -> Option<Self> {
        let (wide, narrow) = (Side::read(wide)?, Side::read(narrow)?);
        let (pairs, trail) = (HashMap::new(), Vec::new());
        Some(Self { wide, narrow, levels: 0, pairs, trail })
    }

    /// Runs `prove`, unless that is too far down or too much.
    fn deeper(&mut self, prove: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.narrow.take(1).is_none() || self.levels >= LEVELS_MAX {
            return false;
        }
        self.levels += 1;
        let proven = prove(self);
        self.levels -= 1;
        proven
    }

    /// Whether every value of which `facts` are true is allowed by `wide`.
    fn fits(&mut self, wide: &'a Value, facts: &Facts<'a>) -> bool {
        if facts.allow_nothing() {
            return true;
        }
        match wide {
            Value::Bool(allowed) => *allowed,
            Value::Object(schema) => self.deeper(|this| this.fits_schema(schema, facts)),
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => false,
        }
    }

    fn fits_schema(&mut self, wide: &'a Map<String, Value>, facts: &Facts<'a>) -> bool {
        if facts.schemas().iter().any(|narrow| self.are_alike(wide, narrow)) {
            return true;
        }
        if self.narrow.take(facts.schemas().len()).is_none() {
            return false;
        }
        let pair = Pair { wide, narrow: facts.key() };
        if let Some(known) = self.pairs.get(&pair) {
            return *known;
        }
        let before = self.trail.len();
        self.pairs.insert(pair.clone(), true);
        self.trail.push(pair.clone());
        let fits = wide.keys().all(|keyword| self.keeps(wide, keyword, facts));
        if !fits {
            // What followed from the assumption that it fits is not known any more.
            for follows in self.trail.drain(before..) {
                self.pairs.remove(&follows);
            }
            self.pairs.insert(pair, false);
        }
        fits
    }

    /// Whether every value of which `facts` are true keeps `keyword` of `schema`.
    fn keeps(&mut self, schema: &'a Map<String, Value>, keyword: &str, facts: &Facts<'a>) -> bool {
        if !about(keyword).has(facts.kinds()) {
            return true;
        }
        let parts = match schema.get(keyword) {
            Some(Value::Array(items)) => items.len(),
            Some(Value::Object(entries)) => entries.len(),
            Some(_) | None => 0,
        };
        if self.narrow.take(parts + facts.schemas().len()).is_none() {
            return false;
        }
        if let Some(values) = facts.values(&self.narrow) {
            let verdict = |value: &Value| self.wide.keeps(schema, keyword, value);
            let verdicts: Vec<_> = values.into_iter().map(verdict).collect();
            if verdicts.contains(&Some(false)) {
                return false;
            }
            if verdicts.iter().all(Option::is_some) {
                return true;
            }
        }
        if self.keeps_as_is(schema, keyword, facts) {
            return true;
        }
        let by_type = matches!(keyword, "anyOf" | "oneOf" | "not" | "if" | "dependentSchemas");
        facts.cases(&self.narrow, by_type).is_some_and(|cases| {
            self.deeper(|this| cases.iter().all(|case| this.keeps(schema, keyword, case)))
        })
    }
}
