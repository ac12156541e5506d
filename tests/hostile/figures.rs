//! Figures that are no verdicts: with `PORTCULLIS_FIGURES=1` they are the last lines of a run.

use std::fmt::Display;

use crate::harness;

/// Whether figures are wanted; what takes long is then as large as the threat has it.
pub(super) fn are_wanted() -> bool {
    std::env::var_os("PORTCULLIS_FIGURES").is_some_and(|wanted| wanted == "1")
}

/// Says what was measured of the threat of this number.
pub(super) fn note(threat: u8, what: &str, figure: impl Display) {
    if are_wanted() {
        harness::note(format!("threat {threat:>2}: {what}: {figure}"));
    }
}
