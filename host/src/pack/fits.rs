//! Defaults and examples, checked against the schemas that they are published in.
//!
//! What a schema shows as a value is one that it allows.

use serde_json::{Map, Value};

use crate::present::clean;
use crate::schema::{Bounds, Output, Step, Style, Unverified, below, children};

/// Bytes of an account of what is wrong.
const WHAT_BYTES_MAX: usize = 300;

/// Checks every default and every example in `schema`, one of a tool's.
///
/// # Errors
/// The first that its own schema does not allow, in words.
pub(super) fn check(schema: &Value, bounds: &Bounds) -> Result<(), String> {
    let Value::Object(root) = schema else { return Ok(()) };
    let definitions = root.get("$defs").cloned();
    visit(root, definitions.as_ref(), bounds, &mut "#".to_owned())
}

fn visit(
    schema: &Map<String, Value>,
    definitions: Option<&Value>,
    bounds: &Bounds,
    at: &mut String,
) -> Result<(), String> {
    // That of an option is null, which it allows.
    let default = schema.get("default").filter(|value| !value.is_null());
    let default = default.map(|value| ("default", value));
    let examples = schema.get("examples").and_then(Value::as_array).into_iter().flatten();
    let mut shown = default.into_iter().chain(examples.map(|value| ("example", value))).peekable();
    if shown.peek().is_some() {
        let allowed = alone(schema, definitions, bounds)?;
        for (what, value) in shown {
            if let Err(unverified) = allowed.verify(&value.to_string()) {
                let why = told(&unverified, allowed.wraps());
                return Err(format!("the {what} at {at} does not fit: {why}"));
            }
        }
    }
    for child in children(schema) {
        let Value::Object(inner) = child.schema else { continue };
        below(at, Step::Key(child.keyword), |at| match child.step {
            None => visit(inner, definitions, bounds, at),
            Some(step) => below(at, step, |at| visit(inner, definitions, bounds, at)),
        })?;
    }
    Ok(())
}

/// On one line, without a heading, and without a place that is there for the wrapping alone.
fn told(unverified: &Unverified, wraps: bool) -> String {
    let problem = |(place, what): (&str, &str)| {
        let within = place.strip_prefix("result").filter(|_| wraps);
        match within.map_or(place, |within| within.trim_start_matches('.')) {
            "" => what.to_owned(),
            place => format!("{place}: {what}"),
        }
    };
    let told = match unverified {
        Unverified::Mismatch(mismatch) => {
            mismatch.errors().map(problem).collect::<Vec<_>>().join("; ")
        }
        Unverified::NotJson(_) | Unverified::TooCostly { .. } | Unverified::Exact(_) => {
            unverified.to_string()
        }
    };
    clean::bounded(&told, WHAT_BYTES_MAX)
}

/// The contract that a schema within another one is.
fn alone(
    schema: &Map<String, Value>,
    definitions: Option<&Value>,
    bounds: &Bounds,
) -> Result<Output, String> {
    let mut schema = schema.clone();
    schema.shift_remove("default");
    schema.shift_remove("examples");
    if let Some(definitions) = definitions {
        schema.insert("$defs".to_owned(), definitions.clone());
    }
    Output::load(&Value::Object(schema).to_string(), "value", Style::default(), bounds)
        .map_err(|refused| refused.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fault(schema: &Value) -> String {
        check(schema, &Bounds::default()).unwrap_err()
    }

    #[test]
    fn a_default_or_an_example_is_within_its_own_bounds() {
        let schema = |value: u8| {
            json!({
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/A"}},
                "$defs": {"A": {
                    "type": "object",
                    "properties": {"b": {"type": "integer", "maximum": 14, "default": value}},
                }},
            })
        };
        assert_eq!(check(&schema(14), &Bounds::default()), Ok(()));
        assert_eq!(
            fault(&schema(15)),
            "the default at #/$defs/A/properties/b does not fit: Input should be less than or \
             equal to 14"
        );
        let example = json!({"type": "string", "pattern": "^a", "examples": ["ab", "ba"]});
        let pattern = "the example at # does not fit: String should match pattern '^a'";
        assert_eq!(fault(&example), pattern);
        let list = json!({
            "type": "array", "items": {"type": "integer"}, "examples": [[1, "x"]],
        });
        let place = "the example at # does not fit: 1: Input should be a valid integer, \
                     unable to parse string as an integer";
        assert_eq!(fault(&list), place);
    }
}
