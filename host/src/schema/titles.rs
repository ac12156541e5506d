//! Titles that nobody had to write.
//!
//! A title that the author wrote is never replaced.

use serde_json::{Map, Value};

use super::walk;

/// Gives every definition its name for a title, and every property one by rule S1; a property
/// that is a reference, or a reference or null, gets none (rule S2).
pub(super) fn add(schema: &mut Map<String, Value>) {
    if let Some(Value::Object(definitions)) = schema.get_mut("$defs") {
        for (name, definition) in definitions {
            if let Value::Object(definition) = definition {
                definition.entry("title").or_insert_with(|| Value::String(name.clone()));
            }
        }
    }
    of_properties(schema);
}

fn of_properties(schema: &mut Map<String, Value>) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, property) in properties {
            if *property == Value::Bool(true) {
                *property = Value::Object(Map::new());
            }
            if let Value::Object(property) = property
                && !property.contains_key("title")
                && !is_reference(property)
            {
                property.insert("title".to_owned(), Value::String(title(name)));
            }
        }
    }
    walk::children_mut(schema, &mut |keyword, child| {
        if let Value::Object(child) = child
            && describes_values(keyword)
        {
            of_properties(child);
        }
    });
}

/// Whether what is under `keyword` says what values look like, rather than asking about them.
fn describes_values(keyword: &str) -> bool {
    !matches!(
        keyword,
        "not" | "if" | "then" | "else" | "dependentSchemas" | "contains" | "propertyNames"
    )
}

fn is_reference(schema: &Map<String, Value>) -> bool {
    if schema.contains_key("$ref") {
        return true;
    }
    let arms = ["anyOf", "oneOf"].into_iter().find_map(|keyword| schema.get(keyword)?.as_array());
    let Some([first, second]) = arms.map(Vec::as_slice) else { return false };
    let is_null = |arm: &Value| arm.get("type").is_some_and(|kind| kind == "null");
    let refers = |arm: &Value| arm.get("$ref").is_some();
    (refers(first) && is_null(second)) || (is_null(first) && refers(second))
}

/// The title of a property, as Python's `name.replace("_", " ").title().strip()` has it: a
/// letter after anything but a letter is a capital, every other letter is not.
pub(super) fn title(name: &str) -> String {
    let mut title = String::with_capacity(name.len());
    let mut after_letter = false;
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let c = if c == '_' { ' ' } else { c };
        if !after_letter {
            push_capital(&mut title, c);
        } else if c == 'Σ' && !rest.peek().copied().is_some_and(is_cased) {
            title.push('ς');
        } else {
            title.extend(c.to_lowercase());
        }
        after_letter = is_cased(c);
    }
    title.trim().to_owned()
}

fn is_cased(c: char) -> bool {
    c.is_lowercase() || c.is_uppercase() || is_digraph(c)
}

/// The letters that have a form for titles: `ǅ`, `ǈ`, `ǋ`, `ǲ`.
fn is_digraph(c: char) -> bool {
    matches!(c, 'Ǆ'..='ǌ' | 'Ǳ'..='ǳ')
}

fn push_capital(title: &mut String, c: char) {
    match c {
        'Ǆ'..='ǆ' => title.push('ǅ'),
        'Ǉ'..='ǉ' => title.push('ǈ'),
        'Ǌ'..='ǌ' => title.push('ǋ'),
        'Ǳ'..='ǳ' => title.push('ǲ'),
        // Georgian has capitals for whole words only.
        'ა'..='ჿ' => title.push(c),
        other => {
            let mut capital = other.to_uppercase();
            title.extend(capital.next());
            // One letter that becomes two, as `ß`: only the first is a capital.
            title.extend(capital.flat_map(char::to_lowercase));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_becomes_a_title_as_in_python() {
        for (name, expected) in [
            ("result", "Result"),
            ("book_id", "Book Id"),
            ("bookId", "Bookid"),
            ("lastModified", "Lastmodified"),
            ("_meta", "Meta"),
            ("page2count", "Page2Count"),
            ("HTTP_url", "Http Url"),
            ("it's", "It'S"),
            ("a-b.c", "A-B.C"),
            ("x", "X"),
            ("__", ""),
            ("größe_ß", "Größe Ss"),
            ("ǆungla", "ǅungla"),
            ("ΟΔΟΣ_ΑΣ", "Οδος Ας"),
        ] {
            assert_eq!(title(name), expected, "{name}");
        }
    }

    fn titled(schema: Value) -> Value {
        let Value::Object(mut schema) = schema else { panic!("an object") };
        add(&mut schema);
        Value::Object(schema)
    }

    #[test]
    fn properties_and_definitions_get_titles_and_references_none() {
        let schema = json!({
            "$defs": {"Street": {"properties": {"door_no": {"type": "integer"}}}},
            "properties": {
                "home": {"$ref": "#/$defs/Street"},
                "work": {"anyOf": [{"$ref": "#/$defs/Street"}, {"type": "null"}]},
                "both": {"anyOf": [{"$ref": "#/$defs/Street"}, {"$ref": "#/$defs/Street"}]},
                "any": true,
                "own": {"title": "Mine", "type": "array", "items": {"properties": {"in": {}}}},
            },
        });
        assert_eq!(
            titled(schema),
            json!({
                "$defs": {"Street": {
                    "properties": {"door_no": {"type": "integer", "title": "Door No"}},
                    "title": "Street",
                }},
                "properties": {
                    "home": {"$ref": "#/$defs/Street"},
                    "work": {"anyOf": [{"$ref": "#/$defs/Street"}, {"type": "null"}]},
                    "both": {
                        "anyOf": [{"$ref": "#/$defs/Street"}, {"$ref": "#/$defs/Street"}],
                        "title": "Both",
                    },
                    "any": {"title": "Any"},
                    "own": {
                        "title": "Mine",
                        "type": "array",
                        "items": {"properties": {"in": {"title": "In"}}},
                    },
                },
            })
        );
    }

    #[test]
    fn a_question_about_values_gets_no_titles() {
        let schema = json!({"if": {"properties": {"a": {"const": 1}}}, "not": {"required": ["b"]}});
        assert_eq!(titled(schema.clone()), schema);
    }
}
