//! Calls of which rmcp has nothing to say. They are made where they were read: `request` is of HTTP; over
//! stdio `calls` takes them out of the `lines`.
//!
//! Only what is right in every way is taken. All else is left to rmcp, which decides and words every refusal.

mod calls;
mod lines;
mod request;

use rmcp::model::{
    CallToolRequestParams, ErrorData, JsonRpcMessage, ProtocolVersion, RequestId,
    RequestMetaObject, ServerResult,
};
use rmcp::service::{Peer, RoleServer};
use serde::Deserialize;

use super::answered::answered;
use super::aside::Aside;
use super::era::Beside;
use super::tools;
use crate::host::Host;

pub(super) use calls::Calls;
pub(super) use lines::Lines;
pub(super) use request::{read, reply};

/// A call, and what it says of its client.
pub(super) struct Plain {
    id: RequestId,
    params: CallToolRequestParams,
    meta: RequestMetaObject,
}

/// What a call came to, as JSON text, and the error that it is.
struct Made {
    text: Vec<u8>,
    error: Option<ErrorData>,
}

/// The version whose calls say all of their client.
const VERSION: ProtocolVersion = ProtocolVersion::V_2026_07_28;
const METHOD: &str = "tools/call";
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

impl Plain {
    /// The call that a message is, if it is one of these.
    fn parse(message: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Message<'a> {
            jsonrpc: &'a str,
            id: RequestId,
            method: &'a str,
            params: CallToolRequestParams,
        }
        let Message { jsonrpc, id, method, mut params } = serde_json::from_slice(message).ok()?;
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
        let (message, error) = match answered(made).await {
            Ok(response) => {
                let mut result = ServerResult::from(response);
                // Who is not asked by requests is of 2026-07-28.
                if peer.is_some() {
                    result.strip_result_type_for_legacy_peer();
                }
                (JsonRpcMessage::response(result, id), None)
            }
            Err(error) => (JsonRpcMessage::error(error.clone(), Some(id)), Some(error)),
        };
        Ok(Made { text: aside.written(&message)?, error })
    }
}
