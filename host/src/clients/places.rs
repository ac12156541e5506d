//! Places in a tool's definition, as JSON pointers.
//!
//! What holds schemas is known by `schema` alone; this only says where they are.

use serde_json::{Map, Value};

use crate::schema::{Step, below, children};

/// The schemas of a definition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// Of the arguments.
    Input,
    /// Of the result.
    Output,
}

/// A schema and its pointer in the definition.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    pub(super) pointer: String,
    pub(super) schema: &'a Value,
    /// The keyword that it is under; none at the root.
    pub(super) under: Option<&'a str>,
    /// Objects that it is in.
    pub(super) levels: usize,
}

impl Part {
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Input => "inputSchema",
            Self::Output => "outputSchema",
        }
    }

    /// Its root, where the definition has it.
    pub(super) fn of(self, definition: &Value) -> Option<&Value> {
        definition.get(self.key())
    }

    /// The pointer of something in it.
    pub(super) fn pointer(self, steps: &[&str]) -> String {
        let mut pointer = String::new();
        add(&mut pointer, self.key());
        steps.iter().for_each(|step| add(&mut pointer, step));
        pointer
    }

    /// All schemas in it, the outer before the inner.
    pub(super) fn schemas(self, definition: &Value) -> Vec<Place<'_>> {
        let mut places = Vec::new();
        if let Some(root) = self.of(definition) {
            visit(root, None, 0, &mut self.pointer(&[]), &mut places);
        }
        places
    }

    /// The pointers of the schemas for which `holds`.
    pub(super) fn find(
        self,
        definition: &Value,
        holds: impl Fn(&Map<String, Value>) -> bool,
    ) -> Vec<String> {
        let schemas = self.schemas(definition).into_iter();
        let found = schemas.filter(|place| place.schema.as_object().is_some_and(&holds));
        found.map(|place| place.pointer).collect()
    }

    /// The pointers of the keywords for which `holds`.
    pub(super) fn find_keywords(
        self,
        definition: &Value,
        holds: impl Fn(&str, &Value) -> bool,
    ) -> Vec<String> {
        let mut found = Vec::new();
        for mut place in self.schemas(definition) {
            let Some(map) = place.schema.as_object() else { continue };
            for (keyword, _) in map.iter().filter(|(keyword, value)| holds(keyword, value)) {
                found.push(below(&mut place.pointer, Step::Key(keyword), |at| at.clone()));
            }
        }
        found
    }
}

/// `pointer` itself where `holds`.
pub(super) fn whether(holds: bool, pointer: String) -> Vec<String> {
    if holds { vec![pointer] } else { Vec::new() }
}

/// The names in a schema's `type`: one, or those of a list.
pub(super) fn types(schema: &Map<String, Value>) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => {
            Vec::new()
        }
    }
}

fn add(pointer: &mut String, key: &str) {
    *pointer = below(pointer, Step::Key(key), |at| at.clone());
}

fn visit<'a>(
    schema: &'a Value,
    under: Option<&'a str>,
    levels: usize,
    at: &mut String,
    places: &mut Vec<Place<'a>>,
) {
    places.push(Place { pointer: at.clone(), schema, under, levels });
    let Value::Object(map) = schema else { return };
    for child in children(map) {
        let levels = levels + usize::from(child.keyword == "properties");
        let mut visit =
            |at: &mut String| visit(child.schema, Some(child.keyword), levels, at, places);
        below(at, Step::Key(child.keyword), |at| match child.step {
            None => visit(at),
            Some(step) => below(at, step, visit),
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_schema_is_found_where_it_is() {
        let definition = json!({
            "name": "a",
            "inputSchema": {
                "properties": {"a/b": {"anyOf": [true, {"items": {}}]}, "type": {"enum": [{}]}},
            },
        });
        let places = Part::Input.schemas(&definition);
        let pointers: Vec<&str> = places.iter().map(|place| place.pointer.as_str()).collect();
        assert_eq!(
            pointers,
            [
                "/inputSchema",
                "/inputSchema/properties/a~1b",
                "/inputSchema/properties/a~1b/anyOf/0",
                "/inputSchema/properties/a~1b/anyOf/1",
                "/inputSchema/properties/a~1b/anyOf/1/items",
                "/inputSchema/properties/type",
            ]
        );
        for place in &places {
            assert_eq!(definition.pointer(&place.pointer), Some(place.schema));
        }
        assert!(Part::Output.schemas(&definition).is_empty());
    }
}
