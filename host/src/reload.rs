//! Keeping up with the files that are served: when to look again, and what to say about it.
//!
//! One task does it, so that one reload follows the other. What runs is never touched: a reload
//! loads beside it and then swaps one pointer.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use crate::config::Config;
use crate::host::Host;
use crate::present::clean;

/// After the last change, for how long nothing may happen before files are looked at.
const QUIET: Duration = Duration::from_millis(40);
/// For how long a file that somebody has open for writing is waited for after the last change.
const OPEN_MAX: Duration = Duration::from_secs(10);
/// How often files are looked at without a sign: a link far above one may have been changed.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// Watches the files of a config.
pub(crate) struct Watch {
    watcher: Option<RecommendedWatcher>,
    events: mpsc::UnboundedReceiver<Event>,
    places: BTreeSet<PathBuf>,
    files: BTreeSet<PathBuf>,
    directories: BTreeSet<PathBuf>,
}

impl Watch {
    /// Watches nothing yet.
    pub(crate) fn new() -> Self {
        let (events, heard) = mpsc::unbounded_channel();
        let tell = move |event: notify::Result<Event>| {
            // Nobody listens any more when the server ends.
            let _ = event.map(|event| events.send(event));
        };
        let watcher = match notify::recommended_watcher(tell) {
            Ok(watcher) => Some(watcher),
            Err(error) => {
                tracing::warn!("files are looked at every 2 s only: {error}");
                None
            }
        };
        Self {
            watcher,
            events: heard,
            places: BTreeSet::new(),
            files: BTreeSet::new(),
            directories: BTreeSet::new(),
        }
    }

    /// Watches these files, and the components in these directories, and no others.
    pub(crate) fn follow(&mut self, files: BTreeSet<PathBuf>, directories: BTreeSet<PathBuf>) {
        let parents = files.iter().map(|file| match file.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            Some(_) | None => PathBuf::from("."),
        });
        let places: BTreeSet<PathBuf> = parents.chain(directories.iter().cloned()).collect();
        if let Some(watcher) = &mut self.watcher {
            for place in self.places.difference(&places) {
                // It may be gone, and so is the watch then.
                let _ = watcher.unwatch(place);
            }
            for place in places.difference(&self.places) {
                if let Err(error) = watcher.watch(place, RecursiveMode::NonRecursive) {
                    tracing::warn!("{} is looked at every 2 s only: {error}", place.display());
                }
            }
        }
        self.places = places;
        self.files = files;
        self.directories = directories;
    }

    /// Waits until something may have changed, and nobody is at it any more.
    pub(crate) async fn changed(&mut self) {
        let mut open: BTreeSet<PathBuf> = BTreeSet::new();
        let mut wake = Instant::now() + LOOK_AGAIN;
        while let Ok(Some(event)) = timeout_at(wake, self.events.recv()).await {
            let Some(stays_open) = self.concerns(&event) else { continue };
            for path in event.paths {
                if stays_open {
                    open.insert(path);
                } else {
                    open.remove(&path);
                }
            }
            wake = Instant::now() + if open.is_empty() { QUIET } else { OPEN_MAX };
        }
    }

    /// Whether an event says that something was changed that is followed; and then, whether
    /// whoever changes it may go on.
    fn concerns(&self, event: &Event) -> Option<bool> {
        let stays_open = match &event.kind {
            EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Any) => cfg!(target_os = "linux"),
            EventKind::Access(AccessKind::Close(AccessMode::Write))
            | EventKind::Create(_)
            | EventKind::Remove(_)
            | EventKind::Modify(
                ModifyKind::Name(_) | ModifyKind::Metadata(_) | ModifyKind::Other,
            )
            | EventKind::Any
            | EventKind::Other => false,
            EventKind::Access(
                AccessKind::Any
                | AccessKind::Read
                | AccessKind::Open(_)
                | AccessKind::Other
                | AccessKind::Close(
                    AccessMode::Any | AccessMode::Execute | AccessMode::Read | AccessMode::Other,
                ),
            ) => return None,
        };
        let is_followed = |path: &PathBuf| {
            let name = path.file_name();
            let is_file = self.files.iter().any(|file| file.file_name() == name);
            let is_component = path.extension().is_some_and(|extension| extension == "wasm");
            is_file || is_component && !self.directories.is_empty()
        };
        event.paths.iter().any(is_followed).then_some(stays_open)
    }
}

/// What is said once and not again as long as it stays so.
#[derive(Default)]
pub(crate) struct Said {
    config: Option<String>,
    faults: HashMap<String, String>,
}

impl Said {
    /// Serves what `config` says now, and says what has changed and what is wrong.
    pub(crate) async fn renew(&mut self, host: &Host, config: &Config) {
        self.config = None;
        let renewed = host.renew(config).await;
        for component in &renewed.loaded {
            let (id, digest) = (&component.id, &component.digest[..12]);
            tracing::info!(
                "component `{id}` is served in version {} ({digest})",
                component.version
            );
        }
        for component in &renewed.gone {
            let why = match component.file().exists() {
                true => "the config does not name it any more",
                false => "its file is gone",
            };
            tracing::info!("component `{}` is not served any more: {why}", component.id);
        }
        let faults = renewed.faults.iter().map(|fault| (fault.id.clone(), fault.to_string()));
        let faults: HashMap<String, String> = faults.collect();
        for fault in &renewed.faults {
            let text = fault.to_string();
            if self.faults.get(&fault.id) == Some(&text) {
                continue;
            }
            let stays =
                host.catalog().components().iter().any(|component| *component.id == *fault.id);
            let then = if stays { "the last version stays" } else { "it is not served" };
            tracing::error!("{}; {then}", clean::text(&text.replace('\n', " ")));
        }
        self.faults = faults;
    }

    /// Says that there is no config to serve, and that the last one stays.
    pub(crate) fn refused(&mut self, why: &str) {
        let line = clean::text(&why.replace('\n', " "));
        if self.config.as_ref() != Some(&line) {
            tracing::error!("the config is not reloaded, the last one stays: {line}");
            self.config = Some(line);
        }
    }
}
