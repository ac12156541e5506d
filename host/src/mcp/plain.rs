//! Calls over HTTP of which rmcp has nothing to say: of 2026-07-28, by clients that want to hear nothing
//! meanwhile. They are made where their request was read, without a session that lasts for one message.
//!
//! Only what is right in every way is taken. All else is left to rmcp, which decides and words every refusal.

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use rmcp::model::{
    CallToolRequestParams, ErrorCode, ErrorData, JsonRpcMessage, ProtocolVersion, RequestId,
    RequestMetaObject, ServerResult,
};
use serde::Deserialize;

use super::answered::answered;
use super::aside::Aside;
use super::era::Beside;
use super::{Reply, refuse, tools};
use crate::call::Identity;
use crate::host::Host;

/// A call, and what it says of its client.
pub(super) struct Plain {
    id: RequestId,
    params: CallToolRequestParams,
    meta: RequestMetaObject,
}

/// The version whose calls these are.
const VERSION: ProtocolVersion = ProtocolVersion::V_2026_07_28;
const METHOD: &str = "tools/call";
/// Members of `_meta` with which a client wants to be told something before the reply.
const TOLD: [&str; 2] = ["progressToken", "io.modelcontextprotocol/logLevel"];

impl Plain {
    /// The call that a request makes, if it is one of these.
    pub(super) fn read(request: &Request<Bytes>) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Message<'a> {
            jsonrpc: &'a str,
            id: RequestId,
            method: &'a str,
            params: CallToolRequestParams,
        }
        let headers = request.headers();
        if !has(headers, "mcp-method", METHOD) || !is_of_the_version(headers) {
            return None;
        }
        let Message { jsonrpc, id, method, mut params } =
            serde_json::from_slice(request.body()).ok()?;
        let meta = params.meta.take()?;
        let is_plain = jsonrpc == "2.0"
            && method == METHOD
            && has(headers, "mcp-name", &params.name)
            // What is encoded begins so (MCP 2026-07-28, standard headers).
            && !params.name.starts_with("=?")
            && meta.protocol_version() == Some(VERSION)
            && meta.missing_required_keys(&VERSION).is_empty()
            && !TOLD.iter().any(|member| meta.contains_key(*member));
        is_plain.then_some(Self { id, params, meta })
    }

    /// The tool.
    pub(super) fn tool(&self) -> &str {
        &self.params.name
    }

    /// Makes it, for `caller`. The reply.
    pub(super) async fn made(self, host: &Host, caller: Identity) -> Reply {
        let Self { id, params, meta } = self;
        tracing::debug!(tool = &*params.name, "a call");
        let aside = Aside::default();
        let beside = Beside::silent(&meta, caller);
        // Boxed: all around it is copied more than once.
        let made = Box::pin(tools::made(host, params, beside, None, Some(&aside)));
        let (status, message) = match answered(made).await {
            Ok(response) => {
                (StatusCode::OK, JsonRpcMessage::response(ServerResult::from(response), id))
            }
            Err(error) => (status(&error), JsonRpcMessage::error(error, Some(id))),
        };
        let Ok(text) = aside.written(&message) else {
            return refuse(
                StatusCode::INTERNAL_SERVER_ERROR,
                -32603,
                "the reply cannot be written",
            );
        };
        let mut reply = Response::new(Full::new(Bytes::from(text)).boxed());
        *reply.status_mut() = status;
        let kind = HeaderValue::from_static("application/json");
        reply.headers_mut().insert(CONTENT_TYPE, kind);
        reply
    }
}

/// Whether there is the header once, and with this value.
fn has(headers: &HeaderMap, header: &str, value: &str) -> bool {
    let mut values = headers.get_all(header).iter();
    values.next().is_some_and(|it| it.as_bytes() == value.as_bytes()) && values.next().is_none()
}

/// Whether headers say that this is JSON of the version, and that JSON and a stream would do as the reply.
fn is_of_the_version(headers: &HeaderMap) -> bool {
    let accepts = |kind: &str| {
        let accepted = headers.get(ACCEPT).and_then(|it| it.to_str().ok()).unwrap_or_default();
        // What is quoted may have commas in it.
        !accepted.contains('"')
            && accepted.split(',').any(|it| it.trim().eq_ignore_ascii_case(kind))
    };
    has(headers, "mcp-protocol-version", VERSION.as_str())
        && has(headers, CONTENT_TYPE.as_str(), "application/json")
        && accepts("application/json")
        && accepts("text/event-stream")
}

