//! What goes out to come back, sealed: the state of a call that asks, and cursors.
//!
//! The key is this process's own. What it sealed is of no use for anything else, to nobody else, or
//! after a while.

use std::borrow::Cow;
use std::sync::LazyLock;
use std::time::Duration;

use rmcp::model::{ErrorData, RequestStateCodec, SealOptions};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::call::Identity;
use crate::component::hex;

/// Bytes of the key of HMAC-SHA256.
const KEY_BYTES: usize = 32;

static CODEC: LazyLock<Option<RequestStateCodec>> = LazyLock::new(|| {
    let mut key = [0; KEY_BYTES];
    getrandom::fill(&mut key).ok()?;
    RequestStateCodec::try_new(key.to_vec()).ok()
});

/// What something sealed is for. It is written out where something is sealed or opened: few requests go in
/// rounds.
pub(super) enum Bound<'a> {
    /// One request: what is asked for, with which arguments, by whom.
    Request {
        method: &'static str,
        name: &'a str,
        arguments: &'a Map<String, Value>,
        identity: &'a Identity,
    },
    /// A list as it is now.
    List(String),
}

impl Bound<'_> {
    /// For a list as it is now.
    pub(super) fn to_list(method: &str, items: &impl Serialize) -> Self {
        let items = serde_json::to_vec(items).unwrap_or_default();
        Self::List(format!("{method} {}", hex(&Sha256::digest(items))))
    }

    fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Request { method, name, arguments, identity } => {
                let mut sorted = Value::Object((*arguments).clone());
                sorted.sort_all_objects();
                let principal = identity.principal.as_deref().unwrap_or_default();
                let parts = [method, name, &*sorted.to_string(), principal];
                // Each with its length, so that no two lists of parts are one text.
                let parts = parts.map(|part| format!("{}:{part}", part.len())).concat();
                Cow::Owned(hex(&Sha256::digest(parts)))
            }
            Self::List(text) => Cow::Borrowed(text),
        }
    }
}

/// Seals `value` for `ttl`.
///
/// # Errors
/// When there is no key.
pub(super) fn seal(
    value: &impl Serialize,
    bound: &Bound<'_>,
    ttl: Duration,
) -> Result<String, ErrorData> {
    let bound = bound.text();
    let options = SealOptions::new().associated_data(bound.as_bytes()).ttl(ttl);
    let codec = CODEC.as_ref();
    codec
        .and_then(|codec| codec.seal_json_with(value, &options).ok())
        .ok_or_else(|| ErrorData::internal_error("nothing can be sealed here", None))
}

/// What was sealed for `bound`. None: it was not, or it has expired.
pub(super) fn open<T: DeserializeOwned>(sealed: &str, bound: &Bound<'_>) -> Option<T> {
    CODEC.as_ref()?.open_json_with(sealed, bound.text().as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn bound<'a>(name: &'a str, arguments: &'a Value, identity: &'a Identity) -> Bound<'a> {
        let arguments = arguments.as_object().unwrap();
        Bound::Request { method: "tools/call", name, arguments, identity }
    }

    #[test]
    fn what_is_sealed_opens_for_the_same_request_alone() {
        let arguments = json!({ "a": 1, "b": { "d": 2, "c": 3 } });
        let me = Identity::default();
        let made = bound("get", &arguments, &me);
        let sealed = seal(&"state", &made, Duration::from_secs(60)).unwrap();
        let open = |sealed: &str, bound: &Bound<'_>| super::open::<String>(sealed, bound);
        let reordered = json!({ "b": { "c": 3, "d": 2 }, "a": 1 });
        assert_eq!(open(&sealed, &bound("get", &reordered, &me)).as_deref(), Some("state"));
        assert_eq!(open(&sealed, &bound("put", &arguments, &me)), None);
        assert_eq!(open(&sealed, &bound("get", &json!({ "a": 1 }), &me)), None);
        let other = Identity { principal: Some("x".into()), ..Identity::default() };
        let other = bound("get", &arguments, &other);
        assert_eq!(open(&sealed, &other), None);
        for index in 0..sealed.len() {
            let mut forged = sealed.clone().into_bytes();
            forged[index] ^= 1;
            let forged = String::from_utf8_lossy(&forged).into_owned();
            assert_eq!(open(&forged, &made), None, "{index}");
        }
        let expired = seal(&"state", &made, Duration::ZERO).unwrap();
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(open(&expired, &made), None);
    }
}
