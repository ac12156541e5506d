//! Reading and writing files. One that is already as it should be is not written: compilers go by
//! its time, and so does whoever watches.

use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// What is in the file at `path`.
///
/// # Errors
/// When it cannot be read.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Makes the file at `path`, and the directories above it, have `contents`.
///
/// # Errors
/// When it cannot be written.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) fn write(path: &Path, contents: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|before| before == contents) {
        return Ok(());
    }
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)
            .with_context(|| format!("cannot make the directory {}", directory.display()))?;
    }
    fs::write(path, contents).with_context(|| format!("cannot write {}", path.display()))
}
