//! The items of arrays: what is known of them, and what has to be.

use serde_json::{Map, Value};

use super::Check;
use super::facts::Facts;
use super::numbers::count;
use super::side::Side;

type Schemas = Map<String, Value>;

/// What is known of items (JSON Schema 2020-12 core, section 10.3.1).
impl<'a> Facts<'a> {
    /// The most items that it may have: also as many as there are before none may follow.
    fn items_max(&self) -> Option<u64> {
        let closed = |schema: &&'a Schemas| {
            let none_follows = schema.get("items") == Some(&Value::Bool(false));
            none_follows.then(|| prefix(schema).len() as u64)
        };
        let closed = self.schemas().iter().filter_map(closed).min();
        closed.into_iter().chain(self.bound("maxItems", false)).min()
    }

    /// Of the item at `index`.
    fn item(&self, side: &Side<'a>, index: usize) -> Self {
        let told = |schema: &&'a Schemas| prefix(schema).get(index).or_else(|| schema.get("items"));
        Self::of(side, self.schemas().iter().filter_map(told))
    }
}

fn prefix(schema: &Schemas) -> &[Value] {
    schema.get("prefixItems").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

impl<'a> Check<'a> {
    /// Whether an array keeps `keyword` of `schema`. None for keywords that are not about arrays.
    pub(super) fn of_array(
        &mut self,
        schema: &'a Schemas,
        keyword: &str,
        operand: &'a Value,
        facts: &Facts<'a>,
    ) -> Option<bool> {
        let most = facts.items_max();
        let may_have = |index: usize| most.is_none_or(|most| (index as u64) < most);
        Some(match keyword {
            "minItems" => {
                let fewest = facts.bound(keyword, true).unwrap_or(0);
                count(operand).is_some_and(|least| fewest >= least)
            }
            "maxItems" => count(operand).zip(most).is_some_and(|(operand, most)| most <= operand),
            "uniqueItems" => {
                *operand == Value::Bool(false)
                    || most.is_some_and(|most| most <= 1)
                    || facts.said(keyword).any(|unique| *unique == Value::Bool(true))
            }
            "prefixItems" => operand.as_array().is_some_and(|prefix| {
                prefix.iter().enumerate().all(|(index, wide)| {
                    !may_have(index) || self.fits(wide, &facts.item(&self.narrow, index))
                })
            }),
            // The last index stands for all that come after every prefix.
            "items" => {
                let longest = facts.schemas().iter().map(|narrow| prefix(narrow).len()).max();
                let own = prefix(schema).len();
                (own..=own.max(longest.unwrap_or(0))).all(|index| {
                    !may_have(index) || self.fits(operand, &facts.item(&self.narrow, index))
                })
            }
            "contains" => {
                let group = ["contains", "minContains", "maxContains"];
                facts.schemas().iter().any(|narrow| self.agree(&group, schema, narrow))
            }
            _other => return None,
        })
    }
}
