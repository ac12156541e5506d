//! What a reply carries past rmcp: JSON that was checked and written already, which nobody builds a tree of and
//! writes a second time.
//!
//! Where it belongs, the reply has a mark until it is sent. A mark begins with a word that only this process
//! knows, so that nothing that a guest says is one.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use bytes::Bytes;
use http::Response;
use http_body::Body as _;
use http_body_util::{BodyExt as _, Full};
use memchr::memmem::Finder;
use rmcp::service::{RoleServer, TxJsonRpcMessage};
use serde_json::{Map, Value};

use super::Reply;
use crate::component::hex;

/// Bytes of the word that marks begin with; 128 bits.
const WORD_BYTES: usize = 16;

/// The word that marks begin with. None: there are no random numbers, and so no marks.
static WORD: LazyLock<Option<String>> = LazyLock::new(|| {
    let mut word = [0; WORD_BYTES];
    getrandom::fill(&mut word).ok()?;
    Some(hex(&word))
});

/// JSON texts beside the reply to one request. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Aside(Arc<Mutex<Vec<String>>>);

impl Aside {
    /// Keeps `object`, the JSON text of an object, and gives what marks its place.
    ///
    /// # Errors
    /// `object` again, where nothing can be kept.
    pub(super) fn object(&self, object: String) -> Result<Map<String, Value>, String> {
        match WORD.as_deref() {
            Some(word) => Ok(Map::from_iter([(self.keep(object, word), Value::Null)])),
            None => Err(object),
        }
    }

    /// Keeps a long text that reads the same in JSON, and gives what marks its place; any other text stays.
    pub(super) fn text(&self, text: String) -> String {
        match WORD.as_deref() {
            Some(word) if text.len() >= TEXT_BYTES_MIN && is_as_in_json(&text) => {
                self.keep(format!("\"{text}\""), word)
            }
            Some(_) | None => text,
        }
    }

    fn keep(&self, text: String, word: &str) -> String {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        texts.push(text);
        format!("{word}:{}", texts.len() - 1)
    }

    /// `message`, JSON text, with what was kept in its place; that is not kept any more. None: there is no mark
    /// in it, as in what is sent before a reply.
    pub(super) fn put_into(&self, message: &[u8]) -> Option<Vec<u8>> {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let word = WORD.as_deref().filter(|_| !texts.is_empty())?;
        spliced(message, word, &mut texts)
    }

    /// The JSON text of a message, with what was kept in its place.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn written(
        &self,
        message: &TxJsonRpcMessage<RoleServer>,
    ) -> serde_json::Result<Vec<u8>> {
        let text = serde_json::to_vec(message)?;
        Ok(self.put_into(&text).unwrap_or(text))
    }

    /// A reply that rmcp made over HTTP, with what was kept in its place.
    pub(super) async fn put_into_reply(self, reply: Reply) -> Reply {
        let whole = move |data: Bytes| match self.put_into(&data) {
            Some(whole) => whole.into(),
            None => data,
        };
        let (parts, body) = reply.into_parts();
        // One document has one length. What streams goes on as it comes.
        let body = match body.size_hint().exact() {
            Some(_) => {
                let Ok(body) = body.collect().await;
                Full::new(whole(body.to_bytes())).boxed()
            }
            None => body.map_frame(move |frame| frame.map_data(&whole)).boxed(),
        };
        Response::from_parts(parts, body)
    }
}

/// What is before the word, within the mark of an object, and behind the number.
const OBJECT: [&[u8]; 2] = [b"{\"", b"\":null}"];
/// The same of the mark of a text.
const TEXT: [&[u8]; 2] = [b"\"", b"\""];

/// Texts that are shorter are written sooner than they are put aside.
const TEXT_BYTES_MIN: usize = 1 << 12;

/// Whether JSON has nothing in `text` to escape. The parts are looked at without a way out in their middle,
/// so that the compiler takes many bytes at once.
fn is_as_in_json(text: &str) -> bool {
    let stays = |byte: &u8| *byte >= b' ' && *byte != b'"' && *byte != b'\\';
    text.as_bytes().chunks(64).all(|part| part.iter().fold(true, |all, byte| all & stays(byte)))
}

