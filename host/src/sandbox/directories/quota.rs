//! How full the directories are that guests write to.
//!
//! At most one change is made to a directory at a time, and each is admitted before it is begun:
//! what is taken to be in use is never less than what is there, as far as guests put it there.
//! Removing takes no turn; what is removed counts until the directory is measured anew. What comes
//! in otherwise counts from then on too: by the operator's programs, or by guests that are granted a
//! directory within this one, or around it, which have turns of their own.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::OwnedMutexGuard;
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode;
use wasmtime_wasi::runtime::spawn_blocking;

use super::measure;
use crate::grants::DirGrant;
use crate::sandbox::tally::{Denied, Tally};

/// After a measurement, how many times as long as it took no other is made, so that a guest at its
/// quota does not keep the host measuring.
const PAUSE_FACTOR: u32 = 10;
/// How long a guest waits for that, rather than being refused.
const PAUSE_MAX: Duration = Duration::from_secs(1);
/// How many open files there are before those that were closed are forgotten.
const OPEN_LEAST: usize = 64;

/// The directories that guests have written to, of all calls.
#[derive(Debug, Default)]
pub(crate) struct Quotas(Mutex<HashMap<PathBuf, Arc<Quota>>>);

impl Quotas {
    /// The one of the directory at `path`, a path without links.
    pub(super) fn of(&self, path: &Path, identity: Identity) -> Arc<Quota> {
        let mut quotas = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = quotas.get(path).filter(|known| known.identity == identity) {
            return Arc::clone(known);
        }
        let quota = Arc::new(Quota {
            path: path.to_owned(),
            identity,
            books: Arc::new(tokio::sync::Mutex::new(Books::unknown())),
            open: Mutex::default(),
        });
        quotas.insert(path.to_owned(), Arc::clone(&quota));
        quota
    }
}

/// Which directory it is, whatever its path: the operator may put another in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity(u64, u64);

impl Identity {
    #[cfg(unix)]
    pub(super) fn of(directory: &File) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = directory.metadata()?;
        Ok(Self(metadata.dev(), metadata.ino()))
    }

    #[cfg(not(unix))]
    pub(super) fn of(directory: &File) -> io::Result<Self> {
        directory.metadata().map(|_| Self(0, 0))
    }
}

/// How full one directory is.
#[derive(Debug)]
pub(super) struct Quota {
    path: PathBuf,
    identity: Identity,
    /// Who holds them is the only one to change the directory.
    books: Arc<tokio::sync::Mutex<Books>>,
    /// The files in it that guests have opened: one that is removed takes room until it is closed.
    open: Mutex<Vec<Weak<File>>>,
}

#[derive(Debug)]
struct Books {
    used: u64,
    measure_not_before: Instant,
}

impl Books {
    /// Full until it is measured, which is when something is to be written.
    fn unknown() -> Self {
        Self { used: u64::MAX, measure_not_before: Instant::now() }
    }

    fn have(&self, bytes: u64, bytes_max: u64) -> bool {
        self.used.checked_add(bytes).is_some_and(|used| used <= bytes_max)
    }
}

impl Quota {
    /// Measures the directory. Goes on to its end if nobody waits for it any more, so that there
    /// are never two at it.
    async fn measure(
        self: &Arc<Self>,
        mut books: OwnedMutexGuard<Books>,
    ) -> OwnedMutexGuard<Books> {
        let quota = Arc::clone(self);
        spawn_blocking(move || {
            let began = Instant::now();
            let named = measure::measure(&quota.path);
            // After the walk: a file that is removed meanwhile is seen by one of them at least.
            let open = quota.open.lock().unwrap_or_else(PoisonError::into_inner).clone();
            books.used = named.saturating_add(measure::nameless(&open));
            let now = Instant::now();
            books.measure_not_before = now + (now - began) * PAUSE_FACTOR;
            books
        })
        .await
    }

    /// A guest has opened `file`.
    fn opened(&self, file: &Arc<File>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= OPEN_LEAST && open.len() == open.capacity() {
            open.retain(|file| file.strong_count() > 0);
        }
        open.push(Arc::downgrade(file));
    }
}

/// The room that one call has in a directory.
#[derive(Clone, Debug)]
pub(super) struct Room {
    quota: Arc<Quota>,
    bytes_max: u64,
    guest: Arc<str>,
    tally: Tally,
}

/// What a change could add.
#[derive(Clone, Debug)]
pub(super) enum Adds {
    /// So many bytes.
    Bytes(u64),
    /// What a file lacks to be so long.
    UpTo(Arc<File>, u64),
}

impl Room {
    pub(super) fn new(quota: Arc<Quota>, dir: &DirGrant, tally: &Tally) -> Self {
        let guest = Arc::from(dir.guest.as_str());
        Self { quota, bytes_max: dir.quota_bytes_max, guest, tally: tally.clone() }
    }

    /// Whether both are in one directory.
    pub(super) fn is_in_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.quota, &other.quota)
    }

    /// Waits for the turn to change the directory, and makes sure of the room for it.
    ///
    /// # Errors
    /// [`ErrorCode::Quota`] when there is none, even if the directory is measured anew.
    pub(super) async fn admit(&self, adds: Adds) -> Result<Admitted, ErrorCode> {
        let mut waited = false;
        loop {
            let mut books = Arc::clone(&self.quota.books).lock_owned().await;
            let bytes = adds.now().await?;
            if bytes == 0 || books.have(bytes, self.bytes_max) {
                return Ok(Admitted { books, bytes });
            }
            let pause = books.measure_not_before.saturating_duration_since(Instant::now());
            if pause.is_zero() {
                books = self.quota.measure(books).await;
                if books.have(bytes, self.bytes_max) {
                    return Ok(Admitted { books, bytes });
                }
                return Err(self.full());
            }
            if waited || pause > PAUSE_MAX {
                return Err(self.full());
            }
            drop(books);
            tokio::time::sleep(pause).await;
            waited = true;
        }
    }

    fn full(&self) -> ErrorCode {
        self.tally.deny(Denied::Quota(self.guest.to_string()));
        ErrorCode::Quota
    }

    /// Keeps an eye on a file that was opened.
    ///
    /// # Errors
    /// When it has no name any more: a measurement may have missed it, so it is not used.
    pub(super) async fn watch(&self, file: &Arc<File>) -> Result<(), ErrorCode> {
        self.quota.opened(file);
        let file = Arc::clone(file);
        let metadata = spawn_blocking(move || file.metadata()).await?;
        if measure::is_nameless(&metadata) { Err(ErrorCode::NoEntry) } else { Ok(()) }
    }
}

impl Adds {
    /// How much it is while nobody else changes the file.
    async fn now(&self) -> io::Result<u64> {
        match self {
            Self::Bytes(bytes) => Ok(*bytes),
            Self::UpTo(file, end) => {
                let file = Arc::clone(file);
                let metadata = spawn_blocking(move || file.metadata()).await?;
                Ok(end.saturating_sub(metadata.len()))
            }
        }
    }
}

/// The turn to make one change. Nothing else changes the directory until it is dropped.
#[derive(Debug)]
pub(super) struct Admitted {
    books: OwnedMutexGuard<Books>,
    bytes: u64,
}

impl Admitted {
    /// The change was made, or some of it.
    pub(super) fn made(mut self) {
        self.books.used = self.books.used.saturating_add(self.bytes);
    }
}
