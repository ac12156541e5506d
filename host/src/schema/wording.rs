//! The words for what is wrong with a value.
//!
//! They are pydantic's where it has some (rules V1, I1), and never repeat the value.

use serde_json::{Map, Value};

use super::evaluate::Manner;
use super::mismatch::Problem;

/// Bytes of a list of cases.
const CASES_BYTES_MAX: usize = 400;

/// For a value whose type is not that of `schema`.
pub(super) fn wrong_type(schema: &Map<String, Value>, value: &Value, manner: Manner) -> String {
    let kinds = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.and_then(Value::as_str).into_iter().collect::<Vec<_>>(),
    };
    let [kind] = kinds.as_slice() else {
        let names = kinds.iter().map(|kind| noun(kind, schema)).collect::<Vec<_>>();
        return format!("Input should be a valid {}", either(&names));
    };
    let why = why_not(kind, value, manner);
    match *kind {
        "null" => "Input should be null".to_owned(),
        kind => format!("Input should be a valid {}{why}", noun(kind, schema)),
    }
}

fn noun(kind: &str, schema: &Map<String, Value>) -> String {
    match kind {
        "array" if schema.contains_key("prefixItems") => "tuple".to_owned(),
        "array" => "list".to_owned(),
        "object" => match schema.get("title").and_then(Value::as_str) {
            Some(title) if schema.contains_key("properties") => {
                format!("dictionary or instance of {title}")
            }
            Some(_) | None => "dictionary".to_owned(),
        },
        other => other.to_owned(),
    }
}

fn why_not(kind: &str, value: &Value, manner: Manner) -> &'static str {
    match (kind, value) {
        ("integer", Value::Number(_)) => ", got a number with a fractional part",
        ("integer", Value::String(text)) if !says_number(text, manner) => {
            ", unable to parse string as an integer"
        }
        ("number", Value::String(text)) if !says_number(text, manner) => {
            ", unable to parse string as a number"
        }
        ("boolean", Value::Number(_) | Value::String(_)) => ", unable to interpret input",
        _other => "",
    }
}

/// Whether a text says a number, so that only its being a text is wrong.
fn says_number(text: &str, manner: Manner) -> bool {
    match manner {
        Manner::Strict => serde_json::from_str::<serde_json::Number>(text).is_ok(),
        Manner::Lenient => false,
    }
}

/// For a value that is none of the cases of `schema`.
pub(super) fn wrong_case(schema: &Map<String, Value>) -> String {
    let cases = match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => std::slice::from_ref(only),
        (None, Some(Value::Array(cases))) => cases.as_slice(),
        (None, Some(_) | None) => &[],
    };
    format!("Input should be {}", one_of(&cases.iter().map(case).collect::<Vec<_>>()))
}

/// A case as it is written in an error: a string in single quotes, anything else as JSON.
pub(super) fn case(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{text}'"),
        other => other.to_string(),
    }
}

/// `a`, `a or b`, `a, b or c`; cut where it gets too long.
pub(super) fn one_of(cases: &[String]) -> String {
    let mut bytes = 0;
    let fitting = cases.iter().take_while(|case| {
        bytes += case.len() + 2;
        bytes <= CASES_BYTES_MAX
    });
    let fitting = fitting.count();
    if fitting < cases.len() {
        return format!("one of {} ... ({} cases)", cases[..fitting].join(", "), cases.len());
    }
    either(cases)
}

fn either(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// For a key that is not expected in an object of `schema`.
pub(super) fn extra(schema: &Map<String, Value>) -> Problem {
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    let declared =
        schema.get("properties").and_then(Value::as_object).is_some_and(|p| !p.is_empty());
    match patterns.map(|patterns| patterns.keys().collect::<Vec<_>>()).as_deref() {
        Some([pattern]) if !declared => {
            Problem::new(format!("String should match pattern '{pattern}'")).under("[key]")
        }
        Some(_) | None => Problem::new("Extra inputs are not permitted"),
    }
}

/// For a value that breaks `keyword` of `schema`.
pub(super) fn broken(schema: &Map<String, Value>, keyword: &str, value: &Value) -> String {
    let operand = schema.get(keyword).map(ToString::to_string).unwrap_or_default();
    let word = schema.get(keyword).and_then(Value::as_str).unwrap_or_default();
    match keyword {
        "minimum" => format!("Input should be greater than or equal to {operand}"),
        "exclusiveMinimum" => format!("Input should be greater than {operand}"),
        "maximum" => format!("Input should be less than or equal to {operand}"),
        "exclusiveMaximum" => format!("Input should be less than {operand}"),
        "multipleOf" => format!("Input should be a multiple of {operand}"),
        "minLength" => format!("String should have at least {}", counted(&operand, "character")),
        "maxLength" => format!("String should have at most {}", counted(&operand, "character")),
        "pattern" => format!("String should match pattern '{word}'"),
        "format" => format!("Input should be a valid {}", format_name(word)),
        "contentEncoding" => format!("String should be valid {word}"),
        "uniqueItems" => "List should have no item twice".to_owned(),
        "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            let most = if keyword.starts_with("max") { "at most" } else { "at least" };
            let (container, count) = container(schema, value);
            format!(
                "{container} should have {most} {} after validation, not {count}",
                counted(&operand, "item")
            )
        }
        other => format!("Input does not keep `{other}`"),
    }
}

