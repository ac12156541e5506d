//! The door to the programs of a toolchain.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Child;

/// A program of the toolchain that `directory` asks for, whatever toolchain or build this
/// process was started from.
#[expect(clippy::disallowed_methods, reason = "this is the door for programs")]
pub(super) fn tool(program: impl AsRef<OsStr>, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(directory).stdin(Stdio::null()).stderr(Stdio::piped());
    for inherited in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"]
    {
        command.env_remove(inherited);
    }
    command
}

/// Whether PATH leads to a program of this name.
#[expect(clippy::disallowed_methods, reason = "this is the door for programs")]
pub(super) fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

/// Runs a program to its end, and returns what it wrote to stdout. When this is dropped, the program
/// ends, and so do those that it has started.
pub(super) async fn output(command: Command) -> io::Result<Output> {
    let mut command = tokio::process::Command::from(command);
    command.stdout(Stdio::piped()).kill_on_drop(true);
    // A terminal's Ctrl-C is for this process, which ends the group that it has started.
    #[cfg(unix)]
    command.process_group(0);
    let mut running = Running { child: command.spawn()?, ended: false };
    let (stdout, stderr) = (running.child.stdout.take(), running.child.stderr.take());
    let (stdout, stderr) = tokio::try_join!(all(stdout), all(stderr))?;
    // Not before: as long as nobody has waited for it, no other group has its number.
    let status = running.child.wait().await?;
    running.ended = true;
    Ok(Output { status, stdout, stderr })
}

/// Runs a program to its end. When this is dropped, the program ends, and so do those that it has
/// started.
pub(super) async fn status(command: Command) -> io::Result<ExitStatus> {
    let mut command = tokio::process::Command::from(command);
    command.kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    let mut running = Running { child: command.spawn()?, ended: false };
    let status = running.child.wait().await?;
    running.ended = true;
    Ok(status)
}

async fn all(from: Option<impl AsyncRead + Unpin>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        from.read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

/// A program that runs in a process group of its own.
struct Running {
    child: Child,
    ended: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        #[cfg(unix)]
        if !self.ended
            && let Some(id) = self.child.id().and_then(|id| i32::try_from(id).ok())
            && let Some(group) = rustix::process::Pid::from_raw(id)
        {
            use rustix::process::{Signal, kill_process_group};
            // It may have ended just now.
            let _ = kill_process_group(group, Signal::TERM);
        }
    }
}
