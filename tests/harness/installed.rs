//! What is installed under `target` and kept from run to run.
//!
//! An installation counts only when its mark is there, which is written last.

use std::path::Path;
use std::process::{Command, Stdio};

/// The name of the mark.
const MARK: &str = "installed";

/// Runs `install` in an emptied `directory`, unless what `mark` says is installed there.
pub(crate) fn once(
    directory: &Path,
    mark: &str,
    install: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    if std::fs::read_to_string(directory.join(MARK)).is_ok_and(|installed| installed == mark) {
        return Ok(());
    }
    let io = |error: std::io::Error| format!("cannot write `{}`: {error}", directory.display());
    std::fs::remove_dir_all(directory).map_err(io)?;
    std::fs::create_dir_all(directory).map_err(io)?;
    install()?;
    std::fs::write(directory.join(MARK), mark).map_err(io)
}

/// Runs a command to its end and returns what it prints, or the last line of its complaint.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("`{name}` does not start: {error}"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        // npm ends with where its log is.
        let says_why = |line: &&str| !line.trim().is_empty() && !line.contains("complete log of");
        let last = complaint.lines().rfind(says_why).unwrap_or_default();
        return Err(format!("`{name}` failed ({}): {last}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
