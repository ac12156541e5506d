//! From definitions anywhere to `$defs` at the root.
//!
//! Afterwards every pointer refers to an entry of the root's `$defs`, so the root can be put
//! into a property, and a definition can be taken for itself.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::Refs;
use super::bounds::below;
use super::references::{self, References};
use super::refused::{At, Refused};
use super::walk::{self, Step};

/// A schema whose definitions are apart.
pub(super) struct Hoisted {
    pub(super) root: Map<String, Value>,
    /// By name.
    pub(super) definitions: Map<String, Value>,
    /// The definition that is the root once more, because something refers to the root.
    pub(super) root_name: Option<String>,
}

/// Takes `author` apart. `root_name` is the name of the root where it has no title. Where
/// references are to be inlined, those to an anchor become pointers.
///
/// # Errors
/// [`Refused`] if a reference leaves the document or finds nothing.
pub(super) fn hoist(author: &Value, root_name: &str, refs: Refs) -> Result<Hoisted, Refused> {
    let references = References::within(author)?;
    let (names, taken) = (BTreeMap::new(), BTreeMap::new());
    let keep_anchors = refs == Refs::Defs;
    let mut plan = Plan { author, references, names, taken, root_name, keep_anchors };
    for keyword in ["$defs", "definitions"] {
        plan.definitions_at("", keyword);
    }
    plan.name_targets()?;
    plan.build()
}

struct Plan<'a> {
    author: &'a Value,
    references: References,
    /// From the pointer of a schema to the name of its definition.
    names: BTreeMap<String, String>,
    /// From a name to the schema that has it.
    taken: BTreeMap<String, &'a Value>,
    root_name: &'a str,
    /// Whether anchors, and references to them, stay.
    keep_anchors: bool,
}

impl<'a> Plan<'a> {
    fn definitions_at(&mut self, at: &str, keyword: &str) {
        let parent = self.author.pointer(at).and_then(|schema| schema.get(keyword));
        let Some(Value::Object(entries)) = parent else { return };
        for (name, schema) in entries {
            let pointer = below(&mut at.to_owned(), Step::Key(keyword), |at| {
                below(at, Step::Key(name), |at| at.clone())
            });
            self.name(pointer, name, schema);
        }
    }

    /// Gives the schema at `pointer` a name, unless it has one.
    fn name(&mut self, pointer: String, wanted: &str, schema: &'a Value) {
        if self.names.contains_key(&pointer) {
            return;
        }
        let mut name = wanted.to_owned();
        let mut number = 1;
        while self.taken.get(&name).is_some_and(|other| *other != schema) {
            number += 1;
            name = format!("{wanted}{number}");
        }
        self.taken.insert(name.clone(), schema);
        self.names.insert(pointer, name);
    }

    /// Names every definition, and whatever else a reference refers to.
    fn name_targets(&mut self) -> Result<(), Refused> {
        let mut seen = BTreeSet::new();
        let mut open = vec![(String::new(), self.author)];
        while let Some((mut at, schema)) = open.pop() {
            self.visit(schema, &mut at, &mut |pointer, target| {
                if seen.insert(pointer.clone()) {
                    open.push((pointer, target));
                }
            })?;
        }
        Ok(())
    }

