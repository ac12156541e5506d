//! What has to be known of a value for it to keep a keyword.

use serde_json::{Map, Number, Value};

use super::super::kinds::Kinds;
use super::super::walk;
use super::Check;
use super::alike::is_data;
use super::facts::Facts;
use super::numbers::{count, order, whole};

/// Whether `keyword` names a schema, or holds schemas that are read only by reference (JSON
/// Schema 2020-12 core, sections 8.1, 8.2.1, 8.2.2 and 8.2.4).
pub(super) fn is_idle(keyword: &str) -> bool {
    matches!(
        keyword,
        "$schema" | "$vocabulary" | "$id" | "$anchor" | "$dynamicAnchor" | "$defs" | "definitions"
    )
}

/// The types that `type` names, all of which are known.
pub(super) fn named(kinds: &Value) -> Option<Kinds> {
    match kinds {
        Value::String(_) => Some(Kinds::named(kinds)).filter(|named| *named != Kinds::ALL),
        Value::Array(kinds) => {
            kinds.iter().try_fold(Kinds::NONE, |all, kind| Some(all.or(named(kind)?)))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

impl<'a> Check<'a> {
    /// Whether every value of which `facts` are true keeps `keyword` of `schema`, by what is said
    /// of all of them.
    pub(super) fn keeps_as_is(
        &mut self,
        schema: &'a Map<String, Value>,
        keyword: &str,
        facts: &Facts<'a>,
    ) -> bool {
        let Some(operand) = schema.get(keyword) else { return true };
        if walk::is_annotation(keyword) || is_idle(keyword) {
            return true;
        }
        if let Some(kept) = of_scalar(keyword, operand, facts)
            .or_else(|| self.in_place(schema, keyword, operand, facts))
            .or_else(|| self.of_object(schema, keyword, operand, facts))
            .or_else(|| self.of_array(schema, keyword, operand, facts))
        {
            return kept;
        }
        match keyword {
            // They say something only beside what they belong to, and are read with it.
            "then" | "else" => true,
            "minContains" | "maxContains" => true,
            // What was evaluated depends on the whole schema, which has been compared.
            "unevaluatedProperties" | "unevaluatedItems" => {
                self.fits(operand, &Facts::of(&self.narrow, []))
            }
            "contentSchema" => {
                facts.schemas().iter().any(|narrow| self.agree(&["contentSchema"], schema, narrow))
            }
            // Of older dialects: it means something only with an `items` that is a list.
            "additionalItems" => false,
            other if other.starts_with('$') => false,
            other => facts.said(other).any(|said| is_data(operand, said)),
        }
    }

    /// What applies to the same value (JSON Schema 2020-12 core, sections 8.2.3.1, 10.2.1 and
    /// 10.2.2). None for other keywords.
    fn in_place(
        &mut self,
        schema: &'a Map<String, Value>,
        keyword: &str,
        operand: &'a Value,
        facts: &Facts<'a>,
    ) -> Option<bool> {
        let arms = || operand.as_array().into_iter().flatten();
        Some(match keyword {
            "$ref" => self.wide.referred(schema).is_some_and(|target| self.fits(target, facts)),
            "allOf" => operand.is_array() && arms().all(|arm| self.fits(arm, facts)),
            "anyOf" => arms().any(|arm| self.fits(arm, facts)),
            "oneOf" => self.said_alike(&["oneOf"], schema, facts) || self.one_of(operand, facts),
            "not" => {
                self.said_alike(&["not"], schema, facts) || {
                    let denied = Facts::of(&self.wide, [operand]);
                    self.are_apart(&denied, facts)
                }
            }
            "if" => {
                self.said_alike(&["if", "then", "else"], schema, facts)
                    || ["then", "else"]
                        .into_iter()
                        .filter_map(|branch| schema.get(branch))
                        .all(|branch| self.fits(branch, facts))
            }
            _other => return None,
        })
    }

    /// Whether one arm fits, and no other one allows any of it.
    fn one_of(&mut self, operand: &'a Value, facts: &Facts<'a>) -> bool {
        let arms = operand.as_array().map_or(&[][..], Vec::as_slice);
        let Some(fitting) = arms.iter().position(|arm| self.fits(arm, facts)) else { return false };
        arms.iter().enumerate().filter(|(index, _)| *index != fitting).all(|(_, arm)| {
            let other = Facts::of(&self.wide, [arm]);
            self.are_apart(&other, facts)
        })
    }

    /// Whether a schema that the value fits says the same with `keywords`.
    fn said_alike(
        &mut self,
        keywords: &[&str],
        schema: &'a Map<String, Value>,
        facts: &Facts<'a>,
    ) -> bool {
        facts.schemas().iter().any(|narrow| self.agree(keywords, schema, narrow))
    }
}

/// What is about values that have no parts, and about all values (JSON Schema 2020-12 validation,
/// sections 6.1 to 6.3). None for other keywords.
fn of_scalar(keyword: &str, operand: &Value, facts: &Facts<'_>) -> Option<bool> {
    let bound = operand.as_number();
    let limited = |keyword: &str, limits: &dyn Fn(&Number, &Number) -> bool| {
        let told = facts.said(keyword).filter_map(Value::as_number);
        bound.is_some_and(|bound| told.into_iter().any(|said| limits(said, bound)))
    };
    let at_least = |said: &Number, bound: &Number| order(said, bound).is_some_and(|o| o.is_ge());
    let at_most = |said: &Number, bound: &Number| order(said, bound).is_some_and(|o| o.is_le());
    let above = |said: &Number, bound: &Number| order(said, bound).is_some_and(|o| o.is_gt());
    let below = |said: &Number, bound: &Number| order(said, bound).is_some_and(|o| o.is_lt());
    Some(match keyword {
        "type" => named(operand).is_some_and(|named| facts.kinds().within(named)),
        // Where the values are known, they were looked at one by one.
        "enum" | "const" => false,
        "minimum" => limited("minimum", &at_least) || limited("exclusiveMinimum", &at_least),
        "maximum" => limited("maximum", &at_most) || limited("exclusiveMaximum", &at_most),
        "exclusiveMinimum" => limited("minimum", &above) || limited(keyword, &at_least),
        "exclusiveMaximum" => limited("maximum", &below) || limited(keyword, &at_most),
        "multipleOf" => {
            let is_one = bound.and_then(whole) == Some(1);
            (is_one && !facts.kinds().has(Kinds::FLOAT))
                || limited(keyword, &|said, bound| said == bound || divides(bound, said))
        }
        "minLength" => {
            let most = facts.said(keyword).filter_map(count).max().unwrap_or(0);
            count(operand).is_some_and(|least| most >= least)
        }
        "maxLength" => limited(keyword, &at_most),
        _other => return None,
    })
}

fn divides(divisor: &Number, number: &Number) -> bool {
    let pair = whole(number).zip(whole(divisor));
    pair.is_some_and(|(number, divisor)| divisor > 0 && number % divisor == 0)
}
