//! Schemas of forms: objects of plain properties, and nothing that a form cannot have.

use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::settings;

/// What a property may say, beside what follows from its kind.
const KEPT: [&str; 14] = [
    "type",
    "title",
    "description",
    "default",
    "enum",
    "oneOf",
    "anyOf",
    "const",
    "items",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "format",
];
/// The formats of texts that a form knows.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// The schema of a form with the fields of `T`.
pub(crate) fn form<T: JsonSchema>() -> Value {
    let settings = settings().for_deserialize().with(|it| it.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut form = Map::new();
    form.insert("type".to_owned(), "object".into());
    for key in ["properties", "required"] {
        if let Some(value) = schema.get(key) {
            form.insert(key.to_owned(), value.clone());
        }
    }
    if let Some(Value::Object(properties)) = form.get_mut("properties") {
        for property in properties.values_mut() {
            plain(property);
        }
    }
    Value::Object(form)
}

fn plain(property: &mut Value) {
    let Value::Object(property) = property else { return };
    // A field that may be left out is one that the form does not require.
    if let Some(Value::Array(types)) = property.get("type")
        && let Some(first) = types.iter().find(|it| *it != "null").cloned()
    {
        property.insert("type".to_owned(), first);
    }
    if property.get("default") == Some(&Value::Null) {
        property.shift_remove("default");
    }
    if property.get("format").is_some_and(|it| !FORMATS.iter().any(|known| it == known)) {
        property.shift_remove("format");
    }
    property.retain(|key, _| KEPT.contains(&key.as_str()));
    // Variants of an enum, of which some have descriptions.
    if let Some(Value::Array(choices)) = property.get("oneOf").cloned()
        && choices.iter().all(|it| it.get("const").is_some_and(Value::is_string))
    {
        let choices = choices.into_iter().map(|choice| {
            let name = choice.get("const").cloned().unwrap_or_default();
            let title = choice.get("description").or(choice.get("title")).unwrap_or(&name).clone();
            serde_json::json!({ "const": name, "title": title })
        });
        property.insert("oneOf".to_owned(), choices.collect());
        property.insert("type".to_owned(), "string".into());
    }
    if let Some(items) = property.get_mut("items") {
        plain(items);
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Person {
        /// As people say it.
        name: String,
        age: Option<u8>,
        size: Size,
        sizes: Vec<Size>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[allow(dead_code)]
    enum Size {
        Small,
        Large,
    }

    #[test]
    fn a_form_is_flat_and_says_no_more_than_it_may() {
        let size = json!({ "type": "string", "enum": ["small", "large"] });
        let expected = json!({
            "type": "object",
            "properties": {
                "name": { "description": "As people say it.", "type": "string" },
                "age": { "type": "integer", "minimum": 0, "maximum": 255 },
                "size": size,
                "sizes": { "type": "array", "items": size },
            },
            "required": ["name", "size", "sizes"],
        });
        assert_eq!(form::<Person>(), expected);
    }
}
