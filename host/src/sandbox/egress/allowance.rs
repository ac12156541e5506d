//! How many requests and bytes a call may send and receive.
//!
//! What is taken is never given back, and all requests of a call take from the same.

use std::sync::atomic::{AtomicU64, Ordering};

use wasmtime_wasi_http::{Error, Result};

use crate::config::Limits;
use crate::sandbox::tally::{Denied, Tally};

/// What a call has left.
#[derive(Debug)]
pub(super) struct Allowance {
    requests_left: AtomicU64,
    requests_max: u64,
    bytes_left: AtomicU64,
    bytes_max: u64,
    tally: Tally,
}

/// More bytes than a call may send and receive: this many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exceeded(pub(super) u64);

impl Allowance {
    /// All of what `limits` allow; what goes beyond is told to `tally`.
    pub(super) fn new(limits: &Limits, tally: &Tally) -> Self {
        Self {
            requests_left: AtomicU64::new(limits.http_requests_max),
            requests_max: limits.http_requests_max,
            bytes_left: AtomicU64::new(limits.http_bytes_max),
            bytes_max: limits.http_bytes_max,
            tally: tally.clone(),
        }
    }

    /// Takes one request.
    pub(super) fn take_request(&self) -> Result<()> {
        if take(&self.requests_left, 1) {
            return Ok(());
        }
        self.tally.deny(Denied::Limit("http_requests_max", self.requests_max));
        Err(Error::ConnectionLimitReached)
    }

    /// Takes `bytes` of a body. Once there were too many, there are none left.
    pub(super) fn take_bytes(&self, bytes: usize) -> Result<(), Exceeded> {
        if take(&self.bytes_left, u64::try_from(bytes).unwrap_or(u64::MAX)) {
            return Ok(());
        }
        self.bytes_left.store(0, Ordering::Relaxed);
        self.tally.deny(Denied::Limit("http_bytes_max", self.bytes_max));
        Err(Exceeded(self.bytes_max))
    }
}

fn take(left: &AtomicU64, number: u64) -> bool {
    let less = |left: u64| left.checked_sub(number);
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
}
