//! Notes of progress, from a guest to whoever wants them.
//!
//! What nobody wants, what goes beyond the rate and what the receiver is too slow for is dropped; a
//! guest never waits.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use crate::grants::Effective;
use crate::present::clean;

/// How far a call has come.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Note {
    pub(crate) done: f64,
    pub(crate) total: Option<f64>,
    /// Clean and bounded.
    pub(crate) message: Option<String>,
}

/// Where notes go.
pub(crate) type Notes = mpsc::Sender<Note>;

const SECOND: Duration = Duration::from_secs(1);

/// Bytes of a note's message.
const MESSAGE_BYTES_MAX: usize = 256;

/// The notes of one call.
#[derive(Debug)]
pub(super) struct Progress {
    per_second_max: u64,
    notes: Option<Notes>,
    effective: Arc<Effective>,
    /// When the notes of the last second were passed on.
    moments: VecDeque<Instant>,
    last: Option<f64>,
}

impl Progress {
    pub(super) fn new(
        per_second_max: u64,
        notes: Option<Notes>,
        effective: &Arc<Effective>,
    ) -> Self {
        let effective = effective.clone();
        Self { per_second_max, notes, effective, moments: VecDeque::new(), last: None }
    }

    /// Passes a note on. `done` grows from note to note (MCP 2025-11-25, progress), and all that is
    /// passed on are numbers that JSON has.
    pub(super) fn report(&mut self, done: f64, total: Option<f64>, message: Option<&str>) {
        let Some(notes) = &self.notes else { return };
        if !done.is_finite() || self.last.is_some_and(|last| done <= last) {
            return;
        }
        while self.moments.front().is_some_and(|moment| moment.elapsed() >= SECOND) {
            self.moments.pop_front();
        }
        if self.moments.len() as u64 >= self.per_second_max {
            return;
        }
        self.moments.push_back(Instant::now());
        self.last = Some(done);
        let total = total.filter(|total| total.is_finite());
        let holds_secret = |text: &&str| {
            self.effective.secrets.iter().any(|secret| secret.text.is_in(text.as_bytes()))
        };
        let message = message
            .filter(|text| !holds_secret(text))
            .map(|text| clean::bounded(text, MESSAGE_BYTES_MAX));
        // A full channel drops it.
        let _ = notes.try_send(Note { done, total, message });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_beyond_the_rate_or_back_is_dropped() {
        let (notes, mut passed_on) = mpsc::channel(100);
        let mut progress = Progress::new(3, Some(notes), &Arc::default());
        for done in [1.0, 1.0, 0.5, f64::NAN, 2.0, 3.0, 4.0, 5.0] {
            progress.report(done, Some(f64::INFINITY), Some("\u{1b}[2J"));
        }
        drop(progress);
        let mut seen = Vec::new();
        while let Ok(note) = passed_on.try_recv() {
            assert_eq!(note.total, None);
            assert!(!note.message.unwrap().contains('\u{1b}'));
            seen.push(note.done);
        }
        assert_eq!(seen, [1.0, 2.0, 3.0]);
    }
}
