//! What is approved of one component: its bytes, what it wants, what it may reach, and every word
//! of its tools, resources and prompts.
//!
//! It is what the component says, and not how this host publishes it: a prefix, or another style of
//! schemas, is the operator's own and changes nothing here.

use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::component::{Component, hex};
use crate::difference::Difference;
use crate::grants::{Lack, Reach};

/// One component of a lock.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Entry {
    /// SHA-256 of its bytes, in lower-case hex.
    pub(crate) digest: String,
    /// The author's version of it; for people.
    pub(crate) version: String,
    /// The names of all its imports, sorted.
    pub(crate) imports: Vec<String>,
    /// What it needs and was not granted, sorted.
    pub(crate) lacks: Vec<String>,
    /// What it may reach.
    pub(crate) grants: Reach,
    /// Its tools, by name.
    pub(crate) tools: Vec<Locked>,
    /// What it has beside tools.
    pub(crate) beside: Beside,
}

/// What a component has beside tools, each sorted.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Beside {
    /// By URI.
    pub(crate) resources: Vec<Locked>,
    /// By the template itself.
    pub(crate) templates: Vec<Locked>,
    /// By name.
    pub(crate) prompts: Vec<Locked>,
}

/// The kinds of what a lock keeps, each with the key of a definition that it goes by.
pub(super) const TOOLS: (&str, &str) = ("tools", "name");
pub(super) const RESOURCES: (&str, &str) = ("resources", "uri");
pub(super) const TEMPLATES: (&str, &str) = ("templates", "uriTemplate");
pub(super) const PROMPTS: (&str, &str) = ("prompts", "name");

/// A tool, a resource, a template or a prompt, as its author defined it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Locked {
    /// The component's name for it; a URI, or a template of them.
    pub(crate) name: String,
    /// As of [`digest_of`].
    pub(crate) digest: String,
    /// The whole of it.
    pub(crate) definition: Value,
}

impl Entry {
    /// What `component` is now.
    pub(crate) fn of(component: &Component) -> Self {
        let words = &component.definitions;
        let mut lacks: Vec<String> = component.lacks.iter().map(Lack::told).collect();
        lacks.sort();
        Self {
            digest: component.digest.clone(),
            version: component.version.clone(),
            imports: component.imports.clone(),
            lacks,
            grants: Reach::of(&component.effective),
            tools: Locked::all(&words.tools, TOOLS.1),
            beside: Beside {
                resources: Locked::all(&words.resources, RESOURCES.1),
                templates: Locked::all(&words.templates, TEMPLATES.1),
                prompts: Locked::all(&words.prompts, PROMPTS.1),
            },
        }
    }

    /// All that differs, in the order in which a lock has it. None before: it was never approved.
    /// None after: it is gone.
    pub(crate) fn differences(before: Option<&Self>, after: Option<&Self>) -> Vec<Difference> {
        let [before, after] = [before, after].map(|entry| entry.map(Self::value));
        Difference::between(before.as_ref(), after.as_ref())
    }

    /// The fields of an entry as if each were new, those that say nothing aside.
    pub(crate) fn fields(&self) -> Vec<Difference> {
        let is_empty = |value: &Value| match value {
            Value::Object(object) => object.is_empty(),
            Value::Array(array) => array.is_empty(),
            Value::String(text) => text.is_empty(),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        };
        let mut found = Vec::new();
        if let Value::Object(fields) = self.value() {
            for (key, value) in fields.into_iter().filter(|(_, value)| !is_empty(value)) {
                match value {
                    Value::Object(parts) => {
                        found.extend(parts.into_iter().map(|(part, value)| Difference {
                            path: vec![key.clone(), part],
                            before: None,
                            after: Some(value),
                        }))
                    }
                    value => {
                        found.push(Difference { path: vec![key], before: None, after: Some(value) })
                    }
                }
            }
        }
        found
    }

    /// It as fields: what it has by names, without the digests that follow from their
    /// definitions.
    fn value(&self) -> Value {
        let mut fields = Map::new();
        fields.insert("digest".to_owned(), format!("sha256:{}", self.digest).into());
        fields.insert("version".to_owned(), self.version.as_str().into());
        fields.insert("imports".to_owned(), self.imports.clone().into());
        fields.insert("lacks".to_owned(), self.lacks.clone().into());
        fields.insert("grants".to_owned(), serde_json::to_value(&self.grants).unwrap_or_default());
        for ((kind, _), all) in self.kinds() {
            let each = all.iter().map(|it| (it.name.clone(), it.definition.clone()));
            fields.insert(kind.to_owned(), Value::Object(each.collect()));
        }
        Value::Object(fields)
    }

