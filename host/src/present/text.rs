//! Text for the model from a verified value.
//!
//! Every block is rendered from the value that the app gets too, so the two say the same.

use serde_json::Value;

use super::{clean, compact};
use crate::schema::Verified;

/// Elements of a list that become blocks of their own; a longer list is one block.
const BLOCKS_MAX: usize = 1024;

/// The blocks of text for `verified`, rules T1 to T8: a string as it is; any other value as JSON
/// with an indent of two spaces, or without where the indent would take too much room; a list of
/// 1 to 1024 elements one block an element. There is always at least one block: an empty list is
/// `[]`, and no result is `null`. None if they have more than `bytes_max` bytes together.
#[must_use]
pub fn blocks(verified: &Verified, bytes_max: usize) -> Option<Vec<String>> {
    of_json(verified.json(), bytes_max)
}

/// The same for the value of a tool that gives content only, which answers to no schema (rule F1).
pub(crate) fn of_value(value: &Value, bytes_max: usize) -> Option<Vec<String>> {
    of_json(&value.to_string(), bytes_max)
}

/// The same for JSON as `serde_json` writes it.
fn of_json(json: &str, bytes_max: usize) -> Option<Vec<String>> {
    let mut room = bytes_max;
    match compact::elements(json, BLOCKS_MAX) {
        Some(items) => items.into_iter().map(|item| block(item, &mut room)).collect(),
        None => Some(vec![block(json, &mut room)?]),
    }
}

/// One block, which takes its bytes from `room`.
fn block(json: &str, room: &mut usize) -> Option<String> {
    let text = match compact::string(json) {
        Some(text) => clean::text(text),
        None => match compact::indented(json, *room).map(clean::json) {
            Some(text) if text.len() <= *room => text,
            Some(_) | None if json.len() > *room => return None,
            Some(_) | None => clean::json(json.to_owned()),
        },
    };
    *room = room.checked_sub(text.len())?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::{Bounds, Output, Style};

    fn texts(value: &Value) -> Vec<String> {
        let any = Output::load("{}", "get", Style::default(), &Bounds::default()).unwrap();
        blocks(&any.verify(&value.to_string()).unwrap(), 1 << 20).unwrap()
    }

    #[test]
    fn a_string_is_shown_as_it_is() {
        assert_eq!(texts(&json!("say \"hi\" \\ {}")), ["say \"hi\" \\ {}"]);
        assert_eq!(texts(&json!("a\nb\tc")), ["a\nb\tc"]);
        assert_eq!(texts(&json!("")), [""]);
    }

    #[test]
    fn another_value_is_indented_json() {
        assert_eq!(texts(&json!(17)), ["17"]);
        assert_eq!(texts(&json!(1.0)), ["1.0"]);
        assert_eq!(texts(&json!(1e16)), ["1e+16"]);
        assert_eq!(texts(&json!(null)), ["null"]);
        assert_eq!(texts(&json!({})), ["{}"]);
        assert_eq!(
            texts(&json!({"z": "ü", "a": [1, {"k": []}]})),
            ["{\n  \"z\": \"ü\",\n  \"a\": [\n    1,\n    {\n      \"k\": []\n    }\n  ]\n}"]
        );
    }

    #[test]
    fn a_list_is_fanned_out_by_one_level() {
        assert_eq!(texts(&json!([1, "a", null, {"k": 1}])), ["1", "a", "null", "{\n  \"k\": 1\n}"]);
        assert_eq!(texts(&json!([[1, 2], []])), ["[\n  1,\n  2\n]", "[]"]);
        assert_eq!(texts(&json!([])), ["[]"]);
    }

    #[test]
    fn a_list_that_is_too_long_to_fan_out_is_one_block() {
        assert_eq!(texts(&json!(vec![1; 1024])).len(), 1024);
        assert_eq!(texts(&json!(vec![1; 1025])).len(), 1);
    }

    #[test]
    fn a_text_is_capped_and_gives_up_its_indent_first() {
        let nested = json!({"a": [[[1, 2]]]});
        assert_eq!(of_value(&nested, 1000).unwrap()[0].lines().count(), 10);
        assert_eq!(of_value(&nested, 20), Some(vec![r#"{"a":[[[1,2]]]}"#.to_owned()]));
        assert_eq!(of_value(&nested, 15), Some(vec![r#"{"a":[[[1,2]]]}"#.to_owned()]));
        assert_eq!(of_value(&nested, 14), None);
        // Each of these is shown as six characters of a string, and as six in JSON.
        assert_eq!(of_value(&json!("\u{7f}\u{7f}"), 11), None);
        assert_eq!(of_value(&json!({"k": "\u{7f}\u{7f}"}), 19), None);
        assert_eq!(of_value(&json!(["aa", "bb"]), 4).unwrap(), ["aa", "bb"]);
        assert_eq!(of_value(&json!(["aa", "bb"]), 3), None);
    }

    #[test]
    fn hidden_characters_are_shown_and_json_stays_json() {
        assert_eq!(texts(&json!("a\u{202e}b")), [r"a\u{202e}b"]);
        let record = json!({"k\u{200b}": "\u{1b}\u{85}\u{e0041}"});
        let texts = texts(&record);
        assert!(texts[0].is_ascii(), "{texts:?}");
        assert_eq!(serde_json::from_str::<Value>(&texts[0]).unwrap(), record);
    }
}
