//! The door to the port: connections in, and the end of them all.
//!
//! A connection that fails, stops or floods costs itself alone.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::at_once::AtOnce;
use super::auth::Auth;
use super::bodies::Bodies;
use super::connections::{Connections, Open};
use super::endpoint::{Endpoint, PATH};
use super::guard::Guard;
use super::shares::Shares;
use crate::config::HttpConfig;
use crate::host::Host;
use crate::mcp::{OverHttp, kept};

/// Bytes of a request's head.
const HEAD_BYTES_MAX: usize = 64 << 10;
/// Headers of a request.
const HEADERS_MAX: usize = 100;
/// For how long connections without requests may take to end.
const CLOSING_MAX: Duration = Duration::from_secs(1);
/// How long to wait when the system gives no connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A server at a port.
pub(crate) struct Listener {
    listener: TcpListener,
    address: SocketAddr,
    endpoint: Arc<Endpoint>,
    connections: Arc<Connections>,
    ending: watch::Sender<bool>,
    read_deadline: Duration,
    shutdown_deadline: Duration,
}

/// How the end of a server was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Every call came to its end.
    Finished,
    /// Calls were left.
    Late,
}

impl Listener {
    /// Opens the port at `address`.
    ///
    /// # Errors
    /// When it is for others than this machine, and anybody could call; or it cannot be opened.
    #[expect(clippy::disallowed_methods, reason = "this is the door")]
    pub(crate) async fn open(
        host: Arc<Host>,
        config: &HttpConfig,
        address: SocketAddr,
    ) -> anyhow::Result<Self> {
        let auth = Auth::new(config);
        if !auth.is_wanted() && !address.ip().is_loopback() {
            if !config.allow_unauthenticated {
                anyhow::bail!(
                    "anybody who reaches {address} could call the tools; add `[http.tokens.NAME]` \
                     or `[http.oauth]` to the config, listen at 127.0.0.1, or say \
                     --allow-unauthenticated"
                );
            }
            tracing::warn!("anybody who reaches {address} may call the tools");
        }
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen at {address}; name a port that is free"))?;
        let address = listener.local_addr().context("the port has no address")?;
        let limits = &config.limits;
        let (ending, seen) = watch::channel(false);
        let endpoint = Endpoint {
            mcp: OverHttp::new(host.clone(), limits),
            host,
            guard: Guard::new(config, address),
            auth,
            shares: Shares::new(limits),
            bodies: Bodies::new(limits),
            ending: seen,
            unfinished: Arc::default(),
        };
        Ok(Self {
            listener,
            address,
            endpoint: Arc::new(endpoint),
            connections: Connections::new(limits.connections_max),
            ending,
            read_deadline: Duration::from_millis(limits.read_deadline_ms),
            shutdown_deadline: Duration::from_millis(limits.shutdown_deadline_ms),
        })
    }

    /// Where clients find it.
    pub(crate) fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }

    /// Answers for ever.
    pub(crate) async fn serve(&self) -> Infallible {
        let accept = async {
            loop {
                match self.listener.accept().await {
                    Ok((stream, peer)) => self.take(stream, peer),
                    Err(error) => {
                        tracing::debug!("no connection: {error}");
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                    }
                }
            }
        };
        self.endpoint.auth.prepare();
        tokio::select! {
            never = accept => never,
            never = self.endpoint.mcp.tidy() => never,
        }
    }

    fn take(&self, stream: TcpStream, peer: SocketAddr) {
        let Some(open) = self.connections.open() else {
            tracing::warn!(%peer, "a connection is closed: there are as many as may be");
            return;
        };
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%peer, "{error}");
        }
        let (endpoint, deadline) = (self.endpoint.clone(), self.read_deadline);
        let ending = self.ending.subscribe();
        tokio::spawn(connection(stream, peer, open, endpoint, deadline, ending));
    }

    /// Takes no more, waits for the calls that run, and closes. `at_once` ends the waiting.
    pub(crate) async fn end(self, at_once: impl Future<Output = ()>) -> Ended {
        drop(self.listener);
        self.ending.send_replace(true);
        let finished = async {
            // One is the endpoint's own.
            while Arc::strong_count(&self.endpoint.unfinished) > 1 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let ended = tokio::select! {
            () = finished => Ended::Finished,
            () = tokio::time::sleep(self.shutdown_deadline) => Ended::Late,
            () = at_once => Ended::Late,
        };
        self.endpoint.mcp.end();
        let closed = async {
            // One is the endpoint's own; every connection has another.
            while self.ending.receiver_count() > 1 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let _ = tokio::time::timeout(CLOSING_MAX, closed).await;
        ended
    }
}

/// Serves one connection to its end.
async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    open: Open,
    endpoint: Arc<Endpoint>,
    read_deadline: Duration,
    mut ending: watch::Receiver<bool>,
) {
    let open = Arc::new(open);
    let ends = open.ends.clone();
    let answer = service_fn(|request| {
        let (endpoint, serving) = (endpoint.clone(), open.serve());
        async move {
            let reply = endpoint.answer(request, peer.ip()).await;
            Ok::<_, Infallible>(reply.map(|body| kept(body, serving)))
        }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(read_deadline)
        .max_buf_size(HEAD_BYTES_MAX)
        .max_headers(HEADERS_MAX)
        .serve_connection(TokioIo::new(stream), answer);
    let mut serving = std::pin::pin!(serving);
    let told = async {
        let _ = ending.wait_for(|ending| *ending).await;
    };
    let served = tokio::select! {
        served = AtOnce::new(serving.as_mut()) => served,
        () = ends.cancelled() => return,
        () = told => {
            serving.as_mut().graceful_shutdown();
            AtOnce::new(serving).await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%peer, "a connection ended: {error}");
    }
}
