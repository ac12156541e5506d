//! One request and its response over one connection.
//!
//! A connection is used once and lives in the futures that are returned, so that it is closed when
//! they are dropped with the call.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;

use http::{Request, Response, StatusCode, Uri};
use hyper::body::Incoming;
use hyper::client::conn::http1::{Builder, Connection};
use hyper_util::rt::TokioIo;
use wasmtime_wasi_http::{Error, Result};

use super::body::Metered;
use super::connect::Stream;
use super::fault;
use super::timing::{Patience, within};

/// What goes on of a connection while the body of a response is read.
pub(super) struct Rest(Option<Connection<TokioIo<Stream>, Metered>>);

/// Bytes of a response's status line and headers.
pub(super) const HEADER_BYTES_MAX: usize = 64 << 10;
/// Headers of a response.
const HEADERS_MAX: usize = 128;

/// Sends `request` over `stream` and waits for the head of the response.
///
/// # Errors
/// When there is none in time, or none that can be read.
pub(super) async fn exchange(
    stream: Stream,
    mut request: Request<Metered>,
    patience: &Patience,
) -> Result<(Response<Incoming>, Rest)> {
    let by = patience.first_byte_by();
    // Scheme and host are for proxies (RFC 9112, 3.2.1).
    *request.uri_mut() = match request.uri().path_and_query() {
        Some(path) => Uri::from(path.clone()),
        None => Uri::default(),
    };
    let answering = async {
        let (mut sender, connection) = Builder::new()
            .max_buf_size(HEADER_BYTES_MAX)
            .max_headers(HEADERS_MAX)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| fault::of_hyper(&error))?;
        let mut rest = Rest(Some(connection));
        let response = rest.answer(sender.send_request(request)).await?;
        Ok((response, rest))
    };
    let (response, rest) = within(by, Error::ConnectionReadTimeout, answering).await?;
    // Nobody asked for another protocol.
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        return Err(Error::HttpProtocolError);
    }
    Ok((response, rest))
}

impl Rest {
    /// Keeps the connection going until `sending` has its response.
    async fn answer(
        &mut self,
        sending: impl Future<Output = hyper::Result<Response<Incoming>>>,
    ) -> Result<Response<Incoming>> {
        let mut sending = pin!(sending);
        poll_fn(|context| {
            let mut ended = None;
            if let Some(connection) = &mut self.0
                && let Poll::Ready(result) = Pin::new(connection).poll(context)
            {
                self.0 = None;
                ended = Some(result);
            }
            Poll::Ready(match (sending.as_mut().poll(context), ended) {
                (Poll::Ready(Ok(response)), None | Some(_)) => Ok(response),
                (Poll::Ready(Err(_)) | Poll::Pending, Some(Err(error)))
                | (Poll::Ready(Err(error)), Some(Ok(())) | None) => Err(fault::of_hyper(&error)),
                (Poll::Pending, Some(Ok(()))) => Err(Error::ConnectionTerminated),
                (Poll::Pending, None) => return Poll::Pending,
            })
        })
        .await
    }

    /// Keeps the connection going until both bodies are through. What fails then fails in them.
    pub(super) async fn drive(self, patience: Patience) {
        let Some(connection) = self.0 else {
            return;
        };
        match tokio::time::timeout_at(patience.deadline(), connection).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!("a connection of a component: {error}"),
            Err(_) => tracing::debug!("a connection of a component ended with its call"),
        }
    }
}