fn counted(count: &str, noun: &str) -> String {
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

fn container(schema: &Map<String, Value>, value: &Value) -> (&'static str, usize) {
    match value {
        Value::Array(items) if schema.contains_key("prefixItems") => ("Tuple", items.len()),
        Value::Array(items) => ("List", items.len()),
        Value::Object(entries) => ("Dictionary", entries.len()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => ("Input", 0),
    }
}

fn format_name(format: &str) -> &str {
    match format {
        "date-time" => "datetime",
        "uuid" => "UUID",
        "uri" => "URL",
        "ipv4" => "IPv4 address",
        "ipv6" => "IPv6 address",
        "email" => "email address",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::{Bounds, Output, Style, Unverified};

    /// What is said of the property `p` of `schema`, which has `value`.
    fn said(schema: serde_json::Value, value: serde_json::Value) -> String {
        let author = json!({"properties": {"p": schema}}).to_string();
        let output = Output::load(&author, "t", Style::default(), &Bounds::default()).unwrap();
        match output.verify(&json!({"p": value}).to_string()) {
            Err(Unverified::Mismatch(mismatch)) => {
                mismatch.errors().map(|(_, what)| what).collect::<Vec<_>>().join("; ")
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn types_are_told_as_by_pydantic() {
        for (kind, value, expected) in [
            ("string", json!(5), "Input should be a valid string"),
            ("integer", json!(null), "Input should be a valid integer"),
            ("integer", json!("42"), "Input should be a valid integer"),
            (
                "integer",
                json!("x"),
                "Input should be a valid integer, unable to parse string as an integer",
            ),
            (
                "integer",
                json!(3.5),
                "Input should be a valid integer, got a number with a fractional part",
            ),
            ("number", json!([]), "Input should be a valid number"),
            (
                "number",
                json!("x"),
                "Input should be a valid number, unable to parse string as a number",
            ),
            ("boolean", json!(2), "Input should be a valid boolean, unable to interpret input"),
            ("boolean", json!(null), "Input should be a valid boolean"),
            ("null", json!(1), "Input should be null"),
            ("array", json!(1), "Input should be a valid list"),
            ("object", json!([]), "Input should be a valid dictionary"),
        ] {
            assert_eq!(said(json!({"type": kind}), value), expected);
        }
        let record = json!({"title": "Point", "type": "object", "properties": {}});
        assert_eq!(
            said(record, json!(1)),
            "Input should be a valid dictionary or instance of Point"
        );
        assert_eq!(
            said(json!({"type": ["integer", "string"]}), json!([])),
            "Input should be a valid integer or string"
        );
    }

    #[test]
    fn constraints_are_told_as_by_pydantic() {
        for (schema, value, expected) in [
            (json!({"minimum": 1}), json!(0), "Input should be greater than or equal to 1"),
            (json!({"exclusiveMinimum": 0}), json!(0), "Input should be greater than 0"),
            (json!({"maximum": 1.5}), json!(2), "Input should be less than or equal to 1.5"),
            (json!({"exclusiveMaximum": 1}), json!(1), "Input should be less than 1"),
            (json!({"multipleOf": 5}), json!(7), "Input should be a multiple of 5"),
            (json!({"minLength": 1}), json!(""), "String should have at least 1 character"),
            (json!({"maxLength": 2}), json!("abc"), "String should have at most 2 characters"),
            (json!({"pattern": "^a"}), json!("b"), "String should match pattern '^a'"),
            (json!({"format": "date-time"}), json!("soon"), "Input should be a valid datetime"),
            (json!({"format": "uuid"}), json!("no"), "Input should be a valid UUID"),
            (json!({"contentEncoding": "base64"}), json!("?"), "String should be valid base64"),
            (
                json!({"minItems": 1}),
                json!([]),
                "List should have at least 1 item after validation, not 0",
            ),
            (
                json!({"prefixItems": [{}, {}], "maxItems": 2}),
                json!([1, 2, 3]),
                "Tuple should have at most 2 items after validation, not 3",
            ),
            (
                json!({"maxProperties": 1}),
                json!({"a": 1, "b": 2}),
                "Dictionary should have at most 1 item after validation, not 2",
            ),
            (json!({"uniqueItems": true}), json!([1, 1]), "List should have no item twice"),
            (
                json!({"enum": ["red", "green", 3]}),
                json!("blue"),
                "Input should be 'red', 'green' or 3",
            ),
            (json!({"const": "cat"}), json!("dog"), "Input should be 'cat'"),
            (json!(false), json!(1), "Input is not allowed"),
            (
                json!({"not": {"type": "null"}}),
                json!(null),
                "Input is of a form that is not allowed",
            ),
        ] {
            assert_eq!(said(schema, value), expected);
        }
    }

    #[test]
    fn a_long_list_of_cases_is_cut() {
        let cases: Vec<_> = (0..256).map(|case| format!("case-{case}")).collect();
        let text = said(json!({"enum": cases}), json!("other"));
        assert!(text.starts_with("Input should be one of 'case-0', 'case-1', "), "{text}");
        assert!(text.ends_with(" ... (256 cases)"), "{text}");
        assert!(text.len() < 512);
    }
}
