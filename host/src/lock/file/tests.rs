use serde_json::{Value, json};

use super::*;
use crate::grants::Clocks;

fn entry(definition: &Value) -> Entry {
    Entry {
        digest: "0123456789abcdef".repeat(4),
        version: "1.0.0".to_owned(),
        imports: vec!["wasi:io/streams@0.2.6".to_owned()],
        lacks: vec!["http to `a.example:443`".to_owned()],
        grants: Reach {
            http: vec!["*.example:443".parse().unwrap(), "[::1]:80".parse().unwrap()],
            clocks: Clocks::Precise,
            random: true,
            ..Reach::default()
        },
        tools: vec![Locked::of(definition, "name")],
        beside: Beside::default(),
    }
}

fn lock(definition: &Value) -> Lock {
    let mut lock = Lock::default();
    lock.set("a", Some(entry(definition)));
    lock
}

fn read(text: &str) -> Result<Lock, ConfigError> {
    Lock::parse(Path::new("portcullis.lock"), text)
}

#[test]
fn what_is_written_is_what_is_read() {
    for text in ["plain", "'''", "\"\"\"", "a\\nb", "\u{7f}\u{202e}\u{e0041}\u{9b}", "a\nb\t\r"] {
        let definition = json!({ "name": "get", "inputSchema": { "const": [text, null, 1.0] } });
        let lock = lock(&definition);
        let written = lock.text();
        assert_eq!(read(&written).unwrap(), lock, "{written}");
        let is_shown = |c: char| c == '\n' || !clean::is_hidden(c);
        assert!(written.chars().all(is_shown), "{written:?}");
    }
}

#[test]
fn entries_are_in_the_order_of_their_names() {
    let mut lock = Lock::default();
    for id in ["b", "c", "a"] {
        lock.set(id, Some(entry(&json!({ "name": "get" }))));
    }
    let text = lock.text();
    let heads: Vec<&str> = text.lines().filter(|line| line.ends_with(".tools.get]")).collect();
    let expected = ["a", "b", "c"].map(|id| format!("[components.{id}.tools.get]"));
    assert_eq!(heads, expected);
    lock.set("b", None);
    assert!(!lock.text().contains("[components.b"));
}

#[test]
fn a_definition_has_each_key_once() {
    let text = lock(&json!({ "name": "get", "title": "A" })).text();
    let twice = text.replace("\"title\": \"A\"", "\"title\": \"A\",\n  \"title\": \"A\"");
    assert_ne!(twice, text);
    let error = read(&twice).unwrap_err().to_string();
    assert!(error.contains("the key `title` is given twice"), "{error}");
}
