//! Log lines, from a guest to a client that asked for them.
//!
//! What nobody wants, what goes beyond the bytes of a call's log and what the receiver is too slow
//! for is dropped; a guest never waits. The host's own log has every line, whoever else wants it.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::grants::Effective;
use crate::present::clean;

/// How urgent a line is; the levels of RFC 5424, the least urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl Level {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }
}

/// A line for a client: clean and bounded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) level: Level,
    pub(crate) logger: Option<String>,
    pub(crate) message: String,
}

/// Where a call's lines go.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// The least urgent that anybody wants.
    pub(crate) least: Level,
    pub(crate) sink: mpsc::Sender<Line>,
}

/// Bytes of the name of whoever speaks.
const LOGGER_BYTES_MAX: usize = 128;
/// Bytes of a line.
const MESSAGE_BYTES_MAX: usize = 4096;

/// The lines of one call.
#[derive(Debug)]
pub(super) struct Listened {
    lines: Option<Lines>,
    /// Bytes that may still be passed on.
    room: usize,
    effective: Arc<Effective>,
}

impl Listened {
    pub(super) fn new(bytes_max: usize, lines: Option<Lines>, effective: &Arc<Effective>) -> Self {
        Self { lines, room: bytes_max, effective: effective.clone() }
    }

    /// Passes a line on.
    pub(super) fn write(&mut self, level: Level, logger: Option<&str>, message: &str) {
        let Some(lines) = self.lines.as_ref().filter(|lines| level >= lines.least) else { return };
        let holds_secret = |text: &str| {
            self.effective.secrets.iter().any(|secret| secret.text.is_in(text.as_bytes()))
        };
        if holds_secret(message) || logger.is_some_and(holds_secret) {
            return;
        }
        let message = clean::bounded(message, MESSAGE_BYTES_MAX);
        let logger = logger.map(|name| clean::bounded(name, LOGGER_BYTES_MAX));
        let bytes = message.len() + logger.as_ref().map_or(0, String::len);
        if bytes > self.room {
            return;
        }
        self.room -= bytes;
        // A full channel drops it.
        let _ = lines.sink.try_send(Line { level, logger, message });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_urgent_enough_or_too_much_is_dropped() {
        let (sink, mut passed_on) = mpsc::channel(100);
        let lines = Lines { least: Level::Warning, sink };
        let mut listened = Listened::new(20, Some(lines), &Arc::default());
        listened.write(Level::Notice, None, "no");
        listened.write(Level::Warning, Some("db"), "01234567");
        listened.write(Level::Emergency, None, "0123456789");
        listened.write(Level::Error, None, "x");
        drop(listened);
        let mut seen = Vec::new();
        while let Ok(line) = passed_on.try_recv() {
            seen.push((line.level.word(), line.logger, line.message));
        }
        let expected = [
            ("warning", Some("db".to_owned()), "01234567".to_owned()),
            ("emergency", None, "0123456789".to_owned()),
        ];
        assert_eq!(seen, expected);
    }
}
