//! The guests, each built once for a run.

use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use portcullis::build::RustGuest;

use super::checkout;

/// The component of guests/rust/weather.
pub(crate) fn weather() -> &'static Path {
    static BUILT: LazyLock<Result<PathBuf, String>> =
        LazyLock::new(|| build("guests/rust/weather"));
    built(&BUILT)
}

/// The component of tests/hostile/guest.
pub(crate) fn hostile() -> &'static Path {
    static BUILT: LazyLock<Result<PathBuf, String>> =
        LazyLock::new(|| build("tests/hostile/guest"));
    built(&BUILT)
}

/// The component of tests/hostile/reaching.
pub(crate) fn reaching() -> &'static Path {
    static BUILT: LazyLock<Result<PathBuf, String>> =
        LazyLock::new(|| build("tests/hostile/reaching"));
    built(&BUILT)
}

/// The component of tests/golden/guest.
pub(crate) fn golden() -> &'static Path {
    static BUILT: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| build("tests/golden/guest"));
    built(&BUILT)
}

/// The component of guests/rust/conformance.
pub(crate) fn conformance() -> &'static Path {
    static BUILT: LazyLock<Result<PathBuf, String>> =
        LazyLock::new(|| build("guests/rust/conformance"));
    built(&BUILT)
}

/// The component of tests/surface/guest.
pub(crate) fn surface() -> &'static Path {
    static BUILT: LazyLock<Result<PathBuf, String>> =
        LazyLock::new(|| build("tests/surface/guest"));
    built(&BUILT)
}

/// The component of tests/frozen/guest.
pub(crate) fn frozen() -> &'static Path {
    static BUILT: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| build("tests/frozen/guest"));
    built(&BUILT)
}

/// All guests share a target directory, which is not the one that `cargo test` holds the lock of.
fn build(directory: &str) -> Result<PathBuf, String> {
    /// One cargo at a time: another one would only wait, and say so.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let guest = RustGuest {
        directory: checkout().join(directory),
        target_directory: checkout().join("target/guests"),
        profile: "guest".to_owned(),
    };
    guest.build().map_err(|error| error.to_string())
}

fn built(built: &'static LazyLock<Result<PathBuf, String>>) -> &'static Path {
    match LazyLock::force(built) {
        Ok(path) => path,
        Err(error) => panic!("{error}"),
    }
}
