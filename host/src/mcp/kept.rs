//! Replies that hold something until they are sent, or given up.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt as _;
use http_body_util::combinators::BoxBody;

/// The same body, which holds `what` until it is dropped.
pub(crate) fn kept<T: Send + Sync + Unpin + 'static>(
    body: BoxBody<Bytes, Infallible>,
    what: T,
) -> BoxBody<Bytes, Infallible> {
    Kept { body, _what: what }.boxed()
}

/// A body with something that lasts as long.
struct Kept<T> {
    body: BoxBody<Bytes, Infallible>,
    _what: T,
}

impl<T: Unpin> Body for Kept<T> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
