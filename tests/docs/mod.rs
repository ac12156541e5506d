//! The pages that lead from nothing to a tool, done as they say: every file is written, every command
//! runs, and prints what the page shows.
//!
//! A block ```` ```LANGUAGE PATH ```` is a file. ```` ```sh ```` is run, by a shell that goes on where the one
//! before was; a ```` ```text ```` after it is its stdout, in which `…` stands for anything. What
//! `claude mcp add NAME -- COMMAND` would have a client start is started, and has tools.

mod page;

use std::ffi::OsString;
use std::path::PathBuf;

use libtest_mimic::{Completion, Failed, Trial};

use crate::harness::{python_builder, skipped, state};
use crate::languages::compilers;
use page::Page;

/// A page, and what its commands need of this machine.
struct Told {
    /// Its name in docs/.
    name: &'static str,
    /// Installs programs, and gives the directory that they are in.
    brings: Option<fn() -> Result<PathBuf, String>>,
    /// Whether those are [`compilers`], of which one runs at a time.
    is_compiled: bool,
    /// Programs that it needs beside those.
    needs: &'static [&'static str],
    /// Files of the checkout that a project has as soon as it is there, by their places: the versions
    /// of what it depends on.
    locks: &'static [(&'static str, &'static str)],
}

const PAGES: [Told; 7] = [
    Told { brings: Some(python_builder), ..Told::of("python") },
    Told { needs: &["cargo"], locks: &[("Cargo.lock", "weather/Cargo.lock")], ..Told::of("rust") },
    Told { needs: &["node", "npm"], ..Told::of("typescript") },
    Told::of_plain_functions("c"),
    Told::of_plain_functions("cpp"),
    Told::of_plain_functions("zig"),
    Told::of_plain_functions("go"),
];

impl Told {
    const fn of(name: &'static str) -> Self {
        Self { name, brings: None, is_compiled: false, needs: &[], locks: &[] }
    }

    const fn of_plain_functions(name: &'static str) -> Self {
        Self { brings: Some(compilers::directory), is_compiled: true, ..Self::of(name) }
    }
}

/// What makes builds shorter, and nothing else: what is depended on is built once, for all trials.
fn variables() -> Vec<(&'static str, OsString)> {
    let rust = [
        ("CARGO_TARGET_DIR", state("dev").into()),
        ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0".into()),
        ("CARGO_PROFILE_RELEASE_LTO", "false".into()),
        ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16".into()),
        ("CARGO_PROFILE_RELEASE_PANIC", "unwind".into()),
        ("CARGO_PROFILE_RELEASE_STRIP", "none".into()),
    ];
    rust.into_iter().chain(compilers::variables()).collect()
}

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |told: &'static Told| {
        Trial::ignorable_test(format!("docs::{}", told.name), move || is_done(told))
    };
    PAGES.iter().map(trial).collect()
}

fn is_done(told: &Told) -> Result<Completion, Failed> {
    let skip = |why: &str| skipped(&format!("docs/{}.md", told.name), why);
    let brought = match told.brings.map(|brings| brings()).transpose() {
        Ok(brought) => brought,
        Err(why) => return skip(&why),
    };
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |program: &str| {
        std::env::split_paths(&paths).any(|directory| directory.join(program).is_file())
    };
    if let Some(missing) = told.needs.iter().find(|program| !is_there(program)) {
        return skip(&format!("`{missing}` is not on PATH"));
    }
    let _one = told.is_compiled.then(compilers::alone);
    Page::read(told.name).done(brought.as_deref(), &variables(), told.locks);
    Ok(Completion::Completed)
}
