//! Secrets: used by components or in their name, shown to nobody.
//!
//! The text of a secret is in no log, error or debug output; what leaves a component is searched
//! for it.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use http::{HeaderName, HeaderValue};

use super::HttpHost;
use crate::present::clean;

/// A secret of one component.
#[derive(Clone, Debug, PartialEq)]
pub struct Secret {
    /// The component's name for it.
    pub name: String,
    /// What must not leave.
    pub text: SecretText,
    /// Where the host puts it into requests. None: the component gets it as an environment
    /// variable of its name.
    pub header: Option<SecretHeader>,
}

/// A header that the host adds to requests, and that the component never sees.
#[derive(Clone, Debug, PartialEq)]
pub struct SecretHeader {
    /// Requests to these alone get it.
    pub hosts: Vec<HttpHost>,
    /// Which header.
    pub name: HeaderName,
    /// Its value, the secret in it; marked as sensitive.
    pub value: HeaderValue,
}

/// The text of a secret, and how it may be written.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretText {
    text: String,
    /// The longest first.
    forms: Arc<[String]>,
}

/// Fewer would be found by chance in what has nothing to do with it.
const SECRET_BYTES_MIN: usize = 8;

impl SecretText {
    /// A secret of at least 8 bytes.
    #[must_use]
    pub fn new(text: String) -> Option<Self> {
        (text.len() >= SECRET_BYTES_MIN).then(|| Self { forms: forms(&text).into(), text })
    }

    /// Its text, for the one place that it is meant for.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// The ways in which it may be written: as it is or as texts show it, each of its lines, with the
    /// escapes of JSON, and within base64.
    pub(crate) fn forms(&self) -> &[String] {
        &self.forms
    }

    /// Whether `bytes` hold it in any of its forms.
    pub(crate) fn is_in(&self, bytes: &[u8]) -> bool {
        self.forms.iter().any(|form| memchr::memmem::find(bytes, form.as_bytes()).is_some())
    }
}

fn forms(text: &str) -> Vec<String> {
    // A text that is shown has its line ends replaced, so each line is looked for.
    let lines = text.lines().filter(|line| line.len() >= SECRET_BYTES_MIN);
    let mut forms = BTreeSet::new();
    for part in lines.chain([text]) {
        let json = serde_json::Value::from(part).to_string();
        forms.extend([part.to_owned(), clean::text(part), json.trim_matches('"').to_owned()]);
        for offset in 0..3 {
            let encoded = within_base64(part.as_bytes(), offset);
            forms.insert(encoded.replace('+', "-").replace('/', "_"));
            forms.insert(encoded);
        }
    }
    let mut forms: Vec<String> = forms.into_iter().collect();
    forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    forms
}

/// The digits of base64 that depend on `bytes` alone, where they begin `offset` bytes after a group
/// of three does.
fn within_base64(bytes: &[u8], offset: usize) -> String {
    let padded = [&[0, 0][..offset], bytes].concat();
    let digits = STANDARD_NO_PAD.encode(&padded);
    let first = (offset * 8).div_ceil(6);
    let end = padded.len() * 8 / 6;
    digits[first..end].to_owned()
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_however_it_is_written() {
        let secret = SecretText::new("with\"quote\r\nand-a-line".to_owned()).unwrap();
        let engine = base64::engine::general_purpose::STANDARD;
        let mut written = vec![
            "x with\"quote\r\nand-a-line y".to_owned(),
            r#"{"k":"with\"quote\r\nand-a-line"}"#.to_owned(),
            "only and-a-line of it".to_owned(),
            "with\"quote | and-a-line".to_owned(),
        ];
        for before in ["", "a", "ab", "abc"] {
            for after in ["", "y", "yz", "xyz"] {
                let text = format!("{before}with\"quote\r\nand-a-line{after}");
                written.push(engine.encode(&text));
                written.push(engine.encode(&text).replace('+', "-").replace('/', "_"));
            }
        }
        for text in written {
            assert!(secret.is_in(text.as_bytes()), "{text}");
        }
        for text in ["with quote and a line", "with\"quot", "", "d2l0aA=="] {
            assert!(!secret.is_in(text.as_bytes()), "{text}");
        }
    }
}
