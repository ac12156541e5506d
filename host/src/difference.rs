//! What differs between two JSON values, field by field.
//!
//! The order of keys is no difference; everything else is.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::present::clean;

/// One field that is another now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Difference {
    /// Where it is: keys and positions, from the whole down.
    pub(crate) path: Vec<String>,
    /// None: it is new.
    #[serde(default, deserialize_with = "there", skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<Value>,
    /// None: it is gone.
    #[serde(default, deserialize_with = "there", skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<Value>,
}

/// A value that is there is one, `null` too.
fn there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Bytes of a value in the text of a difference.
const VALUE_BYTES_MAX: usize = 200;
/// Differences that one line tells.
const TOLD_MAX: usize = 5;

impl Difference {
    /// All that differs between two values, in the order of the first. None: there is none.
    pub(crate) fn between(before: Option<&Value>, after: Option<&Value>) -> Vec<Self> {
        let mut found = Vec::new();
        match (before, after) {
            (Some(before), Some(after)) => values(&mut Vec::new(), before, after, &mut found),
            (None, None) => {}
            (before, after) => {
                let [before, after] = [before, after].map(Option::<&Value>::cloned);
                found.push(Self { path: Vec::new(), before, after });
            }
        }
        found
    }

    /// Some of them on one line of bounded length.
    pub(crate) fn summary(differences: &[Self]) -> String {
        let told: Vec<String> =
            differences.iter().take(TOLD_MAX).map(|difference| difference.to_string()).collect();
        let more = differences.len().saturating_sub(TOLD_MAX);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        format!("{}{more}", told.join("; "))
    }
}

fn values(path: &mut Vec<String>, before: &Value, after: &Value, found: &mut Vec<Difference>) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => objects(path, before, after, found),
        (Value::Array(before), Value::Array(after)) if before != after => {
            arrays(path, before, after, found);
        }
        (before, after) if before != after => {
            let (before, after) = (Some(before.clone()), Some(after.clone()));
            found.push(Difference { path: path.clone(), before, after });
        }
        _ => {}
    }
}

fn objects(
    path: &mut Vec<String>,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    found: &mut Vec<Difference>,
) {
    let gone = before.iter().map(|(key, value)| (key, Some(value), after.get(key)));
    let new = after
        .iter()
        .filter(|(key, _)| !before.contains_key(*key))
        .map(|(key, value)| (key, None, Some(value)));
    for (key, before, after) in gone.chain(new) {
        path.push(key.clone());
        match (before, after) {
            (Some(before), Some(after)) => values(path, before, after, found),
            (before, after) => {
                let (before, after) = (before.cloned(), after.cloned());
                found.push(Difference { path: path.clone(), before, after });
            }
        }
        path.pop();
    }
}

fn arrays(path: &mut Vec<String>, before: &[Value], after: &[Value], found: &mut Vec<Difference>) {
    let whole = |path: &[String]| Difference {
        path: path.to_vec(),
        before: Some(before.to_vec().into()),
        after: Some(after.to_vec().into()),
    };
    if is_set(before) && is_set(after) {
        let count = found.len();
        let missing = |from: &[Value], of: &[Value]| -> Vec<Value> {
            of.iter().filter(|value| !from.contains(value)).cloned().collect()
        };
        for gone in missing(after, before) {
            found.push(Difference { path: path.clone(), before: Some(gone), after: None });
        }
        for new in missing(before, after) {
            found.push(Difference { path: path.clone(), before: None, after: Some(new) });
        }
        let common = |of: &[Value], other: &[Value]| -> Vec<Value> {
            of.iter().filter(|value| other.contains(value)).cloned().collect()
        };
        if common(before, after) != common(after, before) {
            // Their order is another, too.
            found.truncate(count);
            found.push(whole(path));
        }
    } else if before.len() == after.len() {
        for (index, (before, after)) in before.iter().zip(after).enumerate() {
            path.push(index.to_string());
            values(path, before, after, found);
            path.pop();
        }
    } else {
        found.push(whole(path));
    }
}

