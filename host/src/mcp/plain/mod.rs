//! Calls of which rmcp has nothing to say. They are made where they were read: `request` is of HTTP; over
//! stdio `calls` takes them out of the `lines`.
//!
//! Only what is right in every way is taken. All else is left to rmcp, which decides and words every refusal.

mod calls;
mod lines;
mod request;

use std::fmt;
use std::marker::PhantomData;

use rmcp::model::{
    CallToolRequestParams, ErrorCode, JsonRpcMessage, ProtocolVersion, RequestId,
    RequestMetaObject, ServerResult,
};
use rmcp::service::{Peer, RoleServer};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::answered::answered;
use super::aside::Aside;
use super::era::Beside;
use super::tools;
use crate::host::Host;

pub(super) use calls::{Calls, Ending};
pub(super) use lines::Lines;
pub(super) use request::{read, reply};

/// A call, and what it says of its client.
pub(super) struct Plain {
    id: RequestId,
    params: CallToolRequestParams,
    meta: RequestMetaObject,
}

/// What a call came to, as JSON text, and the code of the error that it is.
struct Made {
    text: Vec<u8>,
    code: Option<ErrorCode>,
}

/// The version whose calls say all of their client.
const VERSION: ProtocolVersion = ProtocolVersion::V_2026_07_28;
const METHOD: &str = "tools/call";
/// What members of `_meta` begin with that say something of the client.
const META_OF_MCP: &str = "io.modelcontextprotocol/";

impl Plain {
    /// The call that a message is, if it is one of these.
    fn parse(message: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Message<'a> {
            jsonrpc: &'a str,
            id: RequestId,
            method: &'a str,
            params: Object<CallToolRequestParams>,
        }
        let Message { jsonrpc, id, method, params: Object(mut params) } = object(message)?;
        let meta = params.meta.take().unwrap_or_default();
        let is_plain = jsonrpc == "2.0" && method == METHOD;
        is_plain.then_some(Self { id, params, meta })
    }

    pub(super) fn id(&self) -> &RequestId {
        &self.id
    }

    /// The tool.
    pub(super) fn tool(&self) -> &str {
        &self.params.name
    }

    /// Whether it says all of its client, as those of 2026-07-28 do.
    fn is_whole(&self) -> bool {
        self.meta.protocol_version() == Some(VERSION)
            && self.meta.missing_required_keys(&VERSION).is_empty()
    }

    /// Whether it says nothing of its client, as those of sessions do.
    fn is_bare(&self) -> bool {
        !self.meta.keys().any(|member| member.starts_with(META_OF_MCP))
    }

    /// Makes it. A client that shook hands is its `peer`.
    async fn made(
        self,
        host: &Host,
        beside: Beside,
        peer: Option<&Peer<RoleServer>>,
    ) -> serde_json::Result<Made> {
        let Self { id, params, .. } = self;
        tracing::debug!(tool = &*params.name, "a call");
        let aside = Aside::default();
        // Boxed: all around it is copied more than once.
        let made = Box::pin(tools::made(host, params, beside, peer, Some(&aside)));
        let (message, code) = match answered(made).await {
            Ok(response) => {
                let mut result = ServerResult::from(response);
                // Who is not asked by requests is of 2026-07-28.
                if peer.is_some() {
                    result.strip_result_type_for_legacy_peer();
                }
                (JsonRpcMessage::response(result, id), None)
            }
            Err(error) => {
                let code = error.code;
                (JsonRpcMessage::error(error, Some(id)), Some(code))
            }
        };
        Ok(Made { text: aside.written(&message)?, code })
    }
}

/// What is written as an object. Of a struct serde takes an array of its members as well.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members(PhantomData))
    }
}

struct Members<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
    type Value = Object<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members)).map(Object)
    }
}

/// The object that a message is.
fn object<'de, T: Deserialize<'de>>(message: &'de [u8]) -> Option<T> {
    let text = std::str::from_utf8(message).ok()?;
    serde_json::from_str(text).ok().map(|Object(object)| object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_object_is_no_call() {
        let right = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}"#;
        assert!(Plain::parse(right.as_bytes()).is_some());
        for wrong in [
            r#"["2.0",1,"tools/call",{"name":"a"}]"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[null,"a",{},null,null]}"#,
            r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}]"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}} 1"#,
        ] {
            assert!(Plain::parse(wrong.as_bytes()).is_none(), "{wrong}");
        }
        let mut other = right.replace(r#""a"}"#, r#""a","x":"?"}"#).into_bytes();
        assert!(Plain::parse(&other).is_some());
        let at = other.iter().position(|byte| *byte == b'?').unwrap();
        other[at] = 0xff;
        assert!(Plain::parse(&other).is_none(), "this is not UTF-8");
    }
}
