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
            let mut names = BTreeSet::new();
            referred(definition, named, &mut names);
            names.iter().filter_map(|name| numbers.get(name).copied()).collect()
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
