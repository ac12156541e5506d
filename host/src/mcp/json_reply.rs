//! A stream of one message is that message.
//!
//! rmcp answers within sessions with streams; where the first event is the answer, nothing streams.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Response};
use http_body::{Body, Frame, SizeHint};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::Reply;

/// The reply to one request, as JSON if its first event is the answer.
pub(super) async fn plain(reply: Reply) -> Reply {
    let streams = reply.headers().get(CONTENT_TYPE);
    if streams.is_none_or(|kind| !kind.as_bytes().starts_with(b"text/event-stream")) {
        return reply;
    }
    let (mut parts, mut body) = reply.into_parts();
    let Some(Ok(first)) = body.frame().await else {
        return Response::from_parts(parts, body);
    };
    if let Some(answer) = first.data_ref().and_then(answer) {
        parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        parts.headers.remove(CACHE_CONTROL);
        parts.headers.remove("x-accel-buffering");
        return Response::from_parts(parts, Full::new(answer).boxed());
    }
    Response::from_parts(parts, Begun { first: Some(first), rest: body }.boxed())
}

/// The message of the event, if it is an answer.
fn answer(event: &Bytes) -> Option<Bytes> {
    #[derive(Deserialize)]
    struct Message {
        method: Option<IgnoredAny>,
    }
    let mut data =
        event.split(|byte| *byte == b'\n').filter_map(|line| line.strip_prefix(b"data:"));
    let (Some(data), None) = (data.next(), data.next()) else { return None };
    let data = data.trim_ascii_start();
    let message: Message = serde_json::from_slice(data).ok()?;
    message.method.is_none().then(|| event.slice_ref(data))
}

/// A stream whose first frame was looked at.
struct Begun {
    first: Option<Frame<Bytes>>,
    rest: BoxBody<Bytes, Infallible>,
}

impl Body for Begun {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(Ok(first))),
            None => Pin::new(&mut self.rest).poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.first.is_none() && self.rest.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}
