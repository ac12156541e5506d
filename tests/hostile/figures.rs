//! Figures that are no verdicts, by the threat that they are of.

use std::fmt::Display;

use crate::harness;

/// Whether figures are wanted; what takes long is then as large as the threat has it.
pub(super) fn are_wanted() -> bool {
    harness::figures_are_wanted()
}

/// Says what was measured of the threat of this number.
pub(super) fn note(threat: u8, what: &str, figure: impl Display) {
    harness::figure(&format!("threat {threat:>2}"), what, figure);
}
