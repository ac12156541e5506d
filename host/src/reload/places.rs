//! Directories that are watched, and what happens to what is in them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use notify::event::{AccessKind, AccessMode, ModifyKind, RenameMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

/// Watched directories, without those that are in them.
pub(super) struct Places {
    watcher: Option<RecommendedWatcher>,
    events: UnboundedReceiver<Event>,
    watched: BTreeSet<PathBuf>,
    /// What it means that one cannot be watched.
    otherwise: &'static str,
    /// Events end when there is nobody to send them, and nothing waits for their end.
    _open: UnboundedSender<Event>,
}

impl Places {
    /// None yet. Where they cannot be watched, the log says so, and what that means.
    pub(super) fn new(otherwise: &'static str) -> Self {
        let (events, heard) = mpsc::unbounded_channel();
        let open = events.clone();
        let tell = move |event: notify::Result<Event>| {
            // Nobody listens any more when the server ends.
            let _ = event.map(|event| events.send(event));
        };
        let watcher = match notify::recommended_watcher(tell) {
            Ok(watcher) => Some(watcher),
            Err(error) => {
                tracing::warn!("files cannot be watched: {error}; {otherwise}");
                None
            }
        };
        Self { watcher, events: heard, watched: BTreeSet::new(), otherwise, _open: open }
    }

    /// Watches these, and no others.
    pub(super) fn watch(&mut self, places: BTreeSet<PathBuf>) {
        if let Some(watcher) = &mut self.watcher {
            for place in self.watched.difference(&places) {
                // It may be gone, and so is the watch then.
                let _ = watcher.unwatch(place);
            }
            for place in places.difference(&self.watched) {
                if let Err(error) = watcher.watch(place, RecursiveMode::NonRecursive) {
                    let place = place.display();
                    tracing::warn!("`{place}` cannot be watched: {error}; {}", self.otherwise);
                }
            }
        }
        self.watched = places;
    }

    /// Waits for the next event.
    pub(super) async fn next(&mut self) -> Event {
        match self.events.recv().await {
            Some(event) => event,
            None => std::future::pending().await,
        }
    }

    /// An event that was there before.
    pub(super) fn past(&mut self) -> Option<Event> {
        self.events.try_recv().ok()
    }
}

/// The directory that `file` is in.
pub(super) fn parent(file: &Path) -> PathBuf {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        Some(_) | None => PathBuf::from("."),
    }
}

/// What whoever changed a file may do to it yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// It is open for writing.
    Write,
    /// Nothing more to this file, but maybe to others, or to it once more.
    GoOn,
    /// Nothing: what was put in place by a rename was whole before.
    Nothing,
}

/// Whether an event says that something was changed; and then, what may follow.
pub(super) fn changes(event: &Event) -> Option<Then> {
    match &event.kind {
        EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Any) => {
            Some(if cfg!(target_os = "linux") { Then::Write } else { Then::GoOn })
        }
        EventKind::Modify(ModifyKind::Name(RenameMode::To | RenameMode::Both)) => {
            Some(Then::Nothing)
        }
        EventKind::Access(AccessKind::Close(AccessMode::Write))
        | EventKind::Create(_)
        | EventKind::Remove(_)
        | EventKind::Modify(ModifyKind::Name(_) | ModifyKind::Metadata(_) | ModifyKind::Other)
        | EventKind::Any
        | EventKind::Other => Some(Then::GoOn),
        EventKind::Access(
            AccessKind::Any
            | AccessKind::Read
            | AccessKind::Open(_)
            | AccessKind::Other
            | AccessKind::Close(
                AccessMode::Any | AccessMode::Execute | AccessMode::Read | AccessMode::Other,
            ),
        ) => None,
    }
}
