//! All tools that were recorded from the Python MCP SDK, through both ways to be a tool: equal,
//! but for what the table of each path lists.
//!
//! A recorded tool or call that is neither compared nor listed fails, and so does a listed
//! deviation that is none.

mod comparison;
mod deviations;
mod provider;
mod python;
mod ran;
mod recorded;
mod typed;

use libtest_mimic::Trial;

use crate::harness::{named, trials as named_trials};
use provider::recorded_tools_agree_as_a_provider;
use typed::recorded_tools_agree_as_typed_exports;

pub(crate) use ran::Ran;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = named_trials(
        "golden",
        named![recorded_tools_agree_as_typed_exports, recorded_tools_agree_as_a_provider],
    );
    trials.push(Trial::ignorable_test(
        "golden::recorded_tools_agree_in_python",
        python::recorded_tools_agree_in_python,
    ));
    trials
}

/// The recorded tools as typed exports, called as they were recorded.
pub(crate) fn typed() -> &'static [Ran] {
    typed::ran()
}
