//! Directories that only this user enters, and what is kept in them.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::moment;

/// Makes `directory`, if it is not there, and sees to it that only this user enters it.
///
/// # Errors
/// When it cannot be made, belongs to somebody else, or others may enter it.
#[cfg(unix)]
pub(crate) fn make_private(directory: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let metadata = std::fs::metadata(directory)?;
    anyhow::ensure!(
        metadata.uid() == rustix::process::geteuid().as_raw(),
        "it belongs to another user"
    );
    anyhow::ensure!(
        metadata.permissions().mode() & 0o077 == 0,
        "others may enter it; run `chmod 700` on it"
    );
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn make_private(directory: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(directory)?;
    Ok(())
}

/// Notes that a file was used. Where that cannot be written it is removed a little sooner.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) fn touch(path: &Path) {
    let _ = std::fs::File::open(path).and_then(|file| file.set_modified(moment::now()));
}

/// Removes the files in `directory` that were last used before `before`; none: no file is.
///
/// # Errors
/// When the directory cannot be listed.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) fn remove_unused(directory: &Path, before: Option<SystemTime>) -> io::Result<()> {
    let Some(before) = before else { return Ok(()) };
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let is_old =
            entry.metadata().and_then(|known| Ok(known.is_file() && known.modified()? < before));
        if is_old.unwrap_or(false) {
            // What cannot be removed, or is gone already, is removed another time.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// The sockets in `directory`, in order of their names.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) fn sockets(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut sockets = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        let is_socket = std::os::unix::fs::FileTypeExt::is_socket(&entry.file_type()?);
        if is_socket && path.extension().is_some_and(|extension| extension == "sock") {
            sockets.push(path);
        }
    }
    sockets.sort();
    Ok(sockets)
}