    /// Names the definitions in `schema`, and the targets of its references, which go to `next`.
    fn visit(
        &mut self,
        schema: &'a Value,
        at: &mut String,
        next: &mut dyn FnMut(String, &'a Value),
    ) -> Result<(), Refused> {
        let Value::Object(map) = schema else { return Ok(()) };
        for keyword in ["$defs", "definitions"] {
            self.definitions_at(at, keyword);
        }
        for (keyword, reference) in references::of(map) {
            let author = self.author;
            let (target, found) = self.references.resolve(author, reference, keyword, at)?;
            if !(target.by_anchor && self.keep_anchors) {
                let wanted = self.wanted(&target.pointer, found);
                self.name(target.pointer.clone(), &wanted, found);
            }
            next(target.pointer, found);
        }
        for child in walk::children(map) {
            below(at, Step::Key(child.keyword), |at| match child.step {
                None => self.visit(child.schema, at, next),
                Some(step) => below(at, step, |at| self.visit(child.schema, at, next)),
            })?;
        }
        Ok(())
    }

    fn wanted(&self, pointer: &str, schema: &Value) -> String {
        if pointer.is_empty() {
            let title = schema.get("title").and_then(Value::as_str);
            return title.unwrap_or(self.root_name).to_owned();
        }
        let words = pointer.rsplit('/').find(|step| step.parse::<usize>().is_err());
        words.unwrap_or(self.root_name).replace("~1", "/").replace("~0", "~")
    }

    fn build(self) -> Result<Hoisted, Refused> {
        let mut definitions = Map::new();
        for (pointer, name) in &self.names {
            let Some(schema) = self.author.pointer(pointer) else { continue };
            // What is not a definition stays where it is too, and an anchor must not be twice.
            let anchors = self.keep_anchors && is_definition(pointer);
            definitions.insert(name.clone(), self.rewritten(schema, anchors));
        }
        definitions.sort_keys();
        let root = match self.author {
            Value::Object(_) => self.rewritten(self.author, self.keep_anchors),
            Value::Bool(true) => Value::Object(Map::new()),
            Value::Bool(false)
            | Value::Null
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => return Err(Refused::Nothing),
        };
        let Value::Object(root) = root else { return Err(Refused::Nothing) };
        let mut hoisted = Hoisted { root, definitions, root_name: self.names.get("").cloned() };
        hoisted.resolve_anchored_root(&self);
        Ok(hoisted)
    }

    /// `schema` with every pointer as one to the root's `$defs`, and without definitions.
    fn rewritten(&self, schema: &Value, anchors: bool) -> Value {
        let Value::Object(map) = schema else { return schema.clone() };
        let mut written = Map::new();
        for (keyword, value) in map {
            match keyword.as_str() {
                "$defs" | "definitions" | "$id" | "$schema" => {}
                "$anchor" | "$dynamicAnchor" if !anchors => {}
                "$ref" | "$dynamicRef" => {
                    let reference = value.as_str().map(|reference| self.reference(reference));
                    let reference = reference.map_or_else(|| value.clone(), Value::String);
                    // Without anchors there is no scope to choose from.
                    let keyword = if anchors { keyword } else { "$ref" };
                    written.insert(keyword.to_owned(), reference);
                }
                "discriminator" => {
                    written.insert(keyword.clone(), self.discriminator(value));
                }
                _other => {
                    written.insert(keyword.clone(), value.clone());
                }
            }
        }
        walk::children_mut(&mut written, &mut |_, child| {
            *child = self.rewritten(child, anchors);
        });
        Value::Object(written)
    }

    fn reference(&self, reference: &str) -> String {
        match self.references.resolve(self.author, reference, "$ref", "") {
            Ok((target, _)) if target.by_anchor && self.keep_anchors => {
                let fragment = reference.split_once('#').map_or("", |(_, fragment)| fragment);
                format!("#{fragment}")
            }
            Ok((target, _)) => self
                .names
                .get(&target.pointer)
                .map_or_else(|| reference.to_owned(), |name| references::to_definition(name)),
            Err(_) => reference.to_owned(),
        }
    }

    /// OpenAPI's `discriminator` may hold references too.
    fn discriminator(&self, value: &Value) -> Value {
        let mut value = value.clone();
        if let Some(Value::Object(mapping)) = value.get_mut("mapping") {
            for reference in mapping.values_mut() {
                if let Value::String(reference) = reference
                    && reference.starts_with('#')
                {
                    *reference = self.reference(reference);
                }
            }
        }
        value
    }
}

/// A schema that refers to the definition `name`.
pub(super) fn reference_to(name: &str) -> Value {
    serde_json::json!({ "$ref": references::to_definition(name) })
}

fn is_definition(pointer: &str) -> bool {
    let mut steps = pointer.rsplit('/');
    steps.next();
    matches!(steps.next(), Some("$defs" | "definitions"))
}

impl Hoisted {
    /// A root that refers to a definition by its anchor refers to it by its name.
    fn resolve_anchored_root(&mut self, plan: &Plan<'_>) {
        let Some(Value::String(reference)) = self.root.get("$ref") else { return };
        let found = plan.references.resolve(plan.author, reference, "$ref", "");
        let name = found.ok().and_then(|(target, _)| plan.names.get(&target.pointer));
        if let Some(name) = name {
            let reference = references::to_definition(name);
            self.root.insert("$ref".to_owned(), Value::String(reference));
        }
    }

    /// Replaces a root that is a reference to an object by that object (rule S2: a recursive
    /// type is at the root and in `$defs`).
    ///
    /// # Errors
    /// [`Refused::Endless`] if the root refers to itself.
    pub(super) fn inline_root(&mut self) -> Result<(), Refused> {
        for _ in 0..=self.definitions.len() {
            let Some(name) = self.referred_root() else { return Ok(()) };
            let Some(Value::Object(definition)) = self.definitions.get(&name) else {
                return Ok(());
            };
            let mut root = definition.clone();
            root.entry("title").or_insert_with(|| Value::String(name.clone()));
            let mut annotations = std::mem::take(&mut self.root);
            annotations.remove("$ref");
            root.extend(annotations);
            self.root = root;
            if self.is_referred_to(&name) {
                strip_anchors(&mut self.root);
            } else {
                self.definitions.shift_remove(&name);
            }
        }
        Err(Refused::Endless { at: At::new("") })
    }

    /// The definition that the root is, if it is nothing but a reference.
    fn referred_root(&self) -> Option<String> {
        let reference = self.root.get("$ref")?.as_str()?;
        let bare = self.root.keys().all(|key| key == "$ref" || walk::is_annotation(key));
        let is_it = |name: &&String| references::to_definition(name) == reference;
        if bare { self.definitions.keys().find(is_it).cloned() } else { None }
    }

    fn is_referred_to(&self, name: &str) -> bool {
        let reference = references::to_definition(name);
        let others = self.definitions.iter().filter(|(other, _)| *other != name);
        refers(&self.root, &reference)
            || others
                .into_iter()
                .any(|(_, other)| other.as_object().is_some_and(|other| refers(other, &reference)))
    }
}

fn refers(schema: &Map<String, Value>, reference: &str) -> bool {
    references::of(schema).any(|(_, other)| other == reference)
        || walk::children(schema)
            .any(|child| child.schema.as_object().is_some_and(|child| refers(child, reference)))
}

fn strip_anchors(schema: &mut Map<String, Value>) {
    schema.remove("$anchor");
    schema.remove("$dynamicAnchor");
    walk::children_mut(schema, &mut |_, child| {
        if let Value::Object(child) = child {
            strip_anchors(child);
        }
    });
}
