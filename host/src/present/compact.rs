//! Compact JSON text, as `serde_json` writes it, read by its bytes.
//!
//! Nothing here checks: what comes was written by serde_json, or as it does.

use std::borrow::Cow;

/// The elements of a list that has 1 to `most`; none of anything else.
pub(super) fn elements(json: &str, most: usize) -> Option<Vec<&str>> {
    let inner = json.strip_prefix('[')?.strip_suffix(']').filter(|inner| !inner.is_empty())?;
    let mut found = Vec::new();
    let (mut start, mut at, mut depth) = (0, 0, 0_usize);
    let bytes = inner.as_bytes();
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string_end(bytes, at);
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                found.push(&inner[start..at]);
                start = at + 1;
                if found.len() == most {
                    return None;
                }
            }
            _other => {}
        }
        at += 1;
    }
    found.push(&inner[start..]);
    Some(found)
}

/// What a JSON string says; none of another value.
pub(super) fn string(json: &str) -> Option<Cow<'_, str>> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_str(json).ok().map(Cow::Owned)
}

/// The same value with an indent of two spaces, as `serde_json` writes it; none if it has more
/// than `bytes_max` bytes.
pub(super) fn indented(json: &str, bytes_max: usize) -> Option<String> {
    let bytes = json.as_bytes();
    let mut out = String::with_capacity(bytes_max.min(json.len() + json.len() / 2));
    let (mut at, mut depth) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'"' => {
                at = string_end(bytes, start);
                out.push_str(&json[start..at]);
            }
            b'[' | b'{' if matches!(bytes.get(at), Some(b']' | b'}')) => {
                at += 1;
                out.push_str(&json[start..at]);
            }
            b'[' | b'{' => {
                depth += 1;
                out.push_str(&json[start..at]);
                line(&mut out, depth);
            }
            b']' | b'}' => {
                depth -= 1;
                line(&mut out, depth);
                out.push_str(&json[start..at]);
            }
            b',' => {
                out.push(',');
                line(&mut out, depth);
            }
            b':' => out.push_str(": "),
            _scalar => {
                let is_part = |byte: &&u8| !matches!(byte, b',' | b']' | b'}');
                at += bytes[at..].iter().take_while(is_part).count();
                out.push_str(&json[start..at]);
            }
        }
        if out.len() > bytes_max {
            return None;
        }
    }
    Some(out)
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth {
        out.push_str("  ");
    }
}

/// Where the string that begins at `start` ends.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at.min(bytes.len())..]) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            prop::sample::select(vec![json!(null), json!(true), json!([]), json!({})]),
            "[\"\\\\\\[\\]{},:\u{1}\u{e9}a ]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            let key = "[\"\\\\\\[{,:a]{0,3}";
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map(key, inner, 0..4).prop_map(|map| json!(map)),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_what_serde_json_writes(value in value()) {
            let json = value.to_string();
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            prop_assert_eq!(indented(&json, pretty.len() - 1), None);
            prop_assert_eq!(indented(&json, pretty.len()), Some(pretty));
            let text = string(&json);
            prop_assert_eq!(text.as_deref(), value.as_str());
            let items = value.as_array().filter(|items| !items.is_empty());
            let items = items.map(|items| items.iter().map(Value::to_string).collect());
            let found = elements(&json, 9).map(|found| found.into_iter().map(str::to_owned));
            prop_assert_eq!(found.map(Iterator::collect::<Vec<_>>), items);
        }
    }

    #[test]
    fn a_list_of_more_elements_is_left_whole() {
        assert_eq!(elements("[1,2]", 2), Some(vec!["1", "2"]));
        assert_eq!(elements("[1,2]", 1), None);
        assert_eq!(elements("[[1,2]]", 1), Some(vec!["[1,2]"]));
    }
}
