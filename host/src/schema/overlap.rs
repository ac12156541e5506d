//! Whether the work on a value may double with each of its levels.
//!
//! It may where several schemas that apply to one value each lead, through a reference, into the
//! same part of it. Such a schema is sound; only it must be checked by something that remembers.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::references::{self, References};
use super::walk::{self, Applies, Step};

/// Whether any schema in `root` leads into one part of a value twice.
pub(super) fn overlaps(root: &Value, references: &References) -> bool {
    let at = |schema: &Value| {
        let mut parts = Parts::default();
        gather(root, references, schema, &mut parts);
        parts.any_twice()
    };
    any(root, &at)
}

fn any(schema: &Value, holds: &dyn Fn(&Value) -> bool) -> bool {
    let Value::Object(map) = schema else { return false };
    let several = walk::children(map).any(|child| child.applies == Applies::InPlace);
    (several && holds(schema)) || walk::children(map).any(|child| any(child.schema, holds))
}

/// How often each part of a value is led into.
#[derive(Default)]
struct Parts<'a> {
    properties: BTreeMap<&'a str, usize>,
    /// Any property: those of patterns and the rest.
    any_property: usize,
    items: usize,
}

impl Parts<'_> {
    fn any_twice(&self) -> bool {
        let most = self.properties.values().max().copied().unwrap_or(0);
        most + self.any_property > 1 || self.items > 1
    }
}

/// Adds the parts that `schema`, and all that applies in place with it, leads into.
fn gather<'a>(root: &'a Value, references: &References, schema: &'a Value, parts: &mut Parts<'a>) {
    let Value::Object(map) = schema else { return };
    for (_, reference) in references::of(map) {
        if let Some(target) = references.find(root, reference) {
            gather(root, references, target, parts);
        }
    }
    for child in walk::children(map) {
        match (child.applies, child.keyword, child.step) {
            (Applies::InPlace, ..) => gather(root, references, child.schema, parts),
            (Applies::Never, ..) | (Applies::Below, "propertyNames" | "contentSchema", _) => {}
            (Applies::Below, ..) if !refers(child.schema) => {}
            (Applies::Below, "properties", Some(Step::Key(name))) => {
                *parts.properties.entry(name).or_default() += 1;
            }
            (
                Applies::Below,
                "patternProperties" | "additionalProperties" | "unevaluatedProperties",
                _,
            ) => {
                parts.any_property += 1;
            }
            (Applies::Below, ..) => parts.items += 1,
        }
    }
}

/// Whether there is a reference anywhere in `schema`.
fn refers(schema: &Value) -> bool {
    let Value::Object(map) = schema else { return false };
    has_reference(map) || walk::children(map).any(|child| refers(child.schema))
}

fn has_reference(schema: &Map<String, Value>) -> bool {
    references::of(schema).next().is_some()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn overlaps_in(mut schema: Value) -> bool {
        schema["$defs"] = json!({"E": {"type": "integer"}});
        overlaps(&schema, &References::within(&schema).unwrap())
    }

    #[test]
    fn arms_that_lead_into_one_part_overlap() {
        let e = json!({"$ref": "#/$defs/E"});
        let left = json!({"properties": {"left": e}});
        assert!(overlaps_in(json!({"anyOf": [left, left]})));
        assert!(overlaps_in(json!({"anyOf": [left, {"additionalProperties": e}]})));
        assert!(overlaps_in(json!({"oneOf": [{"items": e}, {"items": {"anyOf": [e]}}]})));
        assert!(overlaps_in(json!({"properties": {"left": e}, "allOf": [left]})));
    }

    #[test]
    fn arms_that_lead_into_different_parts_do_not() {
        let e = json!({"$ref": "#/$defs/E"});
        let left = json!({"properties": {"left": e}});
        assert!(!overlaps_in(json!({"anyOf": [left, {"properties": {"right": e}}]})));
        assert!(!overlaps_in(json!({"anyOf": [left, {"items": e}, {"type": "null"}]})));
        assert!(!overlaps_in(json!({"anyOf": [left, {"properties": {"left": {"type": "null"}}}]})));
        assert!(!overlaps_in(json!({"properties": {"left": e, "right": e}})));
    }
}