/// Whether an array is one of names or numbers, none of them twice.
fn is_set(array: &[Value]) -> bool {
    let mut seen = std::collections::HashSet::new();
    array.iter().all(|value| (value.is_string() || value.is_number()) && seen.insert(value.clone()))
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: &Value| clean::bounded(&value.to_string(), VALUE_BYTES_MAX);
        let place = clean::bounded(&self.path.join(".").replace('\n', " "), VALUE_BYTES_MAX);
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => {
                write!(f, "{place} was {} and is {}", shown(before), shown(after))
            }
            (None, Some(_)) if self.path.is_empty() => write!(f, "it is new"),
            (Some(_), None) if self.path.is_empty() => write!(f, "it is gone"),
            (None, Some(after)) => write!(f, "{place} has {} more", shown(after)),
            (Some(before), None) => write!(f, "{place} has {} no more", shown(before)),
            (None, None) => write!(f, "{place} is the same"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn between(before: &Value, after: &Value) -> Vec<(String, Option<Value>, Option<Value>)> {
        let mut found = Vec::new();
        values(&mut Vec::new(), before, after, &mut found);
        found.into_iter().map(|d| (d.path.join("."), d.before, d.after)).collect()
    }

    fn some(value: Value) -> Option<Value> {
        Some(value)
    }

    #[test]
    fn each_field_that_differs_is_found_where_it_is() {
        let before =
            json!({ "a": { "x": 1, "y": [1, 2], "z": null }, "b": [{ "t": 1 }, 2], "c": 0 });
        let after =
            json!({ "b": [{ "t": 2 }, 2], "a": { "y": [2, 3], "x": 1.0 }, "d": null, "c": 0 });
        assert_eq!(
            between(&before, &after),
            [
                ("a.x".to_owned(), some(json!(1)), some(json!(1.0))),
                ("a.y".to_owned(), some(json!(1)), None),
                ("a.y".to_owned(), None, some(json!(3))),
                ("a.z".to_owned(), some(Value::Null), None),
                ("b.0.t".to_owned(), some(json!(1)), some(json!(2))),
                ("d".to_owned(), None, some(Value::Null)),
            ]
        );
    }

    #[test]
    fn the_order_of_keys_is_no_difference_and_that_of_an_array_is_one() {
        assert_eq!(between(&json!({ "a": 1, "b": 2 }), &json!({ "b": 2, "a": 1 })), []);
        let (before, after) = (json!(["a", "b"]), json!(["b", "a"]));
        assert_eq!(between(&before, &after), [(String::new(), some(before), some(after))]);
        let (before, after) = (json!(["a", "b"]), json!(["b", "a", "c"]));
        assert_eq!(between(&before, &after), [(String::new(), some(before), some(after))]);
        let (before, after) = (json!([{ "a": 1 }]), json!([{ "a": 1 }, { "a": 1 }]));
        assert_eq!(between(&before, &after), [(String::new(), some(before), some(after))]);
        let (before, after) = (json!(["a", "a"]), json!(["a", "b"]));
        assert_eq!(
            between(&before, &after),
            [("1".to_owned(), some(json!("a")), some(json!("b")))]
        );
    }

    #[test]
    fn a_difference_is_told_on_one_clean_line() {
        let difference = Difference {
            path: vec!["tools".to_owned(), "a\n\u{202e}".to_owned()],
            before: None,
            after: some(json!("x".repeat(1000))),
        };
        let told = difference.to_string();
        assert!(told.starts_with("tools.a \\u{202e} has \"xxx"), "{told}");
        assert!(told.len() < 300, "{told}");
        let many = vec![difference; 7];
        assert!(Difference::summary(&many).ends_with("; and 2 more"));
    }

    #[test]
    fn null_is_a_value_when_it_is_read_back() {
        let difference = Difference { path: Vec::new(), before: some(Value::Null), after: None };
        let text = serde_json::to_string(&difference).unwrap();
        assert_eq!(text, r#"{"path":[],"before":null}"#);
        assert_eq!(serde_json::from_str::<Difference>(&text).unwrap(), difference);
    }
}
