//! A root that is a reference.
//!
//! An object is published as itself, so its root is never a reference to it.

use serde_json::{Map, Value};

use super::hoist::Hoisted;
use super::refused::{At, Refused};
use super::{references, walk};

impl Hoisted {
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
            if !root.contains_key("$ref") {
                root.entry("title").or_insert_with(|| Value::String(name.clone()));
            }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Refs, hoist};
    use super::*;

    fn inlined(author: &Value) -> Result<(Value, Value), Refused> {
        let mut hoisted = hoist::hoist(author, "root", Refs::Defs)?;
        hoisted.inline_root()?;
        Ok((Value::Object(hoisted.root), Value::Object(hoisted.definitions)))
    }

    #[test]
    fn a_root_becomes_what_it_refers_to_and_keeps_its_annotations() {
        let author = json!({
            "$ref": "#/$defs/A",
            "description": "of the root",
            "$defs": {
                "A": {"$ref": "#/$defs/B", "description": "of A"},
                "B": {"title": "Bee", "description": "of B", "properties": {}},
            },
        });
        let root = json!({"title": "Bee", "description": "of the root", "properties": {}});
        assert_eq!(inlined(&author), Ok((root, json!({}))));
    }

    #[test]
    fn a_definition_that_is_referred_to_stays() {
        let author = json!({
            "$ref": "#/$defs/A",
            "$defs": {"A": {"$anchor": "a", "items": {"$ref": "#/$defs/A"}}},
        });
        let (root, definitions) = inlined(&author).unwrap();
        assert_eq!(root, json!({"items": {"$ref": "#/$defs/A"}, "title": "A"}));
        assert_eq!(definitions["A"]["$anchor"], "a");
    }

    #[test]
    fn a_root_that_says_more_than_its_reference_stays() {
        let author = json!({"$ref": "#/$defs/A", "minProperties": 1, "$defs": {"A": {}}});
        let (root, _) = inlined(&author).unwrap();
        assert_eq!(root, json!({"$ref": "#/$defs/A", "minProperties": 1}));
    }

    #[test]
    fn a_root_that_refers_to_itself_is_refused() {
        for author in [
            json!({"$ref": "#"}),
            json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}),
        ] {
            assert!(matches!(inlined(&author), Err(Refused::Endless { .. })), "{author}");
        }
    }
}
