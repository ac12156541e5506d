//! A plain call as a request over HTTP: of 2026-07-28, without a session, and by a client that wants to hear
//! nothing before the reply.

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use rmcp::model::ErrorCode;

use super::{METHOD, Plain, VERSION};
use crate::call::Identity;
use crate::host::Host;
use crate::mcp::era::{Beside, Requester};
use crate::mcp::{Reply, refuse};

/// Members of `_meta` with which a client wants to be told something before the reply.
const TOLD: [&str; 2] = ["progressToken", "io.modelcontextprotocol/logLevel"];

/// The call that a request makes, if it is one of these.
pub(in crate::mcp) fn read(request: &Request<Bytes>) -> Option<Plain> {
    let headers = request.headers();
    if !has(headers, "mcp-method", METHOD) || !is_of_the_version(headers) {
        return None;
    }
    let call = Plain::parse(request.body())?;
    // What is encoded begins so (MCP 2026-07-28, standard headers).
    let is_named = has(headers, "mcp-name", call.tool()) && !call.tool().starts_with("=?");
    let wants_more = TOLD.iter().any(|member| call.meta.contains_key(*member));
    (is_named && call.is_whole() && !wants_more).then_some(call)
}

/// Makes `call`, for `caller`. The reply.
pub(in crate::mcp) async fn reply(call: Plain, host: &Host, caller: Identity) -> Reply {
    let beside = Beside::silent(Requester {
        identity: caller,
        client: call.meta.client_capabilities().unwrap_or_default(),
        meta: &call.meta,
        is_stateless: true,
    });
    let Ok(made) = call.made(host, beside, None).await else {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        return refuse(status, -32603, "the reply cannot be written");
    };
    let mut reply = Response::new(Full::new(Bytes::from(made.text)).boxed());
    *reply.status_mut() = made.code.map_or(StatusCode::OK, status);
    let kind = HeaderValue::from_static("application/json");
    reply.headers_mut().insert(CONTENT_TYPE, kind);
    reply
}

/// Whether there is the header once, and with this value, which is ASCII.
fn has(headers: &HeaderMap, header: &str, value: &str) -> bool {
    let mut values = headers.get_all(header).iter();
    let is_it = |it: &HeaderValue| it.to_str().is_ok_and(|it| it == value);
    values.next().is_some_and(is_it) && values.next().is_none()
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
fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::RequestId;
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
        let call = read(&request(&HEADERS, &body())).unwrap();
        assert_eq!(call.tool(), "add");
        assert_eq!(call.id, RequestId::String("x".into()));
        let accept = ("Accept", "Text/Event-Stream,application/json , */*");
        let others = [[accept].as_slice(), &HEADERS[1..]].concat();
        assert!(read(&request(&others, &body())).is_some());
    }

    #[test]
    fn a_header_that_is_not_as_it_should_be_is_not_for_us() {
        for at in 0..HEADERS.len() {
            let mut without = HEADERS.to_vec();
            let (name, value) = without.remove(at);
            assert!(read(&request(&without, &body())).is_none(), "no {name}");
            let other = [without.as_slice(), &[(name, "other")]].concat();
            assert!(read(&request(&other, &body())).is_none(), "another {name}");
            if name != "accept" {
                let twice = [without.as_slice(), &[(name, value), (name, value)]].concat();
                assert!(read(&request(&twice, &body())).is_none(), "{name} twice");
            }
        }
        for accept in
            ["application/json", "text/event-stream", "application/json;q=0, text/event-stream"]
        {
            let wrong = [[("accept", accept)].as_slice(), &HEADERS[1..]].concat();
            assert!(read(&request(&wrong, &body())).is_none(), "{accept}");
        }
    }

    #[test]
    fn a_message_that_says_more_or_less_is_not_for_us() {
        type Edit<'a> = &'a dyn Fn(&mut Value);
        let wrong: [(&str, Edit<'_>); 12] = [
            ("no id", &|it| drop(it.as_object_mut().unwrap().remove("id"))),
            ("null", &|it| it["id"] = Value::Null),
            ("another version of JSON-RPC", &|it| it["jsonrpc"] = json!("2")),
            ("another method", &|it| it["method"] = json!("tools/list")),
            ("another member", &|it| it["more"] = json!(1)),
            ("another tool", &|it| it["params"]["name"] = json!("sub")),
            ("no arguments", &|it| it["params"]["arguments"] = json!([1])),
            ("no params", &|it| it["params"] = json!([null, "add", {}, null, null])),
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
            assert!(read(&request(&HEADERS, &body)).is_none(), "{what}");
        }
    }

    #[test]
    fn a_name_that_could_be_encoded_is_not_for_us() {
        let name = "=?base64?YWRk?=";
        let mut body = body();
        body["params"]["name"] = json!(name);
        let headers =
            HEADERS.map(|(key, value)| (key, if key == "mcp-name" { name } else { value }));
        assert!(read(&request(&headers, &body)).is_none());
    }
}
