//! Whether a file is as it was, without reading it.

use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::moment;

/// What can be seen of a file without reading it: where it is equal, the file is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
    /// Device and number, where files have one.
    identity: Option<(u64, u64)>,
}

impl Stamp {
    /// That of the file that `path` leads to.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let known = std::fs::metadata(path)?;
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt as _;
            Some((known.dev(), known.ino()))
        };
        #[cfg(not(unix))]
        let identity = None;
        Ok(Self { bytes: known.len(), modified: known.modified().ok(), identity })
    }

    /// Whether the file was last written to so long ago.
    pub(crate) fn is_older_than(&self, age: Duration) -> bool {
        let age_now =
            self.modified.and_then(|modified| moment::now().duration_since(modified).ok());
        age_now.is_some_and(|now| now > age)
    }

    /// How large it is.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it is the same file, whatever is in it.
    pub(crate) fn is_same_file(&self, other: &Self) -> bool {
        self.identity == other.identity
    }
}
