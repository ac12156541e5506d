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

use crate::harness::{python_builder, skipped};
use page::Page;

/// A page, and what its commands need of this machine.
struct Told {
    /// Its name in docs/.
    name: &'static str,
    /// Installs programs, and gives the directory that they are in.
    brings: Option<fn() -> Result<PathBuf, String>>,
    /// Programs that it needs beside those.
    needs: &'static [&'static str],
    /// Variables that make its builds shorter, and nothing else.
    variables: fn() -> Vec<(&'static str, OsString)>,
}

const PAGES: [Told; 1] =
    [Told { name: "python", brings: Some(python_builder), needs: &[], variables: Vec::new }];

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
    Page::read(told.name).done(brought.as_deref(), &(told.variables)());
    Ok(Completion::Completed)
}
