//! Secrets: used by components or in their name, shown to nobody.
//!
//! The text of a secret is in no log, error or debug output; what leaves a component is searched
//! for it.

use std::fmt;

use http::{HeaderName, HeaderValue};

use super::HttpHost;

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

/// The text of a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretText(String);

/// Fewer would be found by chance in what has nothing to do with it.
const SECRET_BYTES_MIN: usize = 8;

impl SecretText {
    /// A secret of at least 8 bytes.
    #[must_use]
    pub fn new(text: String) -> Option<Self> {
        (text.len() >= SECRET_BYTES_MIN).then_some(Self(text))
    }

    /// Its text, for the one place that it is meant for.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether `bytes` hold it.
    pub(crate) fn is_in(&self, bytes: &[u8]) -> bool {
        memchr::memmem::find(bytes, self.0.as_bytes()).is_some()
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}
