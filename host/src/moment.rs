//! The door to the date: people read it, and files are old or new by it.

use std::time::{SystemTime, UNIX_EPOCH};

/// The time of day.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// A time in UTC to the millisecond (RFC 3339).
pub(crate) fn text(time: SystemTime) -> String {
    let since_1970 = time.duration_since(UNIX_EPOCH);
    let time = since_1970.ok().and_then(|time| {
        chrono::DateTime::from_timestamp(i64::try_from(time.as_secs()).ok()?, time.subsec_nanos())
    });
    time.map(|time| time.to_rfc3339_opts(chrono::SecondsFormat::Millis, true)).unwrap_or_default()
}
