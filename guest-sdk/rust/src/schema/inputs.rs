//! The input schema: one property for each parameter.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::constraint::Constraint;
use super::{agreement, constraint, settings, subset};
use crate::docs;
use crate::parameter::Spec;

/// Keywords that are not the author's to write.
const FOLLOWING: [&str; 4] = ["$defs", "properties", "required", "type"];

/// An input schema that is being put together.
pub struct Inputs {
    generator: SchemaGenerator,
    properties: Map<String, Value>,
    required: Vec<Value>,
}

/// What a parameter's type says about its property.
pub(crate) struct Property {
    pub(crate) schema: Schema,
    pub(crate) required: bool,
    pub(crate) default: Option<Value>,
}

impl Inputs {
    pub(crate) fn new() -> Self {
        Self {
            generator: settings().for_deserialize().into_generator(),
            properties: Map::new(),
            required: Vec::new(),
        }
    }

    /// The schema of a parameter's type.
    pub(crate) fn subschema<T: JsonSchema>(&mut self) -> Schema {
        let mut schema = self.generator.subschema_for::<T>();
        subset::narrow(&mut schema);
        schema
    }

    /// Adds a parameter.
    pub(crate) fn add(&mut self, spec: Spec<'_>, mut property: Property) -> Result<(), String> {
        self.constrain(spec.constraints, &mut property)
            .map_err(|error| format!("parameter `{}`: {error}", spec.name))?;
        let mut object = std::mem::take(property.schema.ensure_object());
        if let Some(title) = spec.title {
            object.insert("title".to_owned(), title.into());
        }
        if let Some(description) = docs::text(spec.docs) {
            object.insert("description".to_owned(), description.into());
        }
        if let Some(default) = property.default {
            object.insert("default".to_owned(), default);
        }
        if let Some(header) = spec.header {
            // No header holds null: the argument is left out.
            subset::without_null(&mut object);
            object.insert("x-mcp-header".to_owned(), header.into());
        }
        if property.required {
            self.required.push(spec.name.into());
        }
        self.properties.insert(spec.name.to_owned(), Value::Object(object));
        Ok(())
    }

    fn constrain(&self, constraints: &[Constraint], property: &mut Property) -> Result<(), String> {
        let definitions = self.generator.definitions();
        let of_type = property.schema.clone();
        for constraint in constraints {
            constraint::apply(constraint, &mut property.schema, definitions)?;
        }
        agreement::check(&of_type, &property.schema, property.default.as_ref(), definitions)
    }

    /// The schema, with what the author writes beside it, a JSON object.
    pub(crate) fn finish(self, extend: Option<&str>) -> Result<Value, String> {
        let mut object = Map::new();
        object.insert("type".to_owned(), "object".into());
        object.insert("properties".to_owned(), Value::Object(self.properties));
        if !self.required.is_empty() {
            object.insert("required".to_owned(), Value::Array(self.required));
        }
        let definitions = super::definitions(self.generator);
        if !definitions.is_empty() {
            object.insert("$defs".to_owned(), Value::Object(definitions));
        }
        let Some(extend) = extend else { return Ok(Value::Object(object)) };
        let own: Map<String, Value> = serde_json::from_str(extend)
            .map_err(|error| format!("`extend` is not a JSON object: {error}"))?;
        for (keyword, value) in own {
            if FOLLOWING.contains(&&*keyword) {
                return Err(format!(
                    "`extend` says `{keyword}`, which follows from the parameters"
                ));
            }
            object.insert(keyword, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_addition_is_told() {
        let error = |extend: &str| Inputs::new().finish(Some(extend)).unwrap_err();
        assert!(error("[1]").starts_with("`extend` is not a JSON object: "), "{}", error("[1]"));
        for keyword in FOLLOWING {
            let extend = format!("{{\"{keyword}\": {{}}}}");
            let expected = format!("`extend` says `{keyword}`, which follows from the parameters");
            assert_eq!(error(&extend), expected);
        }
    }
}
