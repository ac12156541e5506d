//! Bodies as they flow: counted, and waited for no longer than is meant.
//!
//! Nothing passes that is not paid for first.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use tokio::time::Sleep;
use wasmtime_wasi_http::{Error, Result, WasiBody};

use super::allowance::Allowance;
use super::fault;
use super::timing::Patience;

/// A body whose bytes are taken from an allowance.
pub(super) struct Metered {
    body: WasiBody,
    allowance: Arc<Allowance>,
    too_large: fn(Option<u64>) -> Error,
    ended: bool,
}

impl Metered {
    /// The body of a request.
    pub(super) fn request(body: WasiBody, allowance: &Arc<Allowance>) -> Self {
        let allowance = allowance.clone();
        Self { body, allowance, too_large: Error::HttpRequestBodySize, ended: false }
    }

    /// The body of a response.
    pub(super) fn response(body: WasiBody, allowance: &Arc<Allowance>) -> Self {
        let allowance = allowance.clone();
        Self { body, allowance, too_large: Error::HttpResponseBodySize, ended: false }
    }
}

impl Body for Metered {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let Some(frame) = ready!(Pin::new(&mut self.body).poll_frame(context)) else {
            return Poll::Ready(None);
        };
        let bytes = frame.as_ref().ok().and_then(Frame::data_ref).map_or(0, Bytes::len);
        if let Err(exceeded) = self.allowance.take_bytes(bytes) {
            self.ended = true;
            return Poll::Ready(Some(Err((self.too_large)(Some(exceeded.0)))));
        }
        Poll::Ready(Some(frame))
    }

    fn is_end_stream(&self) -> bool {
        self.ended || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of a response whose next part is waited for only so long.
pub(super) struct Paced {
    body: Incoming,
    patience: Patience,
    alarm: Pin<Box<Sleep>>,
}

impl Paced {
    pub(super) fn new(body: Incoming, patience: Patience) -> Self {
        let alarm = Box::pin(tokio::time::sleep_until(patience.next_bytes_by()));
        Self { body, patience, alarm }
    }
}

impl Body for Paced {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            let by = self.patience.next_bytes_by();
            self.alarm.as_mut().reset(by);
            return Poll::Ready(frame.map(|frame| frame.map_err(|error| fault::of_hyper(&error))));
        }
        ready!(self.alarm.as_mut().poll(context));
        Poll::Ready(Some(Err(Error::ConnectionReadTimeout)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
