//! The compilers of C, C++, Zig and Go, in a virtual environment, with caches that stay.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use crate::harness::{checkout, python_environment, state};

/// Sees to it that a command finds these compilers and no others, and keeps what they compile once.
///
/// # Errors
/// What this machine lacks for them.
pub(crate) fn find_them(command: &mut Command) -> Result<&mut Command, String> {
    static INSTALLED: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| {
        let requirements = checkout().join("tests/languages/compilers.txt");
        python_environment("compilers", "zig and Go", &requirements)
    });
    let python = INSTALLED.as_ref().map_err(Clone::clone)?;
    let caches = state("compiled");
    Ok(command
        .env("PATH", python.parent().unwrap_or(Path::new("/")))
        .env("ZIG_GLOBAL_CACHE_DIR", caches.join("zig"))
        .env("GOCACHE", caches.join("go"))
        .env("GOPATH", caches.join("go-path"))
        // Nothing is downloaded.
        .envs([("GOPROXY", "off"), ("GOTOOLCHAIN", "local")]))
}

/// Held by whoever compiles: first builds would fight for the processors.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}
