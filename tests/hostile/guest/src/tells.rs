//! Tools that give what their argument says as it is: JSON text under a schema of each kind, and
//! all else that a result has beside its value.

use crate::argument;
use crate::exports::portcullis::guest::tools::{
    FullResult, MetaEntry, Outcome, TypedValue, ValueSchema,
};
use crate::portcullis::guest::types::{
    Annotations, Audience, Content, EmbeddedResource, ResourceBody, ResourceContents, TextBlock,
};
use crate::says::{one, value};

/// Tools that promise a value of a schema.
pub(crate) const TYPED: &[(&str, &str)] = &[
    ("tells_null", r#"{"type":"null"}"#),
    ("tells_integer", r#"{"type":"integer"}"#),
    ("tells_small", r#"{"type":"integer","minimum":-1,"exclusiveMaximum":10}"#),
    ("tells_number", r#"{"type":"number"}"#),
    ("tells_text", r#"{"type":"string","minLength":1,"maxLength":3}"#),
    ("tells_letters", r#"{"type":"string","pattern":"^[a-z]+$"}"#),
    (
        "tells_list",
        r#"{"type":"array","items":{"type":"boolean"},"maxItems":2,"uniqueItems":true}"#,
    ),
    (
        "tells_pair",
        r#"{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":false,"minItems":2}"#,
    ),
    ("tells_choice", r#"{"enum":["a",2,null]}"#),
    (
        "tells_either",
        r#"{"oneOf":[{"type":"object","properties":{"a":{"const":1}},"required":["a"]},{"type":"object","properties":{"b":{"const":2}},"required":["b"]}]}"#,
    ),
    ("tells_record", RECORD),
    ("tells_map", r#"{"type":"object","additionalProperties":{"type":"integer"}}"#),
    (
        "tells_tree",
        r##"{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":["object","null"],"properties":{"next":{"$ref":"#/$defs/node"}},"required":["next"]}}}"##,
    ),
    ("tells_anything", "{}"),
    ("tells_exactly", r#"{"type":["integer","null"]}"#),
    ("fails_telling", RECORD),
    ("has_meta_of", N),
    ("has_meta_twice", N),
    ("gives_no_utf_8", N),
    ("gives_no_value", N),
    ("gives_content_for_a_value", N),
];

/// Tools that promise content.
pub(crate) const CONTENT: &[&str] = &["gives_a_value_for_content", "ranks", "dates", "embeds_as"];

const N: &str = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#;
const RECORD: &str = r#"{"type":"object","properties":{"n":{"type":"integer"},"note":{"type":["string","null"]}},"required":["n","note"],"additionalProperties":false}"#;

/// Plays a tool; none if it is of another name.
pub(crate) fn play(name: &str, arguments: &str) -> Option<Outcome> {
    let it = argument::text(arguments);
    Some(match name {
        "tells_exactly" => Outcome::Value(exactly(&it)),
        "fails_telling" => full(FullResult { value: Some(value(it)), is_error: true, ..empty() }),
        "has_meta_of" => full(FullResult { meta: vec![entry(it)], ..one_beside() }),
        "has_meta_twice" => {
            let meta = vec![entry("1".to_owned()), entry("2".to_owned())];
            full(FullResult { meta, ..one_beside() })
        }
        "gives_no_utf_8" => Outcome::Value(value(no_utf_8())),
        "gives_no_value" => full(empty()),
        "gives_content_for_a_value" => Outcome::Content(vec![block("n is 1", None)]),
        "gives_a_value_for_content" => Outcome::Value(one()),
        "ranks" => {
            let priority = it.parse().ok();
            Outcome::Content(vec![block("a", Some(Annotations { priority, ..unmarked() }))])
        }
        "dates" => {
            let last_modified = Some(it);
            Outcome::Content(vec![block("a", Some(Annotations { last_modified, ..unmarked() }))])
        }
        "embeds_as" => Outcome::Content(vec![embedded(it)]),
        _ if TYPED.iter().any(|(typed, _)| *typed == name) => Outcome::Value(value(it)),
        _ => return None,
    })
}

/// A value with the schema that it says it has; they are the lines of a text.
fn exactly(text: &str) -> TypedValue {
    let (schema, json) = text.split_once('\n').unwrap_or_default();
    TypedValue { json: json.to_owned(), schema: ValueSchema::Exact(schema.to_owned()) }
}

/// A string that is no string.
fn no_utf_8() -> String {
    let bytes = b"{\"n\":1,\"a\":\"\xff\"}".to_vec();
    // SAFETY: nothing here reads it; the host does, which is what is tested.
    unsafe { String::from_utf8_unchecked(bytes) }
}

fn full(result: FullResult) -> Outcome {
    Outcome::Full(result)
}

fn empty() -> FullResult {
    FullResult { content: Vec::new(), value: None, meta: Vec::new(), is_error: false }
}

fn one_beside() -> FullResult {
    FullResult { value: Some(one()), ..empty() }
}

fn entry(value: String) -> MetaEntry {
    MetaEntry { key: "it".to_owned(), value }
}

fn block(text: &str, annotations: Option<Annotations>) -> Content {
    Content::Text(TextBlock { text: text.to_owned(), annotations })
}

fn unmarked() -> Annotations {
    Annotations { audience: Audience::empty(), priority: None, last_modified: None }
}

fn embedded(mime_type: String) -> Content {
    let body = ResourceBody::Bytes(b"GIF89a".to_vec());
    let uri = "https://a.example/".to_owned();
    let contents = ResourceContents { uri, mime_type: Some(mime_type), body };
    Content::Embedded(EmbeddedResource { contents, annotations: None })
}
