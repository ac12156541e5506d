//! The bodies of requests: whole, in time, and not too large, each and together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::StatusCode;
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;

use crate::config::HttpLimits;
use crate::mcp::{Reply, refuse};

/// Of a body that is too large, so many times what one may have is read.
const DRAINED: usize = 8;

/// The bytes of all bodies that are there.
pub(super) struct Bodies {
    bytes: Arc<AtomicUsize>,
    body_bytes_max: usize,
    bodies_bytes_max: usize,
    deadline: Duration,
}

/// What a body takes, until it is dropped.
pub(super) struct Held {
    all: Arc<AtomicUsize>,
    bytes: usize,
}

impl Bodies {
    pub(super) fn new(limits: &HttpLimits) -> Self {
        Self {
            bytes: Arc::default(),
            body_bytes_max: limits.body_bytes_max,
            bodies_bytes_max: limits.bodies_bytes_max,
            deadline: Duration::from_millis(limits.read_deadline_ms),
        }
    }

    /// Reads one.
    ///
    /// # Errors
    /// The reply to one that is too large, too slow, or breaks off.
    pub(super) async fn read(&self, body: Incoming) -> Result<(Bytes, Held), Box<Reply>> {
        let read = tokio::time::timeout(self.deadline, self.collect(body)).await;
        read.unwrap_or_else(|_| {
            let ms = self.deadline.as_millis();
            let message = format!("the body did not come within {ms} ms");
            Err(Box::new(refuse(StatusCode::REQUEST_TIMEOUT, -32000, &message)))
        })
    }

    async fn collect(&self, mut body: Incoming) -> Result<(Bytes, Held), Box<Reply>> {
        let mut held = Held { all: self.bytes.clone(), bytes: 0 };
        let mut read = BytesMut::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| {
                let message = format!("the body broke off: {error}");
                Box::new(refuse(StatusCode::BAD_REQUEST, -32000, &message))
            })?;
            let Ok(data) = frame.into_data() else { continue };
            if data.len() > self.body_bytes_max - read.len() {
                drop((read, held));
                return Err(self.too_large(body).await);
            }
            if !held.take(data.len(), self.bodies_bytes_max) {
                let message = "too much is being read at the moment; try again later";
                return Err(Box::new(refuse(StatusCode::SERVICE_UNAVAILABLE, -32000, message)));
            }
            read.extend_from_slice(&data);
        }
        Ok((read.freeze(), held))
    }

    /// Who still sends does not read: the rest is thrown away, unless it is much too much.
    async fn too_large(&self, body: Incoming) -> Box<Reply> {
        let rest = Limited::new(body, self.body_bytes_max.saturating_mul(DRAINED));
        let mut rest = std::pin::pin!(rest);
        while let Some(Ok(_)) = rest.frame().await {}
        let most = self.body_bytes_max;
        let message = format!("the body has more than {most} bytes (`http.limits.body_bytes_max`)");
        Box::new(refuse(StatusCode::PAYLOAD_TOO_LARGE, -32000, &message))
    }
}

impl Held {
    fn take(&mut self, bytes: usize, most: usize) -> bool {
        let fits = |all: usize| all.checked_add(bytes).filter(|all| *all <= most);
        let taken = self.all.fetch_update(Ordering::AcqRel, Ordering::Acquire, fits).is_ok();
        self.bytes += if taken { bytes } else { 0 };
        taken
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Ordering::AcqRel);
    }
}
