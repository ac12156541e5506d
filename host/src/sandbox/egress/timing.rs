//! How long each step of a request may take.
//!
//! No step ends later than the call's deadline, and what a guest asks for only makes steps shorter.

use std::time::Duration;

use tokio::time::Instant;
use wasmtime_wasi_http::{Error, RequestOptions, Result};

/// For how long a request is waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    deadline: Instant,
    /// By when a connection is open: name, connection and TLS.
    open_by: Instant,
    first_byte: Option<Duration>,
    between_bytes: Option<Duration>,
}

/// For how long a connection may take to open. A host that does not answer by then is away, and a
/// call can still say so.
const OPENING_MAX: Duration = Duration::from_secs(15);

impl Patience {
    /// From now on, with what the guest asks for.
    pub(super) fn new(deadline: std::time::Instant, options: Option<RequestOptions>) -> Self {
        let RequestOptions { connect_timeout, first_byte_timeout, between_bytes_timeout } =
            options.unwrap_or_default();
        let deadline = deadline.into();
        let opening = connect_timeout.map_or(OPENING_MAX, |asked| asked.min(OPENING_MAX));
        Self {
            deadline,
            open_by: no_later(deadline, Some(opening)),
            first_byte: first_byte_timeout,
            between_bytes: between_bytes_timeout,
        }
    }

    /// By when a connection is open.
    pub(super) fn open_by(&self) -> Instant {
        self.open_by
    }

    /// By when an attempt ends that is one of `attempts` to open a connection, so that a host that
    /// does not answer leaves time for the others.
    pub(super) fn attempt_by(&self, attempts: usize) -> Instant {
        let left = self.open_by.saturating_duration_since(Instant::now());
        let share = left / u32::try_from(attempts).unwrap_or(u32::MAX).max(1);
        no_later(self.open_by, Some(share))
    }

    /// By when a response begins to a request that is sent now.
    pub(super) fn first_byte_by(&self) -> Instant {
        no_later(self.deadline, self.first_byte)
    }

    /// By when the next part of a body is there.
    pub(super) fn next_bytes_by(&self) -> Instant {
        no_later(self.deadline, self.between_bytes)
    }

    /// By when everything ends.
    pub(super) fn deadline(&self) -> Instant {
        self.deadline
    }
}

fn no_later(than: Instant, time: Option<Duration>) -> Instant {
    time.and_then(|time| Instant::now().checked_add(time)).map_or(than, |by| by.min(than))
}

/// Does `step`, or fails with `late` at `by`.
pub(super) async fn within<T>(
    by: Instant,
    late: Error,
    step: impl Future<Output = Result<T>>,
) -> Result<T> {
    tokio::time::timeout_at(by, step).await.unwrap_or(Err(late))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_makes_steps_shorter_and_never_longer() {
        let deadline = std::time::Instant::now() + Duration::from_secs(5);
        let of = |time: Duration| {
            Patience::new(
                deadline,
                Some(RequestOptions {
                    connect_timeout: Some(time),
                    first_byte_timeout: Some(time),
                    between_bytes_timeout: Some(time),
                }),
            )
        };
        for long in [Duration::from_secs(600), Duration::MAX] {
            let patience = of(long);
            assert_eq!(patience.open_by(), deadline.into());
            assert_eq!(patience.first_byte_by(), deadline.into());
            assert_eq!(patience.next_bytes_by(), deadline.into());
        }
        let patience = of(Duration::ZERO);
        assert!(patience.open_by() <= Instant::now());
        assert!(patience.first_byte_by() <= Instant::now());
        assert!(patience.next_bytes_by() <= Instant::now());
    }

    #[test]
    fn an_open_connection_is_waited_for_no_longer_than_its_maximum() {
        let hour = Duration::from_secs(3600);
        let patience = Patience::new(std::time::Instant::now() + hour, None);
        assert!(patience.open_by() <= Instant::now() + OPENING_MAX);
        assert!(patience.attempt_by(3) < patience.open_by());
    }
}
