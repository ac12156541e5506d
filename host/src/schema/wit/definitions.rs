//! The definitions of named types.
//!
//! A type is defined once, under a name that no other type has.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::publish::{Direction, Publisher, constrain, object, one_of};
use super::{Definition, Field, Label, Named, names};

/// Bytes of a description that docs of cases are added to.
const DESCRIPTION_BYTES_MAX: usize = 1 << 10;

impl Publisher {
    pub(super) fn reference(&mut self, named: &Arc<Named>) -> Map<String, Json> {
        let name = self.name(named);
        object([("$ref", json!(format!("#/$defs/{name}")))])
    }

    /// The published name of a type, which is defined on the way.
    fn name(&mut self, named: &Arc<Named>) -> String {
        let known = self.names.iter().find(|(known, _)| Arc::ptr_eq(known, named));
        if let Some((_, name)) = known {
            return name.clone();
        }
        let name = self.free_name(named);
        self.names.push((Arc::clone(named), name.clone()));
        self.definitions.insert(name.clone(), Json::Null);
        let definition = self.definition(named);
        self.definitions.insert(name.clone(), Json::Object(definition));
        name
    }

    /// `Point`; of two types of that name, the later is `ShapesPoint` for its interface.
    fn free_name(&self, named: &Named) -> String {
        let plain = names::pascal(&named.wit_name);
        let qualified = named.interface.as_deref().map(|interface| {
            let label = interface.rsplit_once('/').map_or(interface, |(_, label)| label);
            let label = label.split_once('@').map_or(label, |(label, _)| label);
            format!("{}{plain}", names::pascal(label))
        });
        let numbered = (2_usize..).map(|number| format!("{plain}{number}"));
        let taken = |name: &String| self.definitions.contains_key(name);
        let mut candidates = [plain.clone()].into_iter().chain(qualified).chain(numbered);
        candidates.find(|name| !taken(name)).unwrap_or_default()
    }

    fn definition(&mut self, named: &Named) -> Map<String, Json> {
        let mut schema = match &named.definition {
            Definition::Record(fields) => self.object(fields),
            Definition::Variant(cases) => self.union(cases),
            Definition::Enum(labels) => one_of(labels),
            Definition::Flags(labels) => object([
                ("type", json!("array")),
                ("items", Json::Object(one_of(labels))),
                ("uniqueItems", json!(true)),
            ]),
        };
        named.notes.annotate(&mut schema);
        match &named.definition {
            Definition::Enum(labels) | Definition::Flags(labels) => {
                describe(&mut schema, named.notes.description.as_deref(), labels);
            }
            Definition::Record(_) | Definition::Variant(_) => {}
        }
        schema
    }

    pub(super) fn object(&mut self, fields: &[Field]) -> Map<String, Json> {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for field in fields {
            properties.insert(field.name.clone(), Json::Object(self.field(field)));
            if self.direction == Direction::Out || !field.is_optional() {
                required.push(json!(field.name));
            }
        }
        let mut schema = object([("type", json!("object"))]);
        schema.insert("properties".to_owned(), Json::Object(properties));
        if !required.is_empty() {
            schema.insert("required".to_owned(), Json::Array(required));
        }
        schema
    }

    fn field(&mut self, field: &Field) -> Map<String, Json> {
        let mut schema = self.schema(&field.ty);
        constrain(&mut schema, &field.ty, &field.notes.constraints);
        field.notes.annotate(&mut schema);
        if self.direction == Direction::In && field.is_optional() {
            let default = field.notes.default.clone().unwrap_or(Json::Null);
            schema.insert("default".to_owned(), default);
        }
        schema
    }
}

/// Adds the docs of cases to a description, as far as they fit.
pub(super) fn describe(schema: &mut Map<String, Json>, docs: Option<&str>, labels: &[Label]) {
    let mut description = docs.unwrap_or_default().to_owned();
    for label in labels {
        let Some(docs) = &label.docs else { continue };
        let line_break = if description.is_empty() { "" } else { "\n" };
        let line = format!("{line_break}- {}: {}", label.name, docs.replace('\n', " "));
        if description.len() + line.len() <= DESCRIPTION_BYTES_MAX {
            description.push_str(&line);
        }
    }
    if !description.is_empty() {
        schema.insert("description".to_owned(), json!(description));
    }
}
