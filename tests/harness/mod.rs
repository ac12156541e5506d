//! What the tests work with: the guests, the command, and a client that sees every byte.
//!
//! Nothing here knows what a right answer is.

mod command;
mod files;
mod guests;
mod heard;
pub(crate) mod installed;
mod measured;
mod notes;
mod places;
mod python;
mod server;

pub(crate) use command::{Run, ended, program, run, with_settings};
pub(crate) use files::{moment, rename_over};
pub(crate) use guests::{conformance, frozen, golden, hostile, reaching, surface, weather};
pub(crate) use heard::{Line, without_call_id};
pub(crate) use notes::{figure, figures_are_wanted, note, notes, skipped};
pub(crate) use places::{cache, checkout, state};
pub(crate) use python::{path_with, python_builder, python_environment};
pub(crate) use server::{Era, Server};

use libtest_mimic::Trial;

/// Trials of one module: each a name and a function that panics when something is wrong.
pub(crate) fn trials(module: &str, tests: &[(&str, fn())]) -> Vec<Trial> {
    tests
        .iter()
        .map(|(name, test)| {
            let test = *test;
            Trial::test(format!("{module}::{name}"), move || {
                test();
                Ok(())
            })
        })
        .collect()
}

/// Names each function after itself: `named![a_loop_ends, a_panic_ends]`.
macro_rules! named {
    ($($test:ident),* $(,)?) => { &[$((stringify!($test), $test as _)),*] };
}
pub(crate) use named;