fn spliced(message: &[u8], word: &str, texts: &mut [String]) -> Option<Vec<u8>> {
    let finder = Finder::new(word.as_bytes());
    finder.find(message)?;
    let room = message.len() + texts.iter().map(String::len).sum::<usize>();
    let mut whole = Vec::with_capacity(room);
    let mut rest = message;
    while let Some(at) = finder.find(rest) {
        let (before, text, behind) = mark(rest, at, word.len(), texts)?;
        whole.extend_from_slice(before);
        whole.extend_from_slice(std::mem::take(text).as_bytes());
        rest = behind;
    }
    whole.extend_from_slice(rest);
    Some(whole)
}

/// What is before the mark whose word is `at`, the text that it stands for, and what is behind it.
fn mark<'m, 't>(
    message: &'m [u8],
    at: usize,
    word_bytes: usize,
    texts: &'t mut [String],
) -> Option<(&'m [u8], &'t mut String, &'m [u8])> {
    let (before, mark) = message.split_at(at);
    let number = mark.get(word_bytes..)?.strip_prefix(b":")?;
    let digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, behind) = number.split_at(digits);
    let text = texts.get_mut(std::str::from_utf8(number).ok()?.parse::<usize>().ok()?)?;
    let (before, behind) = [OBJECT, TEXT]
        .into_iter()
        .find_map(|[left, right]| before.strip_suffix(left).zip(behind.strip_prefix(right)))?;
    Some((before, text, behind))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_kept_is_where_its_mark_was() {
        let aside = Aside::default();
        let texts = [r#"{"a":1}"#, r#"{"b":"{\"c\":null}"}"#];
        let [first, second] = texts.map(|text| aside.object(text.to_owned()).unwrap());
        let reply = json!({ "x": second, "y": ["z", first] }).to_string();
        let whole = aside.put_into(reply.as_bytes()).unwrap();
        let whole: Value = serde_json::from_slice(&whole).unwrap();
        assert_eq!(whole, json!({ "x": { "b": "{\"c\":null}" }, "y": ["z", { "a": 1 }] }));
        assert_eq!(aside.put_into(b"{}"), None);
    }

    #[test]
    fn what_is_sent_before_a_reply_takes_nothing_of_it() {
        let aside = Aside::default();
        let object = aside.object(r#"{"a":1}"#.to_owned()).unwrap();
        assert_eq!(aside.put_into(br#"{"method":"notifications/message"}"#), None);
        let reply = Value::Object(object).to_string();
        assert_eq!(aside.put_into(reply.as_bytes()).as_deref(), Some(br#"{"a":1}"#.as_slice()));
    }

    #[test]
    fn a_reply_without_marks_stays_as_it_is() {
        let aside = Aside::default();
        drop(aside.object("{}".to_owned()));
        let reply = br#"{"a":"b"}"#.to_vec();
        assert_eq!(aside.put_into(&reply), None);
    }

    #[test]
    fn a_long_text_is_kept_where_json_has_it_as_it_is() {
        let aside = Aside::default();
        let long = "ü€ x".repeat(TEXT_BYTES_MIN);
        for stays in
            [format!("{long}\""), format!("\\{long}"), format!("{long}\n{long}"), "x".to_owned()]
        {
            assert_eq!(aside.text(stays.clone()), stays);
        }
        let reply = json!({ "text": aside.text(long.clone()), "more": [aside.text(long.clone())] });
        let reply = reply.to_string();
        assert!(reply.len() < 200, "{reply}");
        let whole = aside.put_into(reply.as_bytes()).unwrap();
        let whole: Value = serde_json::from_slice(&whole).unwrap();
        assert_eq!(whole, json!({ "text": long, "more": [long] }));
    }

    #[test]
    fn half_a_mark_is_none() {
        let word = "0123456789abcdef0123456789abcdef";
        for reply in [
            format!("{word}:0"),
            format!("{{\"{word}:1\":null}}"),
            format!("{{\"{word}"),
            format!("{{\"{word}:\":null}}"),
        ] {
            let mut texts = ["{}".to_owned()];
            assert_eq!(spliced(reply.as_bytes(), word, &mut texts), None, "{reply}");
        }
    }
}