    /// All that it has, by kinds.
    pub(super) fn kinds(&self) -> [((&'static str, &'static str), &[Locked]); 4] {
        let Beside { resources, templates, prompts } = &self.beside;
        [(TOOLS, &self.tools), (RESOURCES, resources), (TEMPLATES, templates), (PROMPTS, prompts)]
    }

    /// Whether code and words are the same, whatever is granted.
    pub(super) fn is_same_component(&self, other: &Self) -> bool {
        self.digest == other.digest
            && self.imports == other.imports
            && self.tools == other.tools
            && self.beside == other.beside
    }

    /// The tool of this name.
    pub(super) fn tool(&self, name: &str) -> Option<&Locked> {
        self.tools.iter().find(|tool| tool.name == name)
    }
}

impl Locked {
    /// All of these definitions, each under its value of `key`, sorted.
    fn all(definitions: &[Value], key: &str) -> Vec<Self> {
        let mut all: Vec<Self> = definitions.iter().map(|it| Self::of(it, key)).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    pub(super) fn of(definition: &Value, key: &str) -> Self {
        Self {
            name: definition[key].as_str().unwrap_or_default().to_owned(),
            digest: digest_of(definition),
            definition: definition.clone(),
        }
    }
}

/// SHA-256, in lower-case hex, of the definition as compact JSON with sorted keys, so that their
/// order does not matter and everything else does.
pub(super) fn digest_of(definition: &Value) -> String {
    let mut sorted = definition.clone();
    sorted.sort_all_objects();
    hex(&Sha256::digest(sorted.to_string()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// All definitions in what was recorded of another implementation.
    fn recorded() -> Vec<Value> {
        fn gather(value: &Value, found: &mut Vec<Value>) {
            match value {
                Value::Object(object) if object.contains_key("inputSchema") => {
                    found.push(value.clone());
                }
                Value::Object(object) => object.values().for_each(|value| gather(value, found)),
                Value::Array(array) => array.iter().for_each(|value| gather(value, found)),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        let text = include_str!("../../../tests/golden/recorded.json");
        let mut found = Vec::new();
        gather(&serde_json::from_str(text).unwrap(), &mut found);
        found
    }

    /// Each leaf of `value`, by its pointer (RFC 6901), empty objects and arrays among them.
    fn leaves(value: &Value, pointer: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(object) if !object.is_empty() => {
                for (key, value) in object {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    leaves(value, &format!("{pointer}/{key}"), found);
                }
            }
            Value::Array(array) if !array.is_empty() => {
                for (index, value) in array.iter().enumerate() {
                    leaves(value, &format!("{pointer}/{index}"), found);
                }
            }
            _ => found.push(pointer.to_owned()),
        }
    }

    #[test]
    fn every_leaf_of_every_recorded_definition_is_in_its_digest() {
        let definitions = recorded();
        assert!(definitions.len() > 100, "{}", definitions.len());
        let mut count = 0;
        for definition in definitions {
            let digest = digest_of(&definition);
            let mut pointers = Vec::new();
            leaves(&definition, "", &mut pointers);
            for pointer in pointers {
                let mut mutant = definition.clone();
                let leaf = mutant.pointer_mut(&pointer).unwrap();
                *leaf = match &*leaf {
                    Value::String(text) => format!("{text} ").into(),
                    Value::Bool(value) => (!*value).into(),
                    Value::Null => false.into(),
                    other => json!([other]),
                };
                assert_ne!(digest_of(&mutant), digest, "{pointer} of {}", definition["name"]);
                count += 1;
            }
        }
        assert!(count > 1000, "{count}");
    }

    #[test]
    fn a_digest_is_of_compact_json_with_sorted_keys() {
        // SHA-256 of {"a":[1,2.5],"b":{"c":null,"d":"ä"}} as UTF-8, by sha256sum.
        let expected = "39cf72323ecd0ad020c5a72f029232e6d58020a6543fe3c11cbd310fcba0678b";
        for text in [
            r#"{"b":{"d":"ä","c":null},"a":[1,2.5]}"#,
            r#"{ "a": [1, 2.5], "b": { "c": null, "d": "\u00e4" } }"#,
        ] {
            let definition: Value = serde_json::from_str(text).unwrap();
            assert_eq!(digest_of(&definition), expected, "{text}");
        }
        let other = json!({ "a": [2.5, 1], "b": { "c": null, "d": "ä" } });
        assert_ne!(digest_of(&other), expected);
    }
}
