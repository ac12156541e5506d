//! Schemas of forms that a user fills in (MCP 2025-11-25, elicitation, requested schema).
//!
//! A form is an object of plain properties, and it does not ask for what does not belong in a form.

use serde_json::{Map, Value};

use super::{Bounds, Output, Style, strict_json};
use crate::present::clean;

/// A schema that a form may have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Form(Map<String, Value>);

/// Bytes of a form's schema.
const BYTES_MAX: usize = 64 << 10;
/// Properties of a form.
const PROPERTIES_MAX: usize = 50;
/// Choices of an enum.
const CHOICES_MAX: usize = 200;
/// Bytes of a title, a description, a choice or a default.
const TEXT_BYTES_MAX: usize = 1024;
/// Formats of a string.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];
/// Parts of names that ask for what a form must not ask for.
const SECRETS: [&str; 9] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "apikey",
    "privatekey",
    "accesstoken",
    "credential",
    "creditcard",
];

impl Form {
    /// Reads a schema.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub(crate) fn load(text: &str) -> Result<Self, String> {
        if text.len() > BYTES_MAX {
            return Err(format!("the form has more than {BYTES_MAX} bytes of schema"));
        }
        let value = strict_json(text).map_err(|fault| format!("the form's schema: {fault}"))?;
        let Value::Object(form) = value else {
            return Err("the form's schema is no object".to_owned());
        };
        if form.get("type") != Some(&Value::from("object")) {
            return Err("the form's schema needs `\"type\": \"object\"`".to_owned());
        }
        let Some(Value::Object(properties)) = form.get("properties") else {
            return Err("the form's schema has no `properties`".to_owned());
        };
        if properties.is_empty() || properties.len() > PROPERTIES_MAX {
            return Err(format!("the form has not 1 to {PROPERTIES_MAX} properties"));
        }
        let known = ["$schema", "type", "title", "description", "properties", "required"];
        only(&form, &known, "the form")?;
        texts(&form, "the form")?;
        for (name, property) in properties {
            let at = format!("`{}` of the form", clean::bounded(name, 60));
            if name.is_empty() || name.len() > 128 || !clean::is_clean(name) {
                return Err(format!("{at} has not 1 to 128 bytes of name that can be seen"));
            }
            self::property(name, property).map_err(|what| format!("{at} {what}"))?;
        }
        for required in list(&form, "required").map_err(|what| format!("the form {what}"))? {
            if !required.as_str().is_some_and(|name| properties.contains_key(name)) {
                let shown = clean::bounded(&required.to_string(), 60);
                return Err(format!("the form requires {shown}, which is none of its properties"));
            }
        }
        Ok(Self(form))
    }

    /// It as it was written.
    pub(crate) fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Whether `content` is what the form asks for.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn check(&self, content: &Value) -> Result<(), String> {
        let mut schema = self.0.clone();
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            for property in properties.values_mut().filter_map(Value::as_object_mut) {
                // A name for people, of no weight: JSON Schema does not know it.
                property.remove("enumNames");
            }
        }
        let text = Value::Object(schema).to_string();
        let output = Output::load(&text, "answer", Style::default(), &Bounds::default());
        let output = output.map_err(|refused| refused.to_string())?;
        output.verify(&content.to_string()).map(|_| ()).map_err(|unverified| unverified.to_string())
    }
}

