//! What goes out to come back, sealed: the state of a call that asks, and cursors.
//!
//! The key is this process's own. What it sealed is of no use for anything else, to nobody else, or
//! after a while.

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

/// What something sealed is for.
pub(super) struct Bound(String);

impl Bound {
    /// For one request: what is asked for, of which bytes of a component, with which arguments, by
    /// whom.
    pub(super) fn to_request(
        method: &str,
        name: &str,
        digest: &str,
        arguments: &Map<String, Value>,
        identity: &Identity,
    ) -> Self {
        let mut sorted = Value::Object(arguments.clone());
        sorted.sort_all_objects();
        let principal = identity.principal.as_deref().unwrap_or_default();
        let parts = [method, name, digest, &sorted.to_string(), principal];
        // Each with its length, so that no two lists of parts are one text.
        let parts = parts.map(|part| format!("{}:{part}", part.len())).concat();
        Self(hex(&Sha256::digest(parts)))
    }

    /// For a list as it is now.
    pub(super) fn to_list(method: &str, items: &impl Serialize) -> Self {
        let items = serde_json::to_vec(items).unwrap_or_default();
        Self(format!("{method} {}", hex(&Sha256::digest(items))))
    }
}

/// Seals `value` for `ttl`.
///
/// # Errors
/// When there is no key.
pub(super) fn seal(
    value: &impl Serialize,
    bound: &Bound,
    ttl: Duration,
) -> Result<String, ErrorData> {
    let options = SealOptions::new().associated_data(bound.0.as_bytes()).ttl(ttl);
    let codec = CODEC.as_ref();
    codec
        .and_then(|codec| codec.seal_json_with(value, &options).ok())
        .ok_or_else(|| ErrorData::internal_error("nothing can be sealed here", None))
}

/// What was sealed for `bound`. None: it was not, or it has expired.
pub(super) fn open<T: DeserializeOwned>(sealed: &str, bound: &Bound) -> Option<T> {
    CODEC.as_ref()?.open_json_with(sealed, bound.0.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn bound(name: &str, arguments: &Value, digest: &str) -> Bound {
        let arguments = arguments.as_object().unwrap();
        Bound::to_request("tools/call", name, digest, arguments, &Identity::default())
    }

    #[test]
    fn what_is_sealed_opens_for_the_same_request_alone() {
        let arguments = json!({ "a": 1, "b": { "d": 2, "c": 3 } });
        let made = bound("get", &arguments, "d1");
        let sealed = seal(&"state", &made, Duration::from_secs(60)).unwrap();
        let open = |sealed: &str, bound: &Bound| super::open::<String>(sealed, bound);
        let reordered = json!({ "b": { "c": 3, "d": 2 }, "a": 1 });
        assert_eq!(open(&sealed, &bound("get", &reordered, "d1")).as_deref(), Some("state"));
        assert_eq!(open(&sealed, &bound("put", &arguments, "d1")), None);
        assert_eq!(open(&sealed, &bound("get", &json!({ "a": 1 }), "d1")), None);
        assert_eq!(open(&sealed, &bound("get", &arguments, "d2")), None);
        let other = Identity { principal: Some("x".into()), ..Identity::default() };
        let other =
            Bound::to_request("tools/call", "get", "d1", arguments.as_object().unwrap(), &other);
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
