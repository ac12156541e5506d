//! A build that is some commands, one after the other.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::BuildError;
use super::program::{output, status, tool};
use crate::files;

/// A command of a build.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    pub(super) program: PathBuf,
    /// How an author gets the program.
    pub(super) get: &'static str,
    pub(super) arguments: Vec<String>,
    /// Variables of the environment that it must not see.
    pub(super) without: &'static [&'static str],
    /// Variables of the environment that it sees, beside those that there are.
    pub(super) with: &'static [(&'static str, &'static str)],
    /// The file that what it prints belongs into, if not to stderr.
    pub(super) into: Option<PathBuf>,
    /// Only as long as this is not there.
    pub(super) unless: Option<PathBuf>,
}

impl Step {
    /// Runs it in `directory`. What it writes goes to stderr as it is, but for what belongs into a file.
    /// When this is dropped, it ends.
    ///
    /// # Errors
    /// When the program is not there, or fails, or the file cannot be written.
    pub(super) async fn run(&self, directory: &Path) -> Result<(), BuildError> {
        if self.unless.as_ref().is_some_and(|there| there.exists()) {
            return Ok(());
        }
        let mut command = tool(&self.program, directory);
        for name in self.without {
            command.env_remove(name);
        }
        command.envs(self.with.iter().copied());
        command.args(&self.arguments).stderr(Stdio::inherit());
        let ended = match self.into {
            Some(_) => output(command).await.map(|output| (output.status, output.stdout)),
            None => {
                command.stdout(io::stderr());
                status(command).await.map(|status| (status, Vec::new()))
            }
        };
        let (status, printed) = ended.map_err(|error| BuildError::Missing {
            program: self.program.display().to_string(),
            error,
            get: self.get,
        })?;
        if !status.success() {
            let (command, directory) = (self.shown(), directory.to_owned());
            return Err(BuildError::Failed { command, directory });
        }
        let Some(into) = &self.into else { return Ok(()) };
        let path = directory.join(into);
        files::update(&path, &printed).map_err(|error| BuildError::Unwritable { path, error })
    }

    /// The command, for a person.
    fn shown(&self) -> String {
        let with = self.with.iter().map(|(name, value)| format!("{name}={value}"));
        let program = std::iter::once(self.program.display().to_string());
        let words = with.chain(program).chain(self.arguments.iter().cloned());
        let quoted = |word: String| match word.contains(' ') {
            true => format!("'{word}'"),
            false => word,
        };
        words.map(quoted).collect::<Vec<_>>().join(" ")
    }
}
