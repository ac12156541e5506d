//! The bytes that were approved, kept by their digest, so that they go on serving when the file is
//! another one, and after a restart.
//!
//! What is read has the digest that it is asked for by, whoever wrote it.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use etcetera::BaseStrategy as _;

use crate::component::digest;
use crate::files::{self, Capped};
use crate::moment;

/// A directory of approved components that only its owner can enter.
#[derive(Clone, Debug)]
pub struct Kept {
    directory: PathBuf,
}

/// For how long bytes are kept that no server has asked for.
const UNUSED_MAX: Duration = Duration::from_secs(180 * 24 * 60 * 60);

impl Kept {
    /// That of the user: `$XDG_DATA_HOME/portcullis/approved`, or what the system has for it. None
    /// where there is no home, or the directory cannot be made private.
    #[must_use]
    pub fn for_user() -> Option<Self> {
        let base = etcetera::choose_base_strategy().ok()?;
        let directory = base.data_dir().join("portcullis").join("approved");
        match Self::at(directory.clone()) {
            Ok(kept) => Some(kept),
            Err(error) => {
                let place = directory.display();
                tracing::warn!("approved components are not kept in {place}: {error:#}");
                None
            }
        }
    }

    /// In `directory`, which is made if need be.
    ///
    /// # Errors
    /// When it cannot be made, belongs to somebody else, or others may enter it.
    pub fn at(directory: PathBuf) -> anyhow::Result<Self> {
        files::make_private(&directory)?;
        Ok(Self { directory })
    }

    /// The bytes of this digest, if they are there, are no more than `bytes_max`, and have it.
    pub(super) fn find(&self, digest_hex: &str, bytes_max: u64) -> Option<Vec<u8>> {
        let path = self.path(digest_hex);
        match files::read(&path, bytes_max) {
            Ok(Capped::Whole(bytes)) if digest(&bytes) == digest_hex => {
                files::touch(&path);
                Some(bytes)
            }
            Ok(Capped::Whole(_) | Capped::TooLarge) => {
                tracing::warn!("{} is not as it was approved, and not used", path.display());
                None
            }
            Err(_) => None,
        }
    }

    /// Keeps `bytes`, and no longer those that have not been asked for in half a year.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn keep(&self, bytes: &[u8]) -> io::Result<()> {
        let path = self.path(&digest(bytes));
        // What is there and is something else is written anew.
        if matches!(files::read(&path, bytes.len() as u64), Ok(Capped::Whole(known)) if known == bytes)
        {
            files::touch(&path);
            return Ok(());
        }
        files::replace(&path, bytes)?;
        files::remove_unused(&self.directory, moment::now().checked_sub(UNUSED_MAX))
    }

    fn path(&self, digest: &str) -> PathBuf {
        self.directory.join(format!("{digest}.wasm"))
    }
}
