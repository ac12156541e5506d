//! The client of the Python SDK, in a virtual environment.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use super::installed;
use crate::harness::{checkout, state};

/// A command that runs client.py, or what this machine lacks for it.
pub(super) fn client() -> Result<Command, String> {
    static INSTALLED: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| {
        python_environment("python", "mcp", &checkout().join("tests/clients/requirements.txt"))
    });
    let mut python = Command::new(INSTALLED.as_ref().map_err(Clone::clone)?);
    python.arg("-I").arg(checkout().join("tests/clients/client.py"));
    Ok(python)
}

/// The interpreter of an environment under `target` that has what a file requires.
pub(crate) fn python_environment(
    directory: &str,
    what: &str,
    requirements: &Path,
) -> Result<PathBuf, String> {
    let required = std::fs::read_to_string(requirements)
        .map_err(|error| format!("`{}`: {error}", requirements.display()))?;
    let (program, version) = interpreter()?;
    let directory = state(directory);
    let python = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let python = directory.join(python);
    installed::once(&directory, &format!("{version}\n{required}"), || {
        installed::output(Command::new(program).args(["-m", "venv"]).arg(&directory))?;
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]);
        pip.arg("-r").arg(requirements);
        installed::output(&mut pip).map_err(|why| format!("pip cannot install {what}: {why}"))?;
        Ok(())
    })?;
    Ok(python)
}

/// A Python that can make virtual environments, and its version.
fn interpreter() -> Result<(&'static str, String), String> {
    /// Prints nothing for a version that the SDK does not run on.
    const ASK: &str = "import sys, ensurepip, venv\n\
                       if sys.version_info >= (3, 10): print(sys.executable, sys.version)";
    for program in ["python3", "python"] {
        match installed::output(Command::new(program).args(["-c", ASK])) {
            Ok(version) if !version.is_empty() => return Ok((program, version)),
            Ok(_) | Err(_) => {}
        }
    }
    Err("no python3 of 3.10 or newer with venv; install python3 and python3-venv".to_owned())
}
