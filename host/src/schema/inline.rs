//! References replaced by what they refer to, for clients that do not follow them.
//!
//! A recursive definition cannot be written without a reference, so it stays one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value};

use super::references;
use super::refused::{At, Refused};
use super::{Bounds, walk};

/// Inlines every definition of `schema` that does not refer to itself, and drops it.
///
/// # Errors
/// [`Refused`] if the schema then is beyond `bounds`.
pub(super) fn inline(
    mut schema: Map<String, Value>,
    bounds: &Bounds,
) -> Result<Map<String, Value>, Refused> {
    let Some(Value::Object(definitions)) = schema.shift_remove("$defs") else { return Ok(schema) };
    let named: BTreeMap<String, &String> =
        definitions.keys().map(|name| (references::to_definition(name), name)).collect();
    let recursive = recursive(&definitions, &named);
    let mut work = Inline { definitions: &definitions, named, recursive, bounds, schemas: 0 };
    let mut inlined = Value::Object(schema);
    work.schema(&mut inlined, 0)?;
    let mut kept = Map::new();
    for name in work.recursive.clone() {
        let Some(definition) = definitions.get(name) else { continue };
        let mut definition = definition.clone();
        work.schema(&mut definition, 0)?;
        kept.insert(name.clone(), definition);
    }
    let Value::Object(mut inlined) = inlined else { return Err(Refused::Nothing) };
    if !kept.is_empty() {
        inlined.insert("$defs".to_owned(), Value::Object(kept));
    }
    Ok(inlined)
}

/// The names of the definitions from which a reference leads back to them.
fn recursive<'a>(
    definitions: &'a Map<String, Value>,
    named: &BTreeMap<String, &'a String>,
) -> BTreeSet<&'a String> {
    let numbers: HashMap<&String, usize> = definitions.keys().zip(0..).collect();
    let next: Vec<BTreeSet<usize>> = definitions
        .values()
        .map(|definition| {
            let mut next = BTreeSet::new();
            referred(definition, named, &mut next);
            next.iter().filter_map(|name| numbers.get(name).copied()).collect()
        })
        .collect();
    let leads_back = |start: usize| {
        let mut found = vec![false; next.len()];
        let mut open = vec![start];
        while let Some(number) = open.pop() {
            for other in &next[number] {
                if !std::mem::replace(&mut found[*other], true) {
                    open.push(*other);
                }
            }
        }
        found[start]
    };
    definitions
        .keys()
        .zip(0..)
        .filter(|(_, number)| leads_back(*number))
        .map(|(name, _)| name)
        .collect()
}

fn referred<'a>(
    schema: &Value,
    named: &BTreeMap<String, &'a String>,
    found: &mut BTreeSet<&'a String>,
) {
    let Value::Object(map) = schema else { return };
    found.extend(references::of(map).filter_map(|(_, reference)| named.get(reference)));
    walk::children(map).for_each(|child| referred(child.schema, named, found));
}

struct Inline<'a> {
    definitions: &'a Map<String, Value>,
    /// From a reference to the name of its definition.
    named: BTreeMap<String, &'a String>,
    recursive: BTreeSet<&'a String>,
    bounds: &'a Bounds,
    schemas: usize,
}

impl Inline<'_> {
    fn schema(&mut self, schema: &mut Value, depth: usize) -> Result<(), Refused> {
        self.schemas += 1;
        if self.schemas > self.bounds.subschemas_max {
            return Err(Refused::TooManySchemas { subschemas_max: self.bounds.subschemas_max });
        }
        if depth > self.bounds.depth_max {
            return Err(Refused::TooDeep { at: At::new(""), depth_max: self.bounds.depth_max });
        }
        let Value::Object(map) = schema else { return Ok(()) };
        let reference = map.get("$ref").and_then(Value::as_str);
        let name = reference.and_then(|reference| self.named.get(reference).copied());
        let definition = name
            .filter(|name| !self.recursive.contains(name))
            .and_then(|name| self.definitions.get(name));
        if let Some(definition) = definition {
            replace(map, definition);
            return self.schema(schema, depth + 1);
        }
        if let Some(Value::Object(discriminator)) = map.get_mut("discriminator") {
            // It refers to definitions that are no longer there.
            discriminator.shift_remove("mapping");
        }
        let mut result = Ok(());
        walk::children_mut(map, &mut |_, child| {
            if result.is_ok() {
                result = self.schema(child, depth + 1);
            }
        });
        result
    }
}

/// Puts `definition` where a reference to it was. Annotations that stood beside the reference
/// win over those of the definition.
fn replace(map: &mut Map<String, Value>, definition: &Value) {
    map.shift_remove("$ref");
    let beside = std::mem::take(map);
    if let Value::Object(definition) = definition
        && beside.keys().all(|keyword| walk::is_annotation(keyword))
    {
        map.extend(definition.clone());
        map.extend(beside);
        return;
    }
    *map = beside;
    let arms = map.entry("allOf").or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(arms) = arms {
        arms.push(definition.clone());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn inlined(schema: Value) -> Result<Value, Refused> {
        let Value::Object(schema) = schema else { panic!("an object") };
        inline(schema, &Bounds::default()).map(Value::Object)
    }

    #[test]
    fn references_become_what_they_refer_to() {
        let schema = json!({
            "properties": {
                "a": {"$ref": "#/$defs/A", "description": "beside"},
                "b": {"$ref": "#/$defs/A", "minimum": 1},
            },
            "$defs": {
                "A": {"$ref": "#/$defs/B", "description": "of A"},
                "B": {"type": "integer", "description": "of B"},
            },
        });
        assert_eq!(
            inlined(schema),
            Ok(json!({"properties": {
                "a": {"type": "integer", "description": "beside"},
                "b": {"allOf": [{"type": "integer", "description": "of A"}], "minimum": 1},
            }}))
        );
    }

    #[test]
    fn a_recursive_definition_stays() {
        let schema = json!({
            "items": {"$ref": "#/$defs/Pair"},
            "$defs": {
                "Pair": {"prefixItems": [{"$ref": "#/$defs/Tree"}, {"$ref": "#/$defs/Leaf"}]},
                "Tree": {"items": {"$ref": "#/$defs/Twig"}},
                "Twig": {"anyOf": [{"$ref": "#/$defs/Tree"}, {"$ref": "#/$defs/Leaf"}]},
                "Leaf": {"type": "null"},
            },
        });
        assert_eq!(
            inlined(schema),
            Ok(json!({
                "items": {"prefixItems": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]},
                "$defs": {
                    "Tree": {"items": {"$ref": "#/$defs/Twig"}},
                    "Twig": {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]},
                },
            }))
        );
    }

    #[test]
    fn what_gets_too_large_or_too_deep_is_refused() {
        let mut definitions = Map::new();
        for level in 0..70 {
            let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
            definitions.insert(format!("d{level}"), json!({"items": next}));
        }
        definitions.insert("d70".to_owned(), json!({}));
        let deep = json!({"$ref": "#/$defs/d0", "$defs": definitions});
        assert!(matches!(inlined(deep), Err(Refused::TooDeep { .. })));
        for level in 0..20 {
            let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
            let twice = json!({"properties": {"a": next, "b": next}});
            definitions.insert(format!("d{level}"), twice);
        }
        definitions.insert("d20".to_owned(), json!({}));
        let large = json!({"$ref": "#/$defs/d0", "$defs": definitions});
        assert!(matches!(inlined(large), Err(Refused::TooManySchemas { .. })));
    }
}
