//! From definitions anywhere to `$defs` at the root.
//!
//! Afterwards every pointer refers to an entry of the root's `$defs`, so the root can be put
//! into a property, and a definition can be taken for itself.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::Refs;
use super::bounds::below;
use super::references::{self, References};
use super::refused::Refused;
use super::walk::{self, Step};

/// A schema whose definitions are apart.
pub(super) struct Hoisted {
    pub(super) root: Map<String, Value>,
    /// By name.
    pub(super) definitions: Map<String, Value>,
    /// The definition that is the root once more, because something refers to the root.
    pub(super) root_name: Option<String>,
    /// The dialect that the author names (`$schema`).
    pub(super) dialect: Option<Value>,
}

/// Takes `author` apart. `root_name` is the name of the root where it has no title. Where
/// references are to be inlined, those to an anchor become pointers.
///
/// # Errors
/// [`Refused`] if a reference leaves the document or finds nothing.
pub(super) fn hoist(author: &Value, root_name: &str, refs: Refs) -> Result<Hoisted, Refused> {
    let references = References::within(author)?;
    let mut plan = Plan {
        author,
        references,
        names: BTreeMap::new(),
        taken: BTreeMap::new(),
        numbers: BTreeMap::new(),
        root_name,
        keep_anchors: refs == Refs::Defs,
    };
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
    /// The last number that was added to a name.
    numbers: BTreeMap<String, usize>,
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
        let numbered = |number: usize| match number {
            1 => wanted.to_owned(),
            number => format!("{wanted}{number}"),
        };
        let fits = |name: &str| self.taken.get(name).is_none_or(|other| *other == schema);
        // The first and the last, then new ones: a schema may have thousands of one name.
        let last = self.numbers.get(wanted).copied().unwrap_or(1);
        let number = std::iter::once(1).chain(last..).find(|number| fits(&numbered(*number)));
        let number = number.unwrap_or(last);
        self.numbers.insert(wanted.to_owned(), number.max(last));
        self.taken.insert(numbered(number), schema);
        self.names.insert(pointer, numbered(number));
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
        let root_name = self.names.get("").cloned();
        let dialect = self.author.get("$schema").cloned();
        let mut hoisted = Hoisted { root, definitions, root_name, dialect };
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

    /// The `discriminator` of OpenAPI may hold references too.
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
}

fn is_definition(pointer: &str) -> bool {
    let mut steps = pointer.rsplit('/');
    steps.next();
    matches!(steps.next(), Some("$defs" | "definitions"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hoisted(author: &Value) -> (Value, Value) {
        let Hoisted { root, definitions, .. } = hoist(author, "root", Refs::Defs).unwrap();
        (Value::Object(root), Value::Object(definitions))
    }

    #[test]
    fn definitions_come_to_the_root_from_wherever_they_are() {
        let author = json!({
            "definitions": {"A": {"type": "null"}},
            "properties": {"p": {
                "$ref": "#/properties/p/$defs/B",
                "$defs": {"B": {"items": {"$ref": "#/definitions/A"}}},
            }},
        });
        let (root, definitions) = hoisted(&author);
        assert_eq!(root, json!({"properties": {"p": {"$ref": "#/$defs/B"}}}));
        assert_eq!(
            definitions,
            json!({"A": {"type": "null"}, "B": {"items": {"$ref": "#/$defs/A"}}})
        );
    }

    #[test]
    fn two_definitions_of_one_name_stay_two() {
        let author = json!({
            "$defs": {"A": {"type": "null"}},
            "properties": {
                "same": {"$ref": "#/properties/same/$defs/A", "$defs": {"A": {"type": "null"}}},
                "other": {"$ref": "#/properties/other/$defs/A", "$defs": {"A": {"type": "string"}}},
            },
        });
        let (root, definitions) = hoisted(&author);
        assert_eq!(
            root["properties"],
            json!({"same": {"$ref": "#/$defs/A"}, "other": {"$ref": "#/$defs/A2"}})
        );
        assert_eq!(definitions, json!({"A": {"type": "null"}, "A2": {"type": "string"}}));
    }

    #[test]
    fn many_definitions_of_one_name_are_numbered() {
        let own = |value: usize| json!({"$defs": {"A": {"const": value}}});
        let author = json!({"prefixItems": (0..2000).map(own).collect::<Vec<_>>()});
        let (_, definitions) = hoisted(&author);
        let definitions = definitions.as_object().unwrap();
        assert_eq!(definitions.len(), 2000);
        assert!(definitions.contains_key("A") && definitions.contains_key("A2000"));
    }

    #[test]
    fn whatever_a_pointer_refers_to_becomes_a_definition() {
        let author = json!({
            "properties": {"a": {"type": "string"}, "b": {"$ref": "#/properties/a"}},
            "x-parts": {"C": {"$ref": "#/x-parts/D"}, "D": {"type": "null"}},
            "items": {"$ref": "#/x-parts/C"},
        });
        let (root, definitions) = hoisted(&author);
        assert_eq!(
            root["properties"],
            json!({"a": {"type": "string"}, "b": {"$ref": "#/$defs/a"}})
        );
        assert_eq!(root["items"], json!({"$ref": "#/$defs/C"}));
        assert_eq!(
            definitions,
            json!({"C": {"$ref": "#/$defs/D"}, "D": {"type": "null"}, "a": {"type": "string"}})
        );
    }

    #[test]
    fn anchors_keep_their_names_or_become_pointers() {
        let author = json!({
            "$id": "https://a.example/s",
            "items": {"$dynamicRef": "https://a.example/s#it"},
            "contains": {"$anchor": "it", "type": "null"},
        });
        let (root, definitions) = hoisted(&author);
        assert_eq!(root["items"], json!({"$dynamicRef": "#it"}));
        assert_eq!(root["contains"], author["contains"]);
        assert_eq!(root.get("$id"), None);
        assert_eq!(definitions, json!({}));
        let inline = hoist(&author, "root", Refs::Inline).unwrap();
        assert_eq!(inline.root["items"], json!({"$ref": "#/$defs/contains"}));
        assert_eq!(inline.root["contains"], json!({"type": "null"}));
    }

    #[test]
    fn the_mapping_of_a_discriminator_follows() {
        let author = json!({
            "discriminator": {
                "propertyName": "kind",
                "mapping": {"a": "#/definitions/A", "b": "B"},
            },
            "oneOf": [{"$ref": "#/definitions/A"}],
            "definitions": {"A": {}},
        });
        let (root, _) = hoisted(&author);
        assert_eq!(root["discriminator"]["mapping"], json!({"a": "#/$defs/A", "b": "B"}));
    }

    #[test]
    fn a_root_that_is_referred_to_has_its_title_for_a_name() {
        let author = json!({"title": "Node", "items": {"$ref": "#"}});
        let hoisted = hoist(&author, "root", Refs::Defs).unwrap();
        assert_eq!(hoisted.root_name.as_deref(), Some("Node"));
        assert_eq!(hoisted.root["items"], json!({"$ref": "#/$defs/Node"}));
        let untitled = hoist(&json!({"items": {"$ref": "#"}}), "root", Refs::Defs).unwrap();
        assert_eq!(untitled.root_name.as_deref(), Some("root"));
    }
}
