//! What the run says in its last lines: what was counted, and what was skipped.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

use libtest_mimic::{Completion, Failed};

static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());
static SKIPPED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Says `text` at the end of the run.
pub(crate) fn note(text: String) {
    NOTES.lock().unwrap_or_else(PoisonError::into_inner).push(text);
}

/// Whether figures that are no verdicts are wanted: with `PORTCULLIS_FIGURES=1` they are the last
/// lines of a run.
pub(crate) fn figures_are_wanted() -> bool {
    std::env::var_os("PORTCULLIS_FIGURES").is_some_and(|wanted| wanted == "1")
}

/// Says what was measured of `subject`, where it is wanted.
pub(crate) fn figure(subject: &str, what: &str, figure: impl Display) {
    if figures_are_wanted() {
        note(format!("{subject}: {what}: {figure}"));
    }
}

/// A test that cannot run on this machine: `why` says what is missing and what to do. With
/// `CI=true` it fails.
pub(crate) fn skipped(what: &str, why: &str) -> Result<Completion, Failed> {
    if std::env::var_os("CI").is_some_and(|ci| ci == "true") {
        return Err(Failed::from(format!("{why} (with CI=true nothing may be skipped)")));
    }
    let line = format!("skipped: {what}: {why}");
    SKIPPED.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    Ok(Completion::ignored_with(why))
}

/// All that is to be said, what was skipped last.
pub(crate) fn notes() -> Vec<String> {
    let mut lines = Vec::new();
    for kept in [&NOTES, &SKIPPED] {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        kept.sort();
        kept.dedup();
        lines.extend(kept);
    }
    lines
}
