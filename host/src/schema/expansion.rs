//! How many schemas one value may have to be checked against.
//!
//! A schema that passes takes a bounded number of steps for each part of a value, however its
//! references multiply.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::Bounds;
use super::references::{self, References};
use super::refused::{At, Refused};
use super::walk::{self, Applies};

/// Checks every schema in `root`, and gives the most schemas that one value may have to be
/// checked against.
///
/// # Errors
/// [`Refused`] if they are more than the bounds allow, nest deeper, or never end.
pub(super) fn check(
    root: &Value,
    references: &References,
    bounds: &Bounds,
) -> Result<usize, Refused> {
    let mut expansion = Expansion { root, references, bounds, known: HashMap::new(), most: 1 };
    expansion.every(root)?;
    Ok(expansion.most)
}

struct Expansion<'a> {
    root: &'a Value,
    references: &'a References,
    bounds: &'a Bounds,
    /// By the address of a schema: its expansion, or none while it is counted.
    known: HashMap<*const Value, Option<Expanded>>,
    /// The most so far.
    most: usize,
}

/// What checking one value against a schema takes.
#[derive(Clone, Copy)]
struct Expanded {
    schemas: usize,
    levels: usize,
}

impl<'a> Expansion<'a> {
    fn every(&mut self, schema: &'a Value) -> Result<(), Refused> {
        self.of(schema, self.bounds.nesting_max)?;
        let Value::Object(map) = schema else { return Ok(()) };
        walk::children(map).try_for_each(|child| self.every(child.schema))
    }

    fn of(&mut self, schema: &'a Value, levels_left: usize) -> Result<Expanded, Refused> {
        let leaf = Expanded { schemas: 1, levels: 1 };
        let Value::Object(map) = schema else { return Ok(leaf) };
        let Bounds { expansion_max, nesting_max: depth_max, .. } = *self.bounds;
        let too_deep = |at| Refused::TooDeep { at, depth_max };
        let Some(levels_left) = levels_left.checked_sub(1) else {
            return Err(too_deep(self.at(schema)));
        };
        match self.known.get(&std::ptr::from_ref(schema)) {
            Some(Some(known)) => return Ok(*known),
            Some(None) => return Err(Refused::Endless { at: self.at(schema) }),
            None => {}
        }
        self.known.insert(schema, None);
        let mut sum = leaf;
        for part in self.in_place(map) {
            let part = self.of(part, levels_left)?;
            sum.schemas = sum.schemas.saturating_add(part.schemas);
            sum.levels = sum.levels.max(part.levels + 1);
        }
        // What was evaluated has to be found out once more, and what led there too.
        if map.contains_key("unevaluatedProperties") || map.contains_key("unevaluatedItems") {
            sum.schemas = sum.schemas.saturating_mul(3);
        }
        if sum.schemas > expansion_max {
            return Err(Refused::TooManySteps { at: self.at(schema), expansion_max });
        }
        if sum.levels > depth_max {
            return Err(too_deep(self.at(schema)));
        }
        self.most = self.most.max(sum.schemas);
        self.known.insert(schema, Some(sum));
        Ok(sum)
    }

    /// The schemas that apply to the same value as `schema`.
    fn in_place(&self, schema: &'a Map<String, Value>) -> Vec<&'a Value> {
        let referred = references::of(schema)
            .filter_map(|(_, reference)| self.references.find(self.root, reference));
        let held = walk::children(schema)
            .filter(|child| {
                child.applies == Applies::InPlace || child.keyword == "patternProperties"
            })
            .map(|child| child.schema);
        referred.chain(held).collect()
    }

    /// Where `schema` is.
    fn at(&self, schema: &Value) -> At {
        At::new(&find(self.root, schema, &mut String::new()).unwrap_or_default())
    }
}

fn find(root: &Value, wanted: &Value, at: &mut String) -> Option<String> {
    if std::ptr::eq(root, wanted) {
        return Some(at.clone());
    }
    walk::children(root.as_object()?).find_map(|child| {
        super::bounds::below(at, walk::Step::Key(child.keyword), |at| match child.step {
            None => find(child.schema, wanted, at),
            Some(step) => super::bounds::below(at, step, |at| find(child.schema, wanted, at)),
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn expansion(schema: &Value) -> Result<usize, Refused> {
        check(schema, &References::within(schema).unwrap(), &Bounds::default())
    }

    #[test]
    fn what_applies_to_one_value_is_counted() {
        for (schema, expected) in [
            (json!({"type": "string"}), 1),
            (json!({"anyOf": [{}, {}, true]}), 4),
            (json!({"properties": {"a": {"not": {}}, "b": {}}}), 2),
            (json!({"$ref": "#/$defs/A", "$defs": {"A": {"allOf": [{}, {}]}}}), 4),
            (json!({"patternProperties": {"a": {}, "b": {}}}), 3),
            (json!({"allOf": [{}], "unevaluatedProperties": false}), 6),
            (json!({"items": {"$ref": "#"}}), 2),
        ] {
            assert_eq!(expansion(&schema), Ok(expected), "{schema}");
        }
    }

    #[test]
    fn a_reference_that_never_goes_into_the_value_is_refused() {
        let schema = json!({"$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}}});
        assert_eq!(
            expansion(&schema).unwrap_err().to_string(),
            "it refers to itself without going into the value at #/$defs/A"
        );
        assert!(expansion(&json!({"$defs": {"A": {"items": {"$ref": "#/$defs/A"}}}})).is_ok());
    }

    #[test]
    fn too_many_and_too_deep_are_refused_where_they_are() {
        let mut schema = json!({});
        for _ in 0..11 {
            schema = json!({"oneOf": [schema, schema]});
        }
        let error = expansion(&json!({"items": schema})).unwrap_err();
        assert!(matches!(error, Refused::TooManySteps { .. }), "{error}");
        assert!(error.to_string().contains("at #/items"), "{error}");
        let mut schema = json!({});
        for _ in 0..32 {
            schema = json!({"not": schema});
        }
        assert!(matches!(expansion(&schema), Err(Refused::TooDeep { .. })));
    }
}
