//! Validators that remember what they found.
//!
//! Each definition is checked at most once against each part of a value, so the work does not
//! double with every level, however the definitions refer to each other.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, Weak};

use jsonschema::{Keyword, ValidationError, Validator};
use serde_json::{Map, Value};

use super::compile::Engine;
use super::hoist::Hoisted;
use super::refused::Refused;
use super::{references, walk};

/// Findings that are kept; with more, they are forgotten and found again.
const FINDINGS_MAX: usize = 1 << 18;

/// The keyword that stands for a reference.
pub(super) const KEYWORD: &str = "portcullis-definition";

thread_local! {
    /// Whether a part of the value being checked fits a definition, by their addresses.
    static FINDINGS: RefCell<HashMap<(usize, usize), bool>> = RefCell::default();
}

/// A schema whose definitions are compiled apart.
#[derive(Debug)]
pub(super) struct Remembering {
    root: Validator,
    definitions: Arc<Definitions>,
}

/// The validators by name; each is there once all are compiled.
#[derive(Debug, Default)]
struct Definitions {
    by_name: HashMap<String, OnceLock<Validator>>,
}

impl Remembering {
    /// Compiles a schema all of whose references lead to a definition.
    ///
    /// # Errors
    /// [`Refused`] if one of them is not a valid schema.
    pub(super) fn new(engine: &Engine, schema: Hoisted) -> Result<Self, Refused> {
        let Hoisted { root, definitions: written, .. } = schema;
        let by_name = written.keys().map(|name| (name.clone(), OnceLock::new())).collect();
        let definitions = Arc::new(Definitions { by_name });
        let names: HashMap<String, &String> =
            written.keys().map(|name| (references::to_definition(name), name)).collect();
        let compile = |mut schema: Value| {
            walk::every_mut(&mut schema, &mut |schema| replace_reference(schema, &names));
            engine.compile_apart(&schema, &definitions_of(&definitions))
        };
        for (name, schema) in &written {
            let validator = compile(schema.clone())?;
            if let Some(place) = definitions.by_name.get(name) {
                // It was empty: every name is there once.
                let _ = place.set(validator);
            }
        }
        Ok(Self { root: compile(Value::Object(root))?, definitions })
    }

    pub(super) fn is_valid(&self, value: &Value) -> bool {
        debug_assert!(self.definitions.by_name.values().all(|place| place.get().is_some()));
        let is_valid = self.root.is_valid(value);
        // The addresses say nothing once the value is gone.
        FINDINGS.take();
        is_valid
    }
}

fn replace_reference(schema: &mut Map<String, Value>, names: &HashMap<String, &String>) {
    for keyword in ["$ref", "$dynamicRef"] {
        let reference = schema.get(keyword).and_then(Value::as_str);
        if let Some(name) = reference.and_then(|reference| names.get(reference)) {
            schema.shift_remove(keyword);
            schema.insert(KEYWORD.to_owned(), Value::String((*name).clone()));
        }
    }
}

/// What makes the keyword of a schema that stands for a reference.
pub(super) type Factory = Arc<dyn Fn(&str) -> Definition + Send + Sync>;

fn definitions_of(definitions: &Arc<Definitions>) -> Factory {
    let definitions = Arc::downgrade(definitions);
    Arc::new(move |name| Definition { name: name.to_owned(), definitions: definitions.clone() })
}

/// A reference to a definition. It holds no definition, as those hold it.
pub(super) struct Definition {
    name: String,
    definitions: Weak<Definitions>,
}

impl<'i> Keyword<'i> for Definition {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if Keyword::is_valid(self, instance) {
            Ok(())
        } else {
            Err(ValidationError::custom("not of the definition"))
        }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        let Some(definitions) = self.definitions.upgrade() else { return false };
        let Some(place) = definitions.by_name.get(&self.name) else { return false };
        let Some(validator) = place.get() else { return false };
        if !instance.is_array() && !instance.is_object() {
            return validator.is_valid(instance);
        }
        let key = (std::ptr::from_ref(place).addr(), std::ptr::from_ref(instance).addr());
        if let Some(found) = FINDINGS.with_borrow(|findings| findings.get(&key).copied()) {
            return found;
        }
        let found = validator.is_valid(instance);
        FINDINGS.with_borrow_mut(|findings| {
            if findings.len() >= FINDINGS_MAX {
                findings.clear();
            }
            findings.insert(key, found);
        });
        found
    }
}

/// The keyword that stands for a reference to `name`.
pub(super) fn keyword(factory: &Factory, name: &Value) -> Box<dyn for<'i> Keyword<'i>> {
    Box::new(factory(name.as_str().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Bounds, Refs, hoist};
    use super::*;

    fn remembering(schema: &Value) -> Remembering {
        let apart = hoist::hoist(schema, "root", Refs::Inline).unwrap();
        Remembering::new(&Engine::new(&Bounds::default()), apart).unwrap()
    }

    #[test]
    fn definitions_that_refer_to_each_other_are_checked() {
        let either = json!({"anyOf": [{"$ref": "#/$defs/Leaf"}, {"$ref": "#/$defs/Tree"}]});
        let schema = remembering(&json!({
            "$ref": "#/$defs/Tree",
            "$defs": {
                "Tree": {"type": "array", "items": either},
                "Leaf": {"type": "integer"},
            },
        }));
        assert!(schema.is_valid(&json!([1, [2, [3], []]])));
        assert!(!schema.is_valid(&json!([1, [2, [null]]])));
        assert!(!schema.is_valid(&json!(1)));
    }

    #[test]
    fn what_stands_beside_a_reference_counts() {
        let schema = remembering(&json!({
            "$ref": "#/$defs/A",
            "minItems": 2,
            "$defs": {"A": {"maxItems": 3}},
        }));
        let fits: Vec<_> =
            [1, 2, 3, 4].map(|length| schema.is_valid(&json!(vec![0; length]))).into();
        assert_eq!(fits, [false, true, true, false]);
    }

    #[test]
    fn nothing_is_remembered_from_value_to_value() {
        let schema = remembering(&json!({
            "items": {"$ref": "#/$defs/A"},
            "$defs": {"A": {"items": {"type": "integer"}}},
        }));
        for _ in 0..100 {
            assert!(schema.is_valid(&json!([[1]])));
            assert!(!schema.is_valid(&json!([["1"]])));
        }
        FINDINGS.with_borrow(|findings| assert!(findings.is_empty()));
    }
}