fn property(name: &str, property: &Value) -> Result<(), String> {
    let Value::Object(property) = property else { return Err("is no object".to_owned()) };
    let title = property.get("title").and_then(Value::as_str).unwrap_or_default();
    if [name, title].into_iter().any(asks_for_a_secret) {
        return Err(
            "asks for a secret, which does not belong in a form; ask for a URL visit".to_owned()
        );
    }
    texts(property, "it")?;
    let common = ["type", "title", "description", "default"];
    let with = |more: &[&'static str]| [&common[..], more].concat();
    let Some(kind) = property.get("type").and_then(Value::as_str) else {
        return Err("has no `type`".to_owned());
    };
    match kind {
        "string" if property.contains_key("enum") => {
            only(property, &with(&["enum", "enumNames"]), "it")?;
            let choices = choices(property, "enum")?;
            if property.contains_key("enumNames")
                && self::choices(property, "enumNames")?.len() != choices.len()
            {
                return Err("has not a name for each choice".to_owned());
            }
            default(property, |value| choices.contains(&value))
        }
        "string" if property.contains_key("oneOf") => {
            only(property, &with(&["oneOf"]), "it")?;
            let choices = titled(property, "oneOf")?;
            default(property, |value| choices.contains(&value))
        }
        "string" => {
            only(property, &with(&["minLength", "maxLength", "format"]), "it")?;
            counts(property, ["minLength", "maxLength"])?;
            let format = property.get("format").map(|format| format.as_str().unwrap_or_default());
            if format.is_some_and(|format| !FORMATS.contains(&format)) {
                return Err(format!("has a format that is none of {}", FORMATS.join(", ")));
            }
            default(property, Value::is_string)
        }
        "number" | "integer" => {
            only(property, &with(&["minimum", "maximum"]), "it")?;
            for key in ["minimum", "maximum"] {
                if property.get(key).is_some_and(|value| !value.is_number()) {
                    return Err(format!("has a `{key}` that is no number"));
                }
            }
            default(property, |value| match kind {
                "integer" => value.is_i64() || value.is_u64(),
                _ => value.is_number(),
            })
        }
        "boolean" => {
            only(property, &common, "it")?;
            default(property, Value::is_boolean)
        }
        "array" => {
            only(property, &with(&["items", "minItems", "maxItems"]), "it")?;
            counts(property, ["minItems", "maxItems"])?;
            let Some(Value::Object(items)) = property.get("items") else {
                return Err("has no `items`".to_owned());
            };
            let choices = if items.contains_key("anyOf") {
                only(items, &["anyOf"], "its items")?;
                titled(items, "anyOf")?
            } else {
                only(items, &["type", "enum"], "its items")?;
                if items.get("type") != Some(&Value::from("string")) {
                    return Err("has items that are no strings".to_owned());
                }
                choices(items, "enum")?
            };
            let is_chosen = |value: &Value| choices.contains(&value);
            default(property, |value| value.as_array().is_some_and(|all| all.iter().all(is_chosen)))
        }
        other => Err(format!(
            "has the type `{}`; a form has string, number, integer, boolean, and array of choices",
            clean::bounded(other, 40)
        )),
    }
}

fn asks_for_a_secret(label: &str) -> bool {
    let folded: String =
        label.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    SECRETS.iter().any(|secret| folded.contains(secret))
}

fn only(object: &Map<String, Value>, known: &[&str], what: &str) -> Result<(), String> {
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(format!(
            "{what} has `{}`; of a form's schema, it may have {}",
            clean::bounded(key, 60),
            known.join(", ")
        )),
        None => Ok(()),
    }
}

fn texts(object: &Map<String, Value>, what: &str) -> Result<(), String> {
    for key in ["$schema", "title", "description"] {
        if object.get(key).is_some_and(|value| !is_text(value)) {
            return Err(format!("{what} has a `{key}` that is no short text that can be seen"));
        }
    }
    Ok(())
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() <= TEXT_BYTES_MAX && clean::is_clean(text))
}

/// Clients read counts into 32 bits.
fn counts(object: &Map<String, Value>, keys: [&str; 2]) -> Result<(), String> {
    let is_count = |value: &Value| value.as_u64().is_some_and(|it| u32::try_from(it).is_ok());
    match keys.iter().find(|key| object.get(**key).is_some_and(|value| !is_count(value))) {
        Some(key) => Err(format!("has a `{key}` that is no count up to {}", u32::MAX)),
        None => Ok(()),
    }
}

fn default(object: &Map<String, Value>, fits: impl Fn(&Value) -> bool) -> Result<(), String> {
    let Some(default) = object.get("default") else { return Ok(()) };
    let is_short = default.to_string().len() <= TEXT_BYTES_MAX;
    let is_seen = default.as_str().is_none_or(clean::is_clean);
    match fits(default) && is_short && is_seen {
        true => Ok(()),
        false => Err("has a default that it does not take itself".to_owned()),
    }
}

fn list<'a>(object: &'a Map<String, Value>, key: &str) -> Result<&'a [Value], String> {
    match object.get(key) {
        None => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        Some(_) => Err(format!("has a `{key}` that is no list")),
    }
}

