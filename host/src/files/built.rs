//! Files that builds read and write.

use std::io;
use std::path::{Path, PathBuf};

use super::{Capped, directories, make_directories, read, replace};

/// The regular files in `root` and below it whose names end in one of `extensions`, in order of their
/// paths; those of at most so many directories.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) fn with_extensions(
    root: &Path,
    extensions: &[&str],
    directories_max: usize,
) -> Vec<PathBuf> {
    let is_one = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| extensions.contains(&extension)) && path.is_file()
    };
    let below = directories(root, |_| true, directories_max);
    // What cannot be read has nothing to show.
    let entries = below.iter().flat_map(std::fs::read_dir).flatten();
    let mut found: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(is_one).collect();
    found.sort();
    found
}

/// Makes the file at `path` have `bytes`, and makes the directories that it is in. One that already
/// has them is not touched: compilers go by its time, and so does whoever watches.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn update(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if let Ok(Capped::Whole(before)) = read(path, length)
        && before == bytes
    {
        return Ok(());
    }
    if let Some(directory) = path.parent() {
        make_directories(directory)?;
    }
    replace(path, bytes)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests read and write files")]
mod tests {
    use super::*;

    #[test]
    fn sources_are_found_below_in_order_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let names = ["b.c", "a.c", "deep/er/c.c", "a.h", "README", "d.cc", "no.c/x"];
        for name in names {
            update(&directory.path().join(name), b"").unwrap();
        }
        let found = with_extensions(directory.path(), &["c", "cc"], 10);
        let expected = ["a.c", "b.c", "d.cc", "deep/er/c.c"];
        assert_eq!(found, expected.map(|name| directory.path().join(name)));
        assert!(with_extensions(&directory.path().join("none"), &["c"], 10).is_empty());
    }

    #[test]
    fn what_is_as_it_should_be_is_not_touched() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new/a");
        let modified = || std::fs::metadata(&path).unwrap().modified().unwrap();
        update(&path, b"one").unwrap();
        let long_ago = std::time::SystemTime::UNIX_EPOCH;
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
        update(&path, b"one").unwrap();
        assert_eq!(modified(), long_ago);
        update(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert!(modified() > long_ago);
    }
}
