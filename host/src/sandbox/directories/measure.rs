//! How much is in a directory: the bytes of its files and links, and 4 KiB for each entry.
//!
//! No link is followed, and a directory with more entries than can be looked at is full.

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
use std::sync::{Arc, Weak};

/// What an entry takes beside the bytes in it.
pub(super) const ENTRY_BYTES: u64 = 4096;
/// Entries that are looked at.
const ENTRIES_MAX: usize = 1_000_000;

/// What is in the directory at `path`; `u64::MAX` when that cannot be found out.
pub(super) fn measure(path: &Path) -> u64 {
    let mut sum = Sum::default();
    match sum.walk(path, ENTRIES_MAX) {
        Ok(()) => sum.bytes,
        Err(_) => u64::MAX,
    }
}

/// What was seen so far.
#[derive(Debug, Default)]
struct Sum {
    bytes: u64,
    entries: usize,
    /// Files with more names than one, which are counted once.
    seen: HashSet<(u64, u64)>,
}

impl Sum {
    #[expect(clippy::disallowed_methods, reason = "this is the door")]
    fn walk(&mut self, path: &Path, entries_max: usize) -> io::Result<()> {
        let mut directories = vec![path.to_owned()];
        while let Some(directory) = directories.pop() {
            let Some(entries) = there(std::fs::read_dir(&directory))? else { continue };
            for entry in entries {
                let entry = entry?;
                self.entries += 1;
                if self.entries > entries_max {
                    return Err(io::ErrorKind::QuotaExceeded.into());
                }
                let Some(metadata) = there(entry.metadata())? else { continue };
                self.add(&metadata);
                if metadata.is_dir() {
                    directories.push(entry.path());
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, metadata: &Metadata) {
        let again = links(metadata).is_some_and(|(file, names)| {
            !metadata.is_dir() && names > 1 && !self.seen.insert(file)
        });
        let inside = if metadata.is_dir() || again { 0 } else { metadata.len() };
        self.bytes = self.bytes.saturating_add(ENTRY_BYTES).saturating_add(inside);
    }
}

/// What is gone by now, or is closed to this process (and so to its guests), holds nothing.
fn there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The bytes of those of `files` that are open and have no name any more.
pub(super) fn nameless(files: &[Weak<File>]) -> u64 {
    let bytes = files.iter().filter_map(Weak::upgrade).filter_map(|file| bytes_nameless(&file));
    bytes.fold(0, u64::saturating_add)
}

fn bytes_nameless(file: &Arc<File>) -> Option<u64> {
    let metadata = file.metadata().ok()?;
    is_nameless(&metadata).then_some(metadata.len())
}

/// Whether a file that is open was removed.
pub(super) fn is_nameless(metadata: &Metadata) -> bool {
    links(metadata).is_some_and(|(_, names)| names == 0)
}

/// Which file it is, and how many names it has.
#[cfg(unix)]
fn links(metadata: &Metadata) -> Option<((u64, u64), u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some(((metadata.dev(), metadata.ino()), metadata.nlink()))
}

/// Each name counts as a file of its own, where files cannot be told apart.
#[cfg(not(unix))]
fn links(_metadata: &Metadata) -> Option<((u64, u64), u64)> {
    None
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests write files")]
mod tests {
    use super::*;

    #[test]
    fn files_count_with_their_bytes_and_every_entry_with_a_block() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(measure(directory.path()), 0);
        std::fs::write(directory.path().join("a"), [0; 100]).unwrap();
        std::fs::create_dir(directory.path().join("b")).unwrap();
        std::fs::write(directory.path().join("b/c"), [0; 10]).unwrap();
        assert_eq!(measure(directory.path()), 3 * ENTRY_BYTES + 110);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_with_two_names_counts_once_and_a_link_is_not_followed() {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("large"), [0; 5000]).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let [one, two, link] = ["one", "two", "link"].map(|name| directory.path().join(name));
        std::fs::write(&one, [0; 100]).unwrap();
        std::fs::hard_link(&one, &two).unwrap();
        std::os::unix::fs::symlink(outside.path(), &link).unwrap();
        let length = outside.path().as_os_str().len() as u64;
        assert_eq!(measure(directory.path()), 3 * ENTRY_BYTES + 100 + length);
    }

    #[test]
    fn what_has_too_many_entries_is_full() {
        let directory = tempfile::tempdir().unwrap();
        for name in 0..4 {
            std::fs::write(directory.path().join(name.to_string()), []).unwrap();
        }
        assert!(Sum::default().walk(directory.path(), 4).is_ok());
        assert!(Sum::default().walk(directory.path(), 3).is_err());
    }
}
