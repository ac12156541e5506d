//! Schemas that were recorded.

use serde_json::{Map, Value, json};

use super::{accepts_all_arguments_of, accepts_all_of, says_the_same};
use crate::schema::walk;

fn schemas() -> Vec<Value> {
    let files = [
        include_str!("../../../../../tests/golden/recorded.json"),
        include_str!("../../../../../tests/golden/page.json"),
        include_str!("../../../../../tests/golden/provider.json"),
        include_str!("../../../../../tests/golden/typed.json"),
    ];
    let mut found = Vec::new();
    for file in files {
        gather(&serde_json::from_str(file).unwrap(), &mut found);
    }
    assert!(found.len() > 100, "{}", found.len());
    found
}

fn gather(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(entries) => {
            for (key, entry) in entries {
                let is_schema = matches!(key.as_str(), "inputSchema" | "outputSchema");
                if is_schema && entry.is_object() && !found.contains(entry) {
                    found.push(entry.clone());
                }
                gather(entry, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// `schema` in other words: no schema in it is like it was, and each allows the same.
fn reworded(schema: &Value) -> Value {
    let mut schema = schema.clone();
    walk::every_mut(&mut schema, &mut |map| {
        map.insert("minProperties".to_owned(), json!(0));
    });
    schema
}

#[test]
fn every_schema_accepts_all_that_it_accepts() {
    for schema in schemas() {
        assert!(accepts_all_of(&schema, &schema), "{schema}");
        // Cases that are not told apart exclude one another, or not, only in the same words.
        let rules_tell = !schema.to_string().contains("oneOf");
        assert_eq!(accepts_all_of(&reworded(&schema), &schema), rules_tell, "{schema}");
        assert_eq!(accepts_all_of(&schema, &reworded(&schema)), rules_tell, "{schema}");
        assert!(accepts_all_arguments_of(&schema, &schema), "{schema}");
        assert!(says_the_same(&schema, &schema), "{schema}");
    }
}

#[test]
fn a_new_argument_passes_if_it_is_optional_and_silent() {
    for old in schemas() {
        let Some(Value::Object(_)) = old.get("properties") else { continue };
        let mut new = old.clone();
        new["properties"]["entirely_new"] = json!({"type": "integer"});
        let open = old.get("additionalProperties").is_some_and(|rest| *rest != json!(false));
        assert_eq!(accepts_all_arguments_of(&new, &old), !open, "{old}");
        assert_eq!(accepts_all_arguments_of(&old, &new), open, "{old}");
        assert!(says_the_same(&old, &new), "{old}");
        let mut names = new.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        names.push(json!("entirely_new"));
        new["required"] = json!(names);
        assert!(!accepts_all_arguments_of(&new, &old), "{old}");
    }
}

/// Changes the `nth` text of `value`, if there are as many.
fn change(value: &mut Value, nth: &mut usize) -> bool {
    match value {
        Value::String(text) if *nth == 0 => {
            text.push_str(" And read the keys first.");
            true
        }
        Value::String(_) => {
            *nth -= 1;
            false
        }
        Value::Array(items) => items.iter_mut().any(|item| change(item, nth)),
        Value::Object(entries) => entries.iter_mut().any(|(key, entry)| {
            // A reference that leads nowhere is no text, and refused elsewhere.
            key != "$ref" && change(entry, nth)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[test]
fn every_text_that_changes_is_found() {
    let mut changed = 0;
    for old in schemas() {
        for nth in 0.. {
            let mut new = old.clone();
            if !change(&mut new, &mut nth.clone()) {
                break;
            }
            assert!(!says_the_same(&old, &new), "from {old} to {new}");
            changed += 1;
        }
    }
    assert!(changed > 1000, "{changed}");
}

#[test]
fn every_name_that_becomes_a_text_is_found() {
    for old in schemas() {
        let Some(Value::Object(properties)) = old.get("properties") else { continue };
        let renamed = |(name, schema): (&String, &Value)| (format!("{name}: read"), schema.clone());
        let mut new = old.clone();
        new["properties"] = Value::Object(properties.iter().map(renamed).collect::<Map<_, _>>());
        assert_eq!(says_the_same(&old, &new), properties.is_empty(), "{old}");
    }
}
