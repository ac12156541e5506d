//! One request, from its head to its reply.
//!
//! What costs least is asked first: the path, the name and the page, who it is, their share, the body.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_REQUEST_HEADERS, ALLOW, CONNECTION, CONTENT_TYPE,
    ORIGIN, RETRY_AFTER,
};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use tokio::sync::watch;

use super::auth::Auth;
use super::bodies::{Bodies, Held};
use super::guard::Guard;
use super::shares::{Going, Shares, Spent};
use crate::host::Host;
use crate::mcp::{OverHttp, Reply, Said, kept, refuse};

/// Where clients speak MCP.
pub(super) const PATH: &str = "/mcp";

/// All that answers.
pub(super) struct Endpoint {
    pub(super) host: Arc<Host>,
    pub(super) mcp: OverHttp,
    pub(super) guard: Guard,
    pub(super) auth: Auth,
    pub(super) shares: Arc<Shares>,
    pub(super) bodies: Bodies,
    /// Whether the server ends.
    pub(super) ending: watch::Receiver<bool>,
    /// Held by each request that is to be finished before it does.
    pub(super) unfinished: Arc<()>,
}

/// What goes on until a reply is whole.
struct Pending {
    _going: Going,
    _held: Option<Held>,
    _unfinished: Option<Arc<()>>,
}

impl Endpoint {
    /// The reply to a request that comes from `address`.
    pub(super) async fn answer(&self, request: Request<Incoming>, address: IpAddr) -> Reply {
        let mut reply = match (request.method(), request.uri().path()) {
            (&Method::GET | &Method::HEAD, "/health") => text(StatusCode::OK, "ok\n"),
            (&Method::GET | &Method::HEAD, "/ready") => self.ready(),
            (_, PATH) => self.guarded(request, address).await,
            (_, path) => match self.auth.metadata(path) {
                Some(document) => said_of_auth(document),
                None => {
                    let message = format!("there is nothing at this path; MCP is at {PATH}");
                    refuse(StatusCode::NOT_FOUND, -32000, &message)
                }
            },
        };
        if self.ends() {
            // Another server may answer the next one.
            reply.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        reply
    }

    fn ends(&self) -> bool {
        *self.ending.borrow()
    }

    /// Whether this is a server to send clients to.
    fn ready(&self) -> Reply {
        match (self.ends(), self.host.is_ready()) {
            (true, _) => text(StatusCode::SERVICE_UNAVAILABLE, "ending\n"),
            (false, false) => text(StatusCode::SERVICE_UNAVAILABLE, "loading\n"),
            (false, true) => text(StatusCode::OK, "ready\n"),
        }
    }

    async fn guarded(&self, request: Request<Incoming>, address: IpAddr) -> Reply {
        if let Err(refused) = self.guard.check(request.uri(), request.headers()) {
            return *refused;
        }
        let origin = request.headers().get(ORIGIN).cloned();
        let mut reply = match *request.method() {
            Method::OPTIONS => told(request.headers()),
            Method::GET | Method::POST | Method::DELETE => {
                self.known(request, address).await.unwrap_or_else(|refused| *refused)
            }
            _ => {
                let mut reply =
                    refuse(StatusCode::METHOD_NOT_ALLOWED, -32000, "this takes GET, POST, DELETE");
                reply.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, POST, DELETE"));
                reply
            }
        };
        Guard::share(&mut reply, origin.as_ref());
        reply
    }

    async fn known(
        &self,
        request: Request<Incoming>,
        address: IpAddr,
    ) -> Result<Reply, Box<Reply>> {
        if self.ends() {
            let message = "this server is ending; ask another one, or this one again later";
            return Err(Box::new(refuse(StatusCode::SERVICE_UNAVAILABLE, -32000, message)));
        }
        let caller = self.auth.caller(request.headers(), address).await?;
        let going = self.shares.begin(&caller.client).map_err(spent)?;
        let (mut head, body) = request.into_parts();
        // Whoever is further inside needs no token.
        head.headers.remove(http::header::AUTHORIZATION);
        if head.method != Method::POST {
            let request = Request::from_parts(head, Bytes::new());
            let reply = self.mcp.answer(request, None, &caller).await;
            let pending = Arc::new(Pending { _going: going, _held: None, _unfinished: None });
            return Ok(until_whole(reply, pending));
        }
        let (body, held) = self.bodies.read(body).await?;
        let mut request = Request::from_parts(head, body);
        let said = Said::read(&request)?;
        if let Some(lacking) = self.auth.lacking(&caller, &said, &self.host.catalog()) {
            return Err(Box::new(lacking));
        }
        let unfinished = (!said.listens()).then(|| self.unfinished.clone());
        let pending =
            Arc::new(Pending { _going: going, _held: Some(held), _unfinished: unfinished });
        if !said.begins() && !said.listens() {
            // A session's call goes on when its connection breaks, and takes its share as long.
            request.extensions_mut().insert(pending.clone());
        }
        let reply = self.mcp.answer(request, Some(said), &caller).await;
        Ok(until_whole(reply, pending))
    }
}

/// The same reply, which keeps `pending` as long as it is being sent.
fn until_whole(reply: Reply, pending: Arc<Pending>) -> Reply {
    reply.map(|body| kept(body, pending))
}

fn spent(spent: Spent) -> Box<Reply> {
    let (message, seconds) = match spent {
        Spent::Often(wait) => (
            "this client asks too often (`http.limits.client_requests_per_second_max`)",
            wait.as_secs() + 1,
        ),
        Spent::Many => {
            ("too many requests of this client go on (`http.limits.client_requests_max`)", 1)
        }
    };
    let mut reply = refuse(StatusCode::TOO_MANY_REQUESTS, -32000, message);
    reply.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    Box::new(reply)
}

/// Where tokens come from, which anybody may know.
fn said_of_auth(document: &serde_json::Value) -> Reply {
    let mut reply = text(StatusCode::OK, "");
    *reply.body_mut() = Full::new(Bytes::from(document.to_string())).boxed();
    let headers = reply.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    reply
}

/// What a browser asks before it sends a request.
fn told(headers: &HeaderMap) -> Reply {
    let mut reply = text(StatusCode::NO_CONTENT, "");
    Guard::tell(&mut reply, headers.get(ACCESS_CONTROL_REQUEST_HEADERS));
    reply
}

fn text(status: StatusCode, text: &'static str) -> Reply {
    let body = Full::new(Bytes::from_static(text.as_bytes()));
    let mut reply = Response::new(body.map_err(|never: Infallible| match never {}).boxed());
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    reply
}
