//! MCP over Streamable HTTP: both eras at one endpoint.
//!
//! Whoever sends something here was let in before; what comes here is a whole request.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ALLOW, CONTENT_TYPE};
use http::{Method, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;
use tower_service::Service as _;

use super::aside::Aside;
use super::plain::{self, Plain};
use super::server::Server;
use super::sessions::{Entered, Room, Sessions, Starting};
use super::{Said, json_reply, kept, refuse};
use crate::call::Identity;
use crate::config::HttpLimits;
use crate::host::Host;

/// What goes back.
pub(crate) type Reply = Response<BoxBody<Bytes, Infallible>>;

/// The header that names a session.
const SESSION: &str = "mcp-session-id";

/// What answers.
pub(crate) struct OverHttp {
    host: Arc<Host>,
    first: Arc<Server>,
    service: StreamableHttpService<Server, LocalSessionManager>,
    manager: Arc<LocalSessionManager>,
    sessions: Arc<Sessions>,
    idle: Duration,
    ends: CancellationToken,
}

impl OverHttp {
    pub(crate) fn new(host: Arc<Host>, limits: &HttpLimits) -> Self {
        let mut manager = LocalSessionManager::default();
        // When a session ends is said by `Sessions`: rmcp's would end under an open stream.
        manager.session_config.keep_alive = None;
        manager.session_config.sse_retry = None;
        manager.session_config.completed_cache_ttl = Duration::ZERO;
        let manager = Arc::new(manager);
        let ends = CancellationToken::new();
        // Host and Origin were looked at by `http::guard`, and the body was read there.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_sse_retry(None)
            .with_json_response(true)
            .with_max_request_body_bytes(limits.body_bytes_max)
            .with_cancellation_token(ends.clone());
        let first = Arc::new(Server::new(host.clone()));
        let of_first = first.clone();
        let another = move || Ok(of_first.for_another());
        Self {
            host,
            first,
            service: StreamableHttpService::new(another, manager.clone(), config),
            manager,
            sessions: Sessions::new(limits.sessions_max),
            idle: Duration::from_millis(limits.session_idle_ms),
            ends,
        }
    }

    /// The reply to a request of `caller`; `said` is what its body says, if it has one.
    pub(crate) async fn answer(
        &self,
        mut request: Request<Bytes>,
        mut said: Option<Said>,
        caller: &Identity,
    ) -> Reply {
        let session = request.headers().get(SESSION).and_then(|id| id.to_str().ok());
        let session = session.map(str::to_owned);
        let Some(session) = session else {
            let call = said.as_mut().and_then(Said::take_plain);
            let said = said.as_ref();
            if let Some(call) = call
                && let Some(reply) = self.made(call, said, caller).await
            {
                return reply;
            }
            request.extensions_mut().insert(caller.clone());
            return match said.filter(|said| said.begins()) {
                Some(said) => self.begin(request, said, caller).await,
                None => {
                    let aside = Aside::default();
                    request.extensions_mut().insert(aside.clone());
                    let reply = self.pass(request, said).await;
                    aside.put_into_reply(reply).await
                }
            };
        };
        let said = said.as_ref();
        request.extensions_mut().insert(caller.clone());
        let inside = match self.sessions.enter(&session, caller.principal.as_ref()) {
            Entered::Inside(inside) => Some(inside),
            Entered::Closed => return no_session(said),
            Entered::Unknown => None,
        };
        let ends = request.method() == Method::DELETE;
        let reply = self.pass(request, said).await;
        let is_there = self.manager.has_session(&session.as_str().into()).await;
        if inside.is_some() && (ends || !is_there.unwrap_or(false)) {
            self.sessions.forget(&session);
        }
        // The session is open as long as the reply is.
        reply.map(|body| kept(body, inside))
    }

    /// The reply to a call that is plain. None: rmcp has to look at it, after all.
    async fn made(&self, call: Plain, said: Option<&Said>, caller: &Identity) -> Option<Reply> {
        // Before that, nobody knows of the tool's headers.
        self.host.ready().await;
        if self.first.has_headers(call.tool()) {
            return None;
        }
        Some(tokio::select! {
            () = self.ends.cancelled() => {
                refusing(said, StatusCode::SERVICE_UNAVAILABLE, -32000, "this server has ended")
            }
            reply = plain::reply(call, &self.host, caller.clone()) => reply,
        })
    }

    /// The reply to the first request of a session.
    async fn begin(&self, request: Request<Bytes>, said: &Said, caller: &Identity) -> Reply {
        let starting = match self.sessions.room(&caller.client) {
            Room::Free(starting) => starting,
            Room::Of(starting, closed) => {
                // Whether or not its successor's client stays.
                let manager = self.manager.clone();
                tokio::spawn(async move { close(&manager, &closed).await });
                starting
            }
            Room::Full => {
                let message = "as many clients have sessions here as may (`sessions_max`); try \
                               again later";
                return said.refused(StatusCode::SERVICE_UNAVAILABLE, -32000, message);
            }
        };
        let reply = self.handled(request, Some(said)).await;
        self.note(&reply, starting, caller);
        json_reply::plain(reply).await
    }

    fn note(&self, reply: &Reply, starting: Starting, caller: &Identity) {
        if let Some(id) = reply.headers().get(SESSION).and_then(|id| id.to_str().ok()) {
            self.sessions.begun(starting, id.to_owned(), caller);
        }
    }

    async fn pass(&self, request: Request<Bytes>, said: Option<&Said>) -> Reply {
        let is_post = request.method() == Method::POST;
        let reply = self.handled(request, said).await;
        if is_post { json_reply::plain(reply).await } else { reply }
    }

    /// What rmcp says.
    async fn handled(&self, request: Request<Bytes>, said: Option<&Said>) -> Reply {
        let is_json = request.headers().get(CONTENT_TYPE).is_some_and(|kind| {
            kind.as_bytes().to_ascii_lowercase().starts_with(b"application/json")
        });
        if said.is_some_and(|said| said.tool().is_some()) {
            // rmcp compares `Mcp-Param` headers before it waits for anything, by the schema that it is
            // given then.
            self.host.ready().await;
        }
        let mut service = self.service.clone();
        let reply = match service.call(request.map(Full::new)).await {
            Ok(reply) => reply,
            Err(never) => match never {},
        };
        // rmcp takes JSON that is no message for something that is no JSON.
        if reply.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE && is_json {
            let (code, message) = match said.is_some_and(Said::is_malformed) {
                true => (-32602, "the parameters are no object"),
                false => (-32600, "this is no message of JSON-RPC 2.0 that MCP knows"),
            };
            return refusing(said, StatusCode::BAD_REQUEST, code, message);
        }
        if reply.status().as_u16() < 400 || is_json_reply(&reply) {
            return reply;
        }
        if reply.status() == StatusCode::NOT_FOUND {
            return no_session(said);
        }
        // Some refusals are plain text, which no client of JSON-RPC reads.
        let (parts, body) = reply.into_parts();
        let text = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
        let mut refused = refusing(said, parts.status, -32000, &String::from_utf8_lossy(&text));
        refused.headers_mut().extend(parts.headers.get(ALLOW).map(|allow| (ALLOW, allow.clone())));
        refused
    }

    /// Ends sessions that nothing is heard of.
    pub(crate) async fn tidy(&self) -> Infallible {
        let pause = (self.idle / 4).clamp(Duration::from_millis(20), Duration::from_secs(30));
        loop {
            tokio::time::sleep(pause).await;
            for id in self.sessions.idle(self.idle) {
                close(&self.manager, &id).await;
                self.sessions.forget(&id);
            }
        }
    }

    /// Ends all sessions and streams.
    pub(crate) fn end(&self) {
        self.ends.cancel();
    }
}

async fn close(manager: &LocalSessionManager, id: &str) {
    if let Err(error) = manager.close_session(&id.into()).await {
        tracing::debug!("a session did not end well: {error}");
    }
}

/// Clients begin anew when they read this.
fn no_session(said: Option<&Said>) -> Reply {
    let message = "there is no such session, or it has ended; begin with `initialize`";
    refusing(said, StatusCode::NOT_FOUND, -32001, message)
}

fn refusing(said: Option<&Said>, status: StatusCode, code: i32, message: &str) -> Reply {
    match said {
        Some(said) => said.refused(status, code, message),
        None => refuse(status, code, message),
    }
}

fn is_json_reply(reply: &Reply) -> bool {
    reply.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == "application/json")
}
