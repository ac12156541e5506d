//! The command line, as people and scripts see it.
//!
//! A command that cannot be carried out says so in one line of stderr, ends with status 2, and
//! prints nothing else.

mod bad_input;
mod check;
mod config;
mod demo;
mod good_input;
mod pack;
mod project;

use std::path::Path;

use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::harness::{Run, run, weather};

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = bad_input::trials();
    trials.extend(check::trials());
    trials.extend(config::trials());
    trials.extend(good_input::trials());
    trials.extend(pack::trials());
    trials.extend(project::trials());
    trials.extend(demo::trials());
    trials
}

/// A directory to run commands in.
struct Place(TempDir);

impl Place {
    /// An empty one.
    fn new() -> Self {
        Self(tempfile::tempdir().expect("the temporary directory can be written"))
    }

    /// One in which `weather.wasm` is the weather component.
    fn with_weather() -> Self {
        let place = Self::new();
        std::fs::copy(weather(), place.path().join("weather.wasm"))
            .expect("the temporary directory can be written");
        place
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and the directories that it is in.
    fn file(self, name: &str, bytes: &[u8]) -> Self {
        let path = self.path().join(name);
        let written = std::fs::create_dir_all(path.parent().expect("a file is in a directory"))
            .and_then(|()| std::fs::write(path, bytes));
        written.expect("the temporary directory can be written");
        self
    }

    fn directory(self, name: &str) -> Self {
        std::fs::create_dir(self.path().join(name))
            .expect("the temporary directory can be written");
        self
    }

    fn run(&self, arguments: &[&str]) -> Run {
        run(self.path(), arguments)
    }
}
