//! Whether there is a value that two schemas both allow.

use super::Check;
use super::facts::Facts;
use crate::schema::kinds::Kinds;

impl<'a> Check<'a> {
    /// Whether no value is allowed by both: `wide` is known of it by schemas of the wide side,
    /// `narrow` by those of the narrow one.
    pub(super) fn are_apart(&mut self, wide: &Facts<'a>, narrow: &Facts<'a>) -> bool {
        let both = wide.kinds().and(narrow.kinds());
        if both == Kinds::NONE || self.values_differ(wide, narrow) {
            return true;
        }
        self.deeper(|this| {
            if both == Kinds::OBJECT && this.properties_differ(wide, narrow) {
                return true;
            }
            if let Some(cases) = narrow.cases(&this.narrow, false)
                && cases.iter().all(|case| this.are_apart(wide, case))
            {
                return true;
            }
            let cases = wide.cases(&this.wide, false);
            cases.is_some_and(|cases| cases.iter().all(|case| this.are_apart(case, narrow)))
        })
    }

    /// Whether one side has few values, and the other allows none of them.
    fn values_differ(&self, wide: &Facts<'a>, narrow: &Facts<'a>) -> bool {
        let denied = |values: Option<Vec<_>>, side: &super::Side<'a>, by: &Facts<'a>| {
            values.is_some_and(|values| {
                values.into_iter().all(|value| {
                    by.schemas().iter().any(|schema| side.allows(schema, value) == Some(false))
                })
            })
        };
        denied(narrow.values(&self.narrow), &self.wide, wide)
            || denied(wide.values(&self.wide), &self.narrow, narrow)
    }

    /// Whether there is a property that one side requires and no value of which both allow, as
    /// there is where a property tells the cases of a union apart.
    fn properties_differ(&mut self, wide: &Facts<'a>, narrow: &Facts<'a>) -> bool {
        let mut names = wide.listed(&self.wide, "required");
        names.extend(narrow.listed(&self.narrow, "required"));
        let [of_wide, of_narrow] = [wide.naming(&self.wide), narrow.naming(&self.narrow)];
        names.into_iter().any(|name| {
            !of_wide.may_be(&self.wide, name)
                || !of_narrow.may_be(&self.narrow, name)
                || self.are_apart(
                    &wide.property(&self.wide, name, None),
                    &narrow.property(&self.narrow, name, None),
                )
        })
    }
}
