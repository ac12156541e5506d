//! From a schema as the recorded SDK published it to one as an author's SDK sends it: of the
//! value itself, and without titles that were made from names.

use serde_json::Value;

use crate::data::Tool;

/// What was sent of arguments.
pub(crate) fn input(published: &Value, tool: &Tool) -> Value {
    let mut schema = published.clone();
    untitle(&mut schema, &format!("{}Arguments", tool.id));
    without_titles(&mut schema);
    schema
}

/// What was sent of a result.
pub(crate) fn output(published: &Value, tool: &Tool) -> Value {
    let mut schema = if tool.is_wrapped() { unwrapped(published) } else { published.clone() };
    untitle(&mut schema, &format!("{}DictOutput", tool.id));
    without_titles(&mut schema);
    schema
}

/// What is under `result`, with the definitions that it refers to.
fn unwrapped(published: &Value) -> Value {
    let mut inner = published["properties"]["result"].clone();
    if let (Value::Object(keywords), Some(definitions)) = (&mut inner, published.get("$defs")) {
        keywords.insert("$defs".to_owned(), definitions.clone());
    }
    untitle(&mut inner, "Result");
    inner
}

fn without_titles(schema: &mut Value) {
    if let Some(Value::Object(definitions)) = schema.get_mut("$defs") {
        for (name, definition) in definitions {
            untitle(definition, name);
            without_titles(definition);
        }
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, property) in properties {
            untitle(property, &title(name));
            without_titles(property);
        }
    }
}

/// Takes a title out that is this one.
fn untitle(schema: &mut Value, title: &str) {
    if schema["title"] == title
        && let Value::Object(keywords) = schema
    {
        keywords.shift_remove("title");
    }
}

/// Rule S1; the recorded names are ASCII.
fn title(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    let words = words.map(|word| word[..1].to_uppercase() + &word[1..].to_lowercase());
    words.collect::<Vec<_>>().join(" ")
}
