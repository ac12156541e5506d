//! JSON Schemas of Rust types, in the subset that hosts and clients agree on.

mod agreement;
pub(crate) mod constraint;
mod form;
pub(crate) mod inputs;
mod integer;
mod subset;
#[cfg(test)]
mod tests;

pub(crate) use form::form;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// The schema of a result.
pub(crate) fn output<T: JsonSchema>() -> Value {
    let mut generator = settings().for_serialize().into_generator();
    let schema = generator.subschema_for::<T>();
    root(schema, generator)
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|it| it.meta_schema = None)
}

/// A named type is shown at the root itself, under its name, and stays a definition only where
/// it refers to itself.
fn root(mut schema: Schema, generator: SchemaGenerator) -> Value {
    let mut definitions = definitions(generator);
    subset::narrow(&mut schema);
    if let Some(name) = named(&schema).map(str::to_owned)
        && let Some(definition) = definitions.get(&name)
    {
        let mut object = Map::new();
        object.insert("title".to_owned(), Value::from(name.clone()));
        object.extend(definition.as_object().cloned().unwrap_or_default());
        if !refers_to(&name, &object, &definitions) {
            definitions.shift_remove(&name);
        }
        schema = object.into();
    }
    let mut object = std::mem::take(schema.ensure_object());
    if !definitions.is_empty() {
        object.insert("$defs".to_owned(), Value::Object(definitions));
    }
    Value::Object(object)
}

fn definitions(mut generator: SchemaGenerator) -> Map<String, Value> {
    let mut definitions = generator.take_definitions(false);
    for definition in definitions.values_mut() {
        if let Ok(schema) = <&mut Schema>::try_from(definition) {
            subset::narrow(schema);
        }
    }
    definitions
}

/// The name of the type that the schema is a mere reference to.
fn named(schema: &Schema) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

fn refers_to(name: &str, root: &Map<String, Value>, definitions: &Map<String, Value>) -> bool {
    let reference = format!("#/$defs/{name}");
    root.values()
        .chain(definitions.iter().filter(|(key, _)| *key != name).map(|(_, value)| value))
        .any(|value| holds(&reference, value))
}

fn holds(reference: &str, value: &Value) -> bool {
    match value {
        Value::Object(object) => {
            object.get("$ref").and_then(Value::as_str) == Some(reference)
                || object.values().any(|it| holds(reference, it))
        }
        Value::Array(elements) => elements.iter().any(|it| holds(reference, it)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
