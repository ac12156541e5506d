//! Python, and what is installed for it: an environment for each purpose.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use super::{checkout, installed, state};

/// The directory of the programs that build tools in Python, or what this machine lacks for them.
pub(crate) fn python_builder() -> Result<PathBuf, String> {
    static INSTALLED: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| {
        let requirements = checkout().join("tests/languages/requirements.txt");
        python_environment("python-builder", "componentize-py", &requirements)
    });
    let python = INSTALLED.clone()?;
    Ok(python.parent().expect("an interpreter is in a directory").to_owned())
}

/// PATH, with a directory before all others.
pub(crate) fn path_with(directory: &Path) -> OsString {
    let others = std::env::var_os("PATH").unwrap_or_default();
    let all = [directory.to_owned()].into_iter().chain(std::env::split_paths(&others));
    std::env::join_paths(all).expect("no directory of PATH has a colon in its name")
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
    /// Prints nothing for a version that the SDKs do not run on.
    const ASK: &str = "import sys, ensurepip, venv\n\
                       if sys.version_info >= (3, 11): print(sys.executable, sys.version)";
    for program in ["python3", "python"] {
        match installed::output(Command::new(program).args(["-c", ASK])) {
            Ok(version) if !version.is_empty() => return Ok((program, version)),
            Ok(_) | Err(_) => {}
        }
    }
    Err("no python3 of 3.11 or newer with venv; install python3 and python3-venv".to_owned())
}
