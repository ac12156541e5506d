//! What the body of a request says, as far as it must be known before it is read in whole.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::Reply;
use super::plain::{self, Plain};

/// The outlines of a message.
#[derive(Deserialize)]
pub(crate) struct Said {
    #[serde(default)]
    id: Id,
    method: Option<String>,
    #[serde(default)]
    params: Params,
    /// All of it, if it is a call that rmcp need not see.
    #[serde(skip)]
    plain: Option<Plain>,
}

impl Said {
    /// What the body of a request says.
    ///
    /// # Errors
    /// The reply, if it is no message.
    pub(crate) fn read(request: &Request<Bytes>) -> Result<Self, Box<Reply>> {
        if let Some(call) = plain::read(request) {
            let id = Id(serde_json::to_value(call.id()).unwrap_or_default());
            return Ok(Self { id, method: None, params: Params::default(), plain: Some(call) });
        }
        let body = request.body();
        let no_message = match serde_json::from_slice::<Self>(body) {
            Ok(said) if body.trim_ascii_start().starts_with(b"{") => return Ok(said),
            Ok(_) => None,
            Err(error) => Some(error),
        };
        let is_json = serde_json::from_slice::<IgnoredAny>(body).is_ok();
        let (code, message) = match no_message {
            Some(error) if !is_json => (-32700, format!("the body is not JSON: {error}")),
            _ if body.trim_ascii_start().starts_with(b"[") => {
                (-32600, "there are no batches here; send each message by itself".to_owned())
            }
            Some(error) => (-32600, format!("this is no message of JSON-RPC 2.0: {error}")),
            None => (-32600, "this is no message of JSON-RPC 2.0".to_owned()),
        };
        Err(Box::new(refused(StatusCode::BAD_REQUEST, &Id::default(), code, &message)))
    }

    /// The tool that is to be called.
    pub(crate) fn tool(&self) -> Option<&str> {
        if let Some(call) = &self.plain {
            return Some(call.tool());
        }
        let calls = self.method.as_deref() == Some("tools/call");
        self.params.name.as_deref().filter(|_| calls)
    }

    /// The call that rmcp need not see, if it is one.
    pub(super) fn take_plain(&mut self) -> Option<Plain> {
        self.plain.take()
    }

    /// Whether its parameters are nothing that a method takes.
    pub(super) fn is_malformed(&self) -> bool {
        self.params.is_malformed
    }

    /// Whether it begins a session.
    pub(crate) fn begins(&self) -> bool {
        self.method.as_deref() == Some("initialize")
    }

    /// Whether it waits for what may never happen.
    pub(crate) fn listens(&self) -> bool {
        self.method.as_deref() == Some("subscriptions/listen")
    }

    /// The reply that refuses it.
    pub(crate) fn refused(&self, status: StatusCode, code: i32, message: &str) -> Reply {
        refused(status, &self.id, code, message)
    }
}

/// The reply that refuses a request of which nothing is known.
pub(crate) fn refuse(status: StatusCode, code: i32, message: &str) -> Reply {
    refused(status, &Id::default(), code, message)
}

fn refused(status: StatusCode, id: &Id, code: i32, message: &str) -> Reply {
    let error = json!({ "code": code, "message": message });
    let body = json!({ "jsonrpc": "2.0", "id": id.0, "error": error }).to_string();
    let mut reply = Response::new(Full::new(Bytes::from(body)).boxed());
    *reply.status_mut() = status;
    let kind = HeaderValue::from_static("application/json");
    reply.headers_mut().insert(CONTENT_TYPE, kind);
    reply
}

/// The id of a request: a number or a text, or null where there is none.
#[derive(Default)]
struct Id(Value);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "an id that is a number or a text")]
        enum Legal {
            Text(String),
            Number(serde_json::Number),
            Null(()),
        }
        Ok(Self(match Legal::deserialize(deserializer)? {
            Legal::Text(text) => text.into(),
            Legal::Number(number) => number.into(),
            Legal::Null(()) => Value::Null,
        }))
    }
}

/// The one parameter that is looked for; whatever else there is is passed over.
#[derive(Default)]
struct Params {
    name: Option<String>,
    is_malformed: bool,
}

impl<'de> Deserialize<'de> for Params {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Looking)
    }
}

impl Params {
    /// What is no object.
    fn malformed() -> Self {
        Self { name: None, is_malformed: true }
    }
}

struct Looking;

impl<'de> Visitor<'de> for Looking {
    type Value = Params;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("parameters by their names")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Params, A::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Name {
            Text(String),
            Other(IgnoredAny),
        }
        let mut params = Params::default();
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            if key != "name" {
                map.next_value::<IgnoredAny>()?;
            } else if let Name::Text(name) = map.next_value()? {
                params.name = Some(name);
            }
        }
        Ok(params)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Params, A::Error> {
        IgnoredAny.visit_seq(seq).map(|_| Params::malformed())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Params, E> {
        Ok(Params::malformed())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Params, E> {
        Ok(Params::malformed())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Params, E> {
        Ok(Params::malformed())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Params, E> {
        Ok(Params::malformed())
    }

    fn visit_str<E>(self, _: &str) -> Result<Params, E> {
        Ok(Params::malformed())
    }

    fn visit_unit<E>(self) -> Result<Params, E> {
        Ok(Params::malformed())
    }
}
