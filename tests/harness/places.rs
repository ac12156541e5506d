//! Where things are. Whatever a test leaves behind is under `target`.

use std::path::{Path, PathBuf};

/// The top directory of the project.
pub(crate) fn checkout() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("the tests are a directory of the project")
}

/// A directory that stays from run to run, such as for what was installed.
pub(crate) fn state(name: &str) -> PathBuf {
    let directory = checkout().join("target/tests").join(name);
    std::fs::create_dir_all(&directory).expect("target can be written");
    directory
}

/// What the command gets as the user's cache directory.
pub(crate) fn cache() -> PathBuf {
    state("cache")
}
