//! The directories of the host that a guest sees: opened anew for each call, and never fuller than
//! their quotas.
//!
//! A call's handles on its granted directories are all that its paths start from, and nothing that
//! a guest did makes the host open another directory than the granted one:
//!
//! - *Inside*, wasmtime-wasi resolves each path beneath the handle and refuses what leads out of
//!   it: `..`, absolute paths, and symbolic links, whoever made them and whenever. On Linux the
//!   kernel does this in one step (`openat2`), so that nothing can be swapped in between.
//! - *On the way there*, the path of a grant is opened for each call, so that a directory that the
//!   operator replaces is followed. Where the path lies in a directory that another guest writes
//!   to, that guest can rename what is on the way, and put a symbolic link in its place. The config
//!   has therefore resolved every link, and a handle whose own path is not the granted one to the
//!   letter is not used. The kernel is asked for the path of what *was* opened, which no later swap
//!   changes into another. What such a guest can still do is put a directory of its own in the
//!   place, with what it could have written there anyway.

mod counted;
mod measure;
mod quota;
mod stream;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use wasmtime::component::{Resource, ResourceTable};
use wasmtime_wasi::filesystem::{Descriptor, WasiFilesystemCtx, WasiFilesystemCtxView};
use wasmtime_wasi::p2::bindings::filesystem::preopens;
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode;
use wasmtime_wasi::{FsPerms, WasiCtxBuilder};

use super::tally::Tally;
use crate::grants::{Access, DirGrant};
pub(super) use counted::{Counted, CountedFiles};
pub(super) use quota::Quotas;
use quota::{Identity, Room};

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

/// The directories of one call, and which of its descriptors lies in which.
#[derive(Debug, Default)]
pub(super) struct Directories {
    /// In the order of the grants; none: nothing is written there.
    rooms: Vec<Option<Room>>,
    /// The place in `rooms` of what each descriptor was opened from. Empty where nothing may be
    /// written at all.
    origins: HashMap<u32, usize>,
}

impl Directories {
    /// Looks at what [`open`] opened for `dirs`.
    ///
    /// # Errors
    /// The directory that is not where it was granted.
    pub(super) fn of(
        opened: &mut WasiFilesystemCtx,
        dirs: &[DirGrant],
        quotas: &Quotas,
        tally: &Tally,
    ) -> Result<Self, DirGrant> {
        let mut table = ResourceTable::new();
        let mut view = WasiFilesystemCtxView { ctx: opened, table: &mut table };
        let handles = preopens::Host::get_directories(&mut view).unwrap_or_default();
        let mut rooms = Vec::with_capacity(dirs.len());
        for (index, dir) in dirs.iter().enumerate() {
            let handle = handles.get(index).and_then(|(fd, _)| table.get(fd).ok());
            let identity = match handle {
                Some(Descriptor::Dir(handle)) => identity_at(&handle.dir, &dir.host),
                Some(Descriptor::File(_)) | None => None,
            };
            let identity = identity.ok_or_else(|| dir.clone())?;
            rooms.push(match dir.access {
                Access::ReadOnly => None,
                Access::ReadWrite => Some(Room::new(quotas.of(&dir.host, identity), dir, tally)),
            });
        }
        Ok(Self { rooms, origins: HashMap::new() })
    }

    /// Whether anything is counted: some grant can be written to.
    fn counts(&self) -> bool {
        self.rooms.iter().any(Option::is_some)
    }

    /// The room that `fd` writes to; none: it is read-only, which is for wasmtime-wasi to enforce.
    ///
    /// # Errors
    /// When it is not known where `fd` lies.
    fn room(&self, fd: &Resource<Descriptor>) -> Result<Option<Room>, ErrorCode> {
        if !self.counts() {
            return Ok(None);
        }
        let room = self.origins.get(&fd.rep()).and_then(|origin| self.rooms.get(*origin));
        room.cloned().ok_or(ErrorCode::NotPermitted)
    }

    /// The room that both write to; none: one of them is read-only.
    ///
    /// # Errors
    /// When each has its own. What is moved or linked from one to another would be counted nowhere,
    /// so they are as different file systems are, and guests know to copy then.
    fn room_of_both(
        &self,
        from: &Resource<Descriptor>,
        to: &Resource<Descriptor>,
    ) -> Result<Option<Room>, ErrorCode> {
        match (self.room(from)?, self.room(to)?) {
            (Some(from), Some(to)) if from.is_in_with(&to) => Ok(Some(to)),
            (Some(_), Some(_)) => Err(ErrorCode::CrossDevice),
            (None, Some(_) | None) | (Some(_), None) => Ok(None),
        }
    }

    /// `fd` was opened from the grant at `origin`.
    fn opened_grant(&mut self, fd: &Resource<Descriptor>, origin: usize) {
        if self.counts() {
            self.origins.insert(fd.rep(), origin);
        }
    }

    /// What is opened from `fd` lies where `fd` does.
    fn opened_from(&mut self, fd: u32, opened: &Resource<Descriptor>) {
        if let Some(origin) = self.origins.get(&fd).copied() {
            self.origins.insert(opened.rep(), origin);
        }
    }

    /// `fd` is closed, and its number can stand for another.
    fn closed(&mut self, fd: u32) {
        self.origins.remove(&fd);
    }

    /// How many descriptors are known.
    #[cfg(test)]
    fn known(&self) -> usize {
        self.origins.len()
    }
}

/// Which directory `handle` is, if it is the one at `path`.
fn identity_at(handle: &Arc<File>, path: &Path) -> Option<Identity> {
    let there = own_path(handle, path).is_ok_and(|own| own == path);
    if there { Identity::of(handle).ok() } else { None }
}

/// The path of what was opened, without links.
#[cfg(target_os = "linux")]
fn own_path(handle: &File, _path: &Path) -> io::Result<std::path::PathBuf> {
    use std::os::fd::AsRawFd as _;
    std::fs::read_link(format!("/proc/self/fd/{}", handle.as_raw_fd()))
}

/// The path of what is at `path` now, without links, where a handle cannot be asked for its own.
#[cfg(not(target_os = "linux"))]
fn own_path(_handle: &File, path: &Path) -> io::Result<std::path::PathBuf> {
    std::fs::canonicalize(path)
}
