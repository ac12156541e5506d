//! Runs of the command to their end.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{cache, state};

/// What a run of the command came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The command, with nothing of this machine's settings.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis-tested"));
    with_settings(&mut command);
    command
}

/// A command from which the command is started, with nothing of this machine's settings either.
pub(crate) fn with_settings(command: &mut Command) -> &mut Command {
    command.env("XDG_CACHE_HOME", cache()).env("XDG_DATA_HOME", state("data"));
    command.env_remove("XDG_RUNTIME_DIR").env_remove("COLUMNS")
}

/// Runs the command in `directory`.
pub(crate) fn run<A: AsRef<OsStr>>(directory: &Path, arguments: &[A]) -> Run {
    ended(program().args(arguments).current_dir(directory))
}

/// Runs a command to its end, without an stdin.
pub(crate) fn ended(command: &mut Command) -> Run {
    let output = command.stdin(Stdio::null()).output().expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).expect("the command writes UTF-8");
    Run {
        status: output.status.code().expect("the command ends by itself"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}
