//! A build that is some commands, one after the other.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::BuildError;
use super::program::{status, tool};

/// A command of a build.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) program: PathBuf,
    /// How an author gets the program.
    pub(super) get: &'static str,
    pub(super) arguments: Vec<String>,
    /// Variables of the environment that it must not see.
    pub(super) without: &'static [&'static str],
    /// Only as long as this is not there.
    pub(super) unless: Option<PathBuf>,
}

impl Step {
    /// Runs it in `directory`. What it writes goes to stderr as it is. When this is dropped, it ends.
    ///
    /// # Errors
    /// When the program is not there, or fails.
    pub(super) async fn run(&self, directory: &Path) -> Result<(), BuildError> {
        if self.unless.as_ref().is_some_and(|there| there.exists()) {
            return Ok(());
        }
        let mut command = tool(&self.program, directory);
        for name in self.without {
            command.env_remove(name);
        }
        command.args(&self.arguments).stdout(io::stderr()).stderr(Stdio::inherit());
        let (program, get) = (self.program.display().to_string(), self.get);
        let status = status(command).await.map_err(|error| BuildError::Missing {
            program: program.clone(),
            error,
            get,
        })?;
        match status.success() {
            true => Ok(()),
            false => Err(BuildError::Failed {
                command: format!("{program} {}", self.arguments.join(" ")),
                directory: directory.to_owned(),
            }),
        }
    }
}
