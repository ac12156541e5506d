//! Clients in Python: those of the SDK, and fastmcp's. Two of them share a virtual environment.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use crate::harness::{checkout, python_environment};

type Installed = LazyLock<Result<PathBuf, String>>;

static CURRENT: Installed =
    LazyLock::new(|| environment("python", "mcp and fastmcp", "requirements.txt"));
static BEFORE_2: Installed =
    LazyLock::new(|| environment("python-1", "mcp before 2.0", "requirements_1.txt"));

/// That of `mcp`, or what this machine lacks for it.
pub(super) fn sdk_2() -> Result<Command, String> {
    client(&CURRENT, "mcp_2")
}

/// That of `mcp` before 2.0.
pub(super) fn sdk_1() -> Result<Command, String> {
    client(&BEFORE_2, "mcp_1")
}

/// That of `fastmcp`.
pub(super) fn fastmcp() -> Result<Command, String> {
    client(&CURRENT, "fastmcp")
}

fn client(installed: &'static Installed, name: &str) -> Result<Command, String> {
    let mut python = Command::new(installed.as_ref().map_err(Clone::clone)?);
    python.arg("-I").arg(directory().join("client.py")).arg(name);
    Ok(python)
}

fn environment(place: &str, what: &str, requirements: &str) -> Result<PathBuf, String> {
    python_environment(place, what, &directory().join(requirements))
}

fn directory() -> PathBuf {
    checkout().join("tests/clients")
}
