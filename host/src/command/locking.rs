//! The lock, as commands are told of it.

use std::path::{Path, PathBuf};

use super::terminal;
use crate::config::Config;
use crate::files;
use crate::grants::Access;
use crate::lock::{FILE_NAME, Gate, Kept, Mode, Reader};

/// Which lock, and what it allows.
#[derive(Debug, clap::Args)]
pub(super) struct LockArguments {
    /// The contract lock; without it, portcullis.lock beside the config, or in this directory
    #[arg(long, value_name = "FILE")]
    lock: Option<PathBuf>,

    /// How much may change without being approved: nothing (locked), code and what no caller can
    /// tell (compatible), or everything (open). `serve` with a lock is locked, `dev` is open
    #[arg(long, value_name = "MODE", value_parser = mode())]
    lock_mode: Option<Mode>,
}

/// The lock that a command means.
pub(super) fn path(lock: Option<&Path>, config: Option<&Path>) -> PathBuf {
    match (lock, config) {
        (Some(lock), _) => lock.to_owned(),
        (None, Some(config)) => config.parent().unwrap_or(Path::new("")).join(FILE_NAME),
        (None, None) => PathBuf::from(FILE_NAME),
    }
}

impl LockArguments {
    /// The same, with everything allowed unless told otherwise.
    pub(super) fn or_open(mut self) -> Self {
        self.lock_mode.get_or_insert(Mode::Open);
        self
    }

    /// Where the lock is, or would be.
    pub(super) fn path(&self, config: Option<&Path>) -> PathBuf {
        path(self.lock.as_deref(), config)
    }

    /// How a command line says where the lock is, after a space.
    pub(super) fn words(&self) -> String {
        let quoted = |path: &PathBuf| terminal::quoted(&path.to_string_lossy());
        self.lock.as_ref().map_or_else(String::new, |path| format!(" --lock {}", quoted(path)))
    }

    /// What may be served, `reader` having read the lock before. None: there is no lock, and none is wanted.
    ///
    /// # Errors
    /// When the lock is no good, or there is none and one is wanted.
    pub(super) fn gate(
        &self,
        file: Option<&Path>,
        config: &Config,
        reader: &Reader,
    ) -> anyhow::Result<Option<Gate>> {
        let path = self.path(file);
        let mode = self.lock_mode.or(config.lock_mode);
        let lock = reader.read(&path)?;
        if lock.is_some() {
            apart(&path, config)?;
        }
        match (lock, mode) {
            (_, Some(Mode::Open)) => Ok(Some(Gate::open())),
            (Some(lock), mode) => {
                let mode = mode.unwrap_or(Mode::Locked);
                Ok(Some(Gate::new(mode, lock, Kept::for_user())))
            }
            (None, Some(mode)) => anyhow::bail!(
                "mode `{}` needs a lock, and there is no `{}`; `portcullis approve{}` makes one",
                mode.word(),
                path.display(),
                self.words()
            ),
            (None, None) if self.lock.is_some() => anyhow::bail!(
                "there is no lock `{}`; `portcullis approve{}` makes one",
                path.display(),
                self.words()
            ),
            (None, None) => Ok(None),
        }
    }
}

/// Sees to it that no component can write its own lock.
///
/// # Errors
/// When the lock is in a directory that a component writes to.
pub(super) fn apart(lock: &Path, config: &Config) -> anyhow::Result<()> {
    let places = files::places(lock);
    let granted = config
        .components
        .iter()
        .flat_map(|component| component.grants.dirs.iter().map(move |dir| (component, dir)));
    let mut written = granted.filter(|(_, dir)| dir.access == Access::ReadWrite);
    match written.find(|(_, dir)| places.iter().any(|place| place.starts_with(&dir.host))) {
        Some((component, dir)) => anyhow::bail!(
            "component `{}` writes to `{}`, which has the lock `{}` in it; grant it a directory of \
             its own",
            component.id,
            dir.host.display(),
            lock.display()
        ),
        None => Ok(()),
    }
}

/// Reads the word for a mode.
fn mode() -> impl clap::builder::TypedValueParser<Value = Mode> {
    use clap::builder::{PossibleValuesParser, TypedValueParser as _};
    PossibleValuesParser::new(Mode::ALL.map(Mode::word)).try_map(|word| word.parse::<Mode>())
}
