//! Reading WIT packages, under limits.

use std::io;
use std::path::Path;

use wit_parser::{PackageId, Resolve};

/// The most bytes that the files of a WIT package may have, those that it depends on included.
const WIT_BYTES_MAX: u64 = 16 << 20;
/// The most entries of its directories.
const WIT_ENTRIES_MAX: usize = 10_000;

/// Puts the WIT package at `path` into `resolve`: a file, or a directory with `deps` in it.
///
/// # Errors
/// When it cannot be read, has more than 16 MiB, or is no WIT. Spans in the error are those of
/// `resolve`.
pub(crate) fn read_wit(resolve: &mut Resolve, path: &Path) -> anyhow::Result<PackageId> {
    let (mut bytes, mut entries) = (0, 0);
    // A package of `deps` is a directory without further ones.
    measure(path, 2, &mut bytes, &mut entries)?;
    anyhow::ensure!(bytes <= WIT_BYTES_MAX, "its files have more than {WIT_BYTES_MAX} bytes");
    anyhow::ensure!(entries <= WIT_ENTRIES_MAX, "it has more than {WIT_ENTRIES_MAX} entries");
    let (package, _) = resolve.push_path(path)?;
    Ok(package)
}

/// Adds up what is at `path`, as far as a reader of WIT looks.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
fn measure(path: &Path, levels: usize, bytes: &mut u64, entries: &mut usize) -> io::Result<()> {
    let metadata = std::fs::metadata(path)?;
    *entries += 1;
    if !metadata.is_dir() {
        *bytes = bytes.saturating_add(metadata.len());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        let inner = entry?.path();
        let is_wit = inner.extension().is_some_and(|e| e == "wit" || e == "wasm" || e == "wat");
        if *entries <= WIT_ENTRIES_MAX && (is_wit || levels > 0 && inner.is_dir()) {
            measure(&inner, levels.saturating_sub(1), bytes, entries)?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests read and write files")]
mod tests {
    use super::*;

    #[test]
    fn a_wit_package_that_is_too_large_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(directory.path().join("deps/b")).unwrap();
        let large = std::fs::File::create(directory.path().join("deps/b/b.wit")).unwrap();
        large.set_len(WIT_BYTES_MAX + 1).unwrap();
        let error = read_wit(&mut Resolve::default(), directory.path()).unwrap_err();
        assert_eq!(error.to_string(), "its files have more than 16777216 bytes");
    }
}
