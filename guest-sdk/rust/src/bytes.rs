//! Bytes as JSON can carry them.

use std::borrow::Cow;
use std::ops::Deref;

use base64::Engine as _;
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes, in JSON a base64 string (a `Vec<u8>` is an array of numbers).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bytes(pub Vec<u8>);

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl<T: Into<Vec<u8>>> From<T> for Bytes {
    fn from(bytes: T) -> Self {
        Self(bytes.into())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Written as it is encoded: the text is nowhere beside the result.
        serializer.collect_str(&Base64Display::new(&self.0, &STANDARD))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD
            .decode(text)
            .map(Self)
            .map_err(|error| D::Error::custom(format_args!("no base64: {error}")))
    }
}

impl JsonSchema for Bytes {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Bytes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "contentEncoding": "base64" })
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn bytes_are_base64_in_both_directions() {
        let bytes = Bytes::from([0, 255, 62]);
        let text = serde_json::to_string(&bytes).unwrap();
        assert_eq!(text, r#""AP8+""#);
        assert_eq!(serde_json::from_str::<Bytes>(&text).unwrap(), bytes);
    }

    #[test]
    fn text_that_is_no_base64_is_refused() {
        let error = serde_json::from_str::<Bytes>(r#""AP8""#).unwrap_err();
        assert!(error.to_string().starts_with("no base64: "), "{error}");
    }
}
