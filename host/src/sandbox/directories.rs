//! The directories of the host that a guest sees.

use wasmtime_wasi::{FsPerms, WasiCtxBuilder};

use crate::grants::{Access, DirGrant};

/// Opens the directories for one call.
///
/// # Errors
/// The directory that cannot be opened.
pub(super) fn open(wasi: &mut WasiCtxBuilder, dirs: &[DirGrant]) -> Result<(), DirGrant> {
    for dir in dirs {
        let perms = match dir.access {
            Access::ReadOnly => FsPerms::ReadOnly,
            Access::ReadWrite => FsPerms::ReadWrite,
        };
        wasi.preopened_dir(&dir.host, &dir.guest, perms).map_err(|_| dir.clone())?;
    }
    Ok(())
}