/// MCP 2026-07-28, Streamable HTTP: what a client lacks is said by the status as well.
fn status(error: &ErrorData) -> StatusCode {
    match error.code {
        ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn request(headers: &[(&str, &str)], body: &Value) -> Request<Bytes> {
        let mut request = Request::post("/mcp");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(body.to_string().into()).unwrap()
    }

    const HEADERS: [(&str, &str); 5] = [
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "add"),
        ("mcp-protocol-version", "2026-07-28"),
    ];

    fn body() -> Value {
        json!({
            "jsonrpc": "2.0",
            "id": "x",
            "method": "tools/call",
            "params": {
                "name": "add",
                "arguments": { "a": 1 },
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": { "roots": {} },
                    "com.example/own": 1,
                },
            },
        })
    }

    #[test]
    fn a_call_is_taken_as_clients_write_it() {
        let call = Plain::read(&request(&HEADERS, &body())).unwrap();
        assert_eq!(call.tool(), "add");
        assert_eq!(call.id, RequestId::String("x".into()));
        let accept = ("Accept", "Text/Event-Stream,application/json , */*");
        let others = [[accept].as_slice(), &HEADERS[1..]].concat();
        assert!(Plain::read(&request(&others, &body())).is_some());
    }

    #[test]
    fn a_header_that_is_not_as_it_should_be_is_not_for_us() {
        for at in 0..HEADERS.len() {
            let mut without = HEADERS.to_vec();
            let (name, value) = without.remove(at);
            assert!(Plain::read(&request(&without, &body())).is_none(), "no {name}");
            let other = [without.as_slice(), &[(name, "other")]].concat();
            assert!(Plain::read(&request(&other, &body())).is_none(), "another {name}");
            if name != "accept" {
                let twice = [without.as_slice(), &[(name, value), (name, value)]].concat();
                assert!(Plain::read(&request(&twice, &body())).is_none(), "{name} twice");
            }
        }
        for accept in
            ["application/json", "text/event-stream", "application/json;q=0, text/event-stream"]
        {
            let wrong = [[("accept", accept)].as_slice(), &HEADERS[1..]].concat();
            assert!(Plain::read(&request(&wrong, &body())).is_none(), "{accept}");
        }
    }

    #[test]
    fn a_message_that_says_more_or_less_is_not_for_us() {
        let wrong: [(&str, &dyn Fn(&mut Value)); 12] = [
            ("no id", &|it| drop(it.as_object_mut().unwrap().remove("id"))),
            ("null", &|it| it["id"] = Value::Null),
            ("another version of JSON-RPC", &|it| it["jsonrpc"] = json!("2")),
            ("another method", &|it| it["method"] = json!("tools/list")),
            ("another member", &|it| it["more"] = json!(1)),
            ("another tool", &|it| it["params"]["name"] = json!("sub")),
            ("no arguments", &|it| it["params"]["arguments"] = json!([1])),
            ("no params", &|it| it["params"] = json!(["add"])),
            ("nothing of the client", &|it| it["params"]["_meta"] = json!({})),
            ("another era", &|it| {
                it["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] =
                    json!("2025-11-25");
            }),
            ("progress", &|it| it["params"]["_meta"]["progressToken"] = json!(1)),
            ("log lines", &|it| {
                it["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("info");
            }),
        ];
        for (what, edit) in wrong {
            let mut body = body();
            edit(&mut body);
            assert!(Plain::read(&request(&HEADERS, &body)).is_none(), "{what}");
        }
    }

    #[test]
    fn a_name_that_could_be_encoded_is_not_for_us() {
        let name = "=?base64?YWRk?=";
        let mut body = body();
        body["params"]["name"] = json!(name);
        let headers =
            HEADERS.map(|(key, value)| (key, if key == "mcp-name" { name } else { value }));
        assert!(Plain::read(&request(&headers, &body)).is_none());
    }
}
