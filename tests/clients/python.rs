//! The client of the Python SDK, in a virtual environment.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use crate::harness::{checkout, python_environment};

/// A command that runs client.py, or what this machine lacks for it.
pub(super) fn client() -> Result<Command, String> {
    static INSTALLED: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| {
        python_environment("python", "mcp", &checkout().join("tests/clients/requirements.txt"))
    });
    let mut python = Command::new(INSTALLED.as_ref().map_err(Clone::clone)?);
    python.arg("-I").arg(checkout().join("tests/clients/client.py"));
    Ok(python)
}
