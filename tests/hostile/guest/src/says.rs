//! Tools that say what their argument tells them to say, in one place each.

use crate::exports::portcullis::guest::tools::{
    Failure, FullResult, MetaEntry, Outcome, TypedValue, ValueSchema,
};
use crate::portcullis::guest::types::{
    Content, EmbeddedResource, FailureKind, Media, ResourceBody, ResourceContents, ResourceLink,
    TextBlock,
};
use crate::{argument, portcullis};

/// Tools that promise an object with an integer `n`.
pub(crate) const TYPED: &[&str] = &[
    "panics_with",
    "fails_with",
    "fails_internally_with",
    "prints",
    "logs",
    "reports_progress",
    "has_meta",
    "has_content_of_its_own",
];
/// Tools that promise any value.
pub(crate) const ANY: &[&str] = &["gives"];
/// Tools that promise content.
pub(crate) const CONTENT: &[&str] = &["says", "links", "embeds", "draws"];

/// Plays a tool; none if it is of another name.
pub(crate) fn play(name: &str, arguments: &str) -> Option<Result<Outcome, Failure>> {
    let it = || argument::text(arguments);
    Some(Ok(match name {
        "panics_with" => panic!("{}", it()),
        "fails_with" => return Some(Err(failure(FailureKind::ToolError, it()))),
        "fails_internally_with" => return Some(Err(failure(FailureKind::Internal, it()))),
        "prints" => {
            println!("{}", it());
            eprintln!("{}", it());
            Outcome::Value(one())
        }
        "logs" => {
            let level = portcullis::guest::types::LogLevel::Error;
            portcullis::guest::log::write(level, Some(&it()), &it());
            Outcome::Value(one())
        }
        "reports_progress" => {
            portcullis::guest::progress::report(1.0, None, Some(&it()));
            Outcome::Value(one())
        }
        "has_meta" => {
            let meta = vec![MetaEntry { key: it(), value: "1".to_owned() }];
            Outcome::Full(FullResult { meta, ..full() })
        }
        "has_content_of_its_own" => {
            Outcome::Full(FullResult { content: vec![text(it())], ..full() })
        }
        "gives" => Outcome::Value(value(argument::json(arguments).to_owned())),
        "says" => Outcome::Content(vec![text(it())]),
        "links" => Outcome::Content(vec![link(it())]),
        "embeds" => Outcome::Content(vec![embedded(it())]),
        "draws" => Outcome::Content(vec![drawing(&it())]),
        _ => return None,
    }))
}

/// What a tool that misbehaves only beside its result gives.
pub(crate) fn one() -> TypedValue {
    value(r#"{"n":1}"#.to_owned())
}

pub(crate) fn value(json: String) -> TypedValue {
    TypedValue { json, schema: ValueSchema::Declared }
}

fn full() -> FullResult {
    FullResult { content: Vec::new(), value: Some(one()), meta: Vec::new(), is_error: false }
}

fn failure(kind: FailureKind, message: String) -> Failure {
    Failure { kind, message }
}

fn text(text: String) -> Content {
    Content::Text(TextBlock { text, annotations: None })
}

fn link(uri: String) -> Content {
    Content::Link(ResourceLink {
        uri,
        name: "a link".to_owned(),
        title: None,
        description: None,
        mime_type: None,
        size: None,
        annotations: None,
    })
}

fn embedded(uri: String) -> Content {
    let body = ResourceBody::Text("a text".to_owned());
    let contents = ResourceContents { uri, mime_type: None, body };
    Content::Embedded(EmbeddedResource { contents, annotations: None })
}

/// An image that says of itself that it is a PNG.
fn drawing(what: &str) -> Content {
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";
    let data = match what {
        "a PNG" => PNG.to_vec(),
        "50 MB" => {
            let mut data = PNG.to_vec();
            data.resize(50_000_000, 0);
            data
        }
        other => other.as_bytes().to_vec(),
    };
    Content::Image(Media { data, mime_type: "image/png".to_owned(), annotations: None })
}