fn choices<'a>(object: &'a Map<String, Value>, key: &str) -> Result<Vec<&'a Value>, String> {
    counted(list(object, key)?.iter().collect(), key)
}

fn titled<'a>(object: &'a Map<String, Value>, key: &str) -> Result<Vec<&'a Value>, String> {
    let mut choices = Vec::new();
    for choice in list(object, key)? {
        let choice = choice.as_object().ok_or(format!("has a `{key}` of other than objects"))?;
        only(choice, &["const", "title"], "its choice")?;
        texts(choice, "its choice")?;
        choices
            .push(choice.get("const").ok_or(format!("has a choice in `{key}` without `const`"))?);
    }
    counted(choices, key)
}

fn counted<'a>(choices: Vec<&'a Value>, key: &str) -> Result<Vec<&'a Value>, String> {
    if choices.is_empty() || choices.len() > CHOICES_MAX {
        return Err(format!("has not 1 to {CHOICES_MAX} choices in `{key}`"));
    }
    match choices.iter().all(|choice| is_text(choice)) {
        true => Ok(choices),
        false => Err(format!("has a choice in `{key}` that is no short text that can be seen")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn form(properties: Value) -> Result<Form, String> {
        Form::load(&json!({ "type": "object", "properties": properties }).to_string())
    }

    #[test]
    fn what_the_specification_allows_is_taken() {
        // The kinds of MCP 2025-11-25, elicitation, and of SEP-1034 and SEP-1330.
        let properties = json!({
            "name": { "type": "string", "title": "Name", "minLength": 3, "default": "John Doe" },
            "email": { "type": "string", "format": "email" },
            "age": { "type": "integer", "minimum": 0, "maximum": 150, "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "verified": { "type": "boolean", "default": true },
            "status": { "type": "string", "enum": ["active", "inactive"], "default": "active" },
            "titled": { "type": "string", "oneOf": [{ "const": "a", "title": "A" }] },
            "legacy": { "type": "string", "enum": ["a"], "enumNames": ["A"] },
            "many": { "type": "array", "minItems": 1, "items": { "type": "string", "enum": ["a"] } },
            "titled many": {
                "type": "array",
                "items": { "anyOf": [{ "const": "a", "title": "A" }] },
                "default": ["a"],
            },
        });
        let form = form(properties).unwrap();
        form.check(&json!({ "name": "Ann Lee", "age": 3, "legacy": "a", "many": ["a"] })).unwrap();
        for wrong in [
            json!({ "name": "A" }),
            json!({ "age": 151 }),
            json!({ "age": "3" }),
            json!({ "email": "nobody" }),
            json!({ "status": "gone" }),
            json!({ "many": [] }),
            json!([]),
        ] {
            assert!(form.check(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_no_plain_form_is_refused() {
        for property in [
            json!({ "type": "object", "properties": {} }),
            json!({ "type": "array", "items": { "type": "object" } }),
            json!({ "type": ["string", "null"] }),
            json!({ "type": "string", "format": "password" }),
            json!({ "type": "string", "pattern": "x" }),
            json!({ "type": "string", "writeOnly": true }),
            json!({ "type": "string", "title": "\u{202e}" }),
            json!({ "type": "string", "enum": [] }),
            json!({ "type": "string", "enum": ["a"], "default": "b" }),
            json!({ "type": "string", "minLength": -1 }),
            json!({ "type": "integer", "default": 1.5 }),
            json!({ "$ref": "#/x" }),
            json!(true),
        ] {
            assert!(form(json!({ "x": property })).is_err(), "{property}");
        }
        assert!(form(json!({})).is_err());
        assert!(Form::load("[]").is_err());
        let required = json!({
            "type": "object", "properties": { "a": { "type": "string" } }, "required": ["b"],
        });
        assert!(Form::load(&required.to_string()).is_err());
    }

    #[test]
    fn a_form_does_not_ask_for_secrets() {
        for name in ["password", "API_KEY", "db-secret", "creditCard"] {
            let refused = form(json!({ name: { "type": "string" } })).unwrap_err();
            assert!(refused.contains("ask for a URL visit"), "{refused}");
        }
    }
}
