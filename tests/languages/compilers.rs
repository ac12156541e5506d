//! The compilers of C, C++, Zig and Go, and caches that stay. None of them is installed on the machine:
//! zig and Go are in a virtual environment, and a clang is in a directory.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::clang;
use crate::harness::{checkout, python_environment, state};

/// Sees to it that a command finds zig and Go and no other compilers, and keeps what they compile once.
///
/// # Errors
/// What this machine lacks for them.
pub(crate) fn find_them(command: &mut Command) -> Result<&mut Command, String> {
    Ok(command.env("PATH", directory()?).envs(variables()))
}

/// Sees to it that a command finds clang and no other compiler.
///
/// # Errors
/// What this machine lacks for it.
pub(crate) fn find_clang(command: &mut Command) -> Result<&mut Command, String> {
    let clang = clang::installed()?;
    Ok(command.env("PATH", clang.programs).env("LD_LIBRARY_PATH", clang.libraries))
}

/// Where the programs of zig and Go are.
///
/// # Errors
/// What this machine lacks for them.
pub(crate) fn directory() -> Result<PathBuf, String> {
    static INSTALLED: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| {
        let requirements = checkout().join("tests/languages/compilers.txt");
        python_environment("compilers", "zig and Go", &requirements)
    });
    let python = INSTALLED.clone()?;
    Ok(python.parent().unwrap_or(Path::new("/")).to_owned())
}

/// Where zig and Go keep what they compile, and that they download nothing.
pub(crate) fn variables() -> [(&'static str, OsString); 5] {
    let caches = state("compiled");
    [
        ("ZIG_GLOBAL_CACHE_DIR", caches.join("zig").into()),
        ("GOCACHE", caches.join("go").into()),
        ("GOPATH", caches.join("go-path").into()),
        ("GOPROXY", "off".into()),
        ("GOTOOLCHAIN", "local".into()),
    ]
}

/// Held by whoever compiles: first builds would fight for the processors.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}
