//! The files of a config: when they have changed, and whoever changes them is done.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::time::Duration;

use notify::Event;
use tokio::time::{Instant, timeout_at};

use crate::loading::Busy;

use super::places::{Places, Then, changes, parent};

/// After the last change, for how long nothing may happen before files are looked at.
const QUIET: Duration = Duration::from_millis(40);
/// The same where all that happened is that files were put in place by renames.
const QUIET_AFTER_RENAMES: Duration = Duration::from_millis(10);
/// For how long a file that somebody has open for writing is waited for after the last change.
const OPEN_MAX: Duration = Duration::from_secs(10);
/// How often files are looked at without a sign: a link far above one may have been changed.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// Watches the files of a config.
pub(crate) struct Watch {
    places: Places,
    files: BTreeSet<PathBuf>,
    directories: BTreeSet<PathBuf>,
    /// Files that somebody has open for writing, and when they were last written to.
    open: HashMap<PathBuf, Instant>,
}

impl Watch {
    /// Watches nothing yet.
    pub(crate) fn new() -> Self {
        Self {
            places: Places::new("it is looked at every 2 s"),
            files: BTreeSet::new(),
            directories: BTreeSet::new(),
            open: HashMap::new(),
        }
    }

    /// Watches these files, and the components in these directories, and no others.
    pub(crate) fn follow(&mut self, files: BTreeSet<PathBuf>, directories: BTreeSet<PathBuf>) {
        let parents = files.iter().map(|file| parent(file));
        self.places.watch(parents.chain(directories.iter().cloned()).collect());
        self.files = files;
        self.directories = directories;
    }

    /// Waits until something may have changed, and nobody is at it any more: but no longer than
    /// [`OPEN_MAX`] after the first change, so that who writes to one file for long holds up nothing
    /// else.
    pub(crate) async fn changed(&mut self) {
        let mut wake = Instant::now() + LOOK_AGAIN;
        let mut until: Option<Instant> = None;
        let mut quiet = QUIET_AFTER_RENAMES;
        while let Ok(event) = timeout_at(wake, self.places.next()).await {
            let Some(then) = self.concerns(&event) else { continue };
            let now = Instant::now();
            for path in event.paths {
                match then {
                    Then::Write => self.open.insert(path, now),
                    Then::GoOn | Then::Nothing => self.open.remove(&path),
                };
            }
            if then != Then::Nothing {
                quiet = QUIET;
            }
            let until = *until.get_or_insert(now + OPEN_MAX);
            wake = until.min(now + if self.open.is_empty() { quiet } else { OPEN_MAX });
            if now >= until {
                break;
            }
        }
        let now = Instant::now();
        self.open.retain(|_, written| now.duration_since(*written) < OPEN_MAX);
    }

    /// The names of the files that somebody is writing to.
    pub(crate) fn busy(&self) -> Busy {
        self.open.keys().filter_map(|path| path.file_name()).map(ToOwned::to_owned).collect()
    }

    /// Whether an event says that something was changed that is followed; and then, what may follow.
    fn concerns(&self, event: &Event) -> Option<Then> {
        let then = changes(event)?;
        let is_followed = |path: &PathBuf| {
            let name = path.file_name();
            let is_file = self.files.iter().any(|file| file.file_name() == name);
            let is_component = path.extension().is_some_and(|extension| extension == "wasm");
            is_file || is_component && !self.directories.is_empty()
        };
        event.paths.iter().any(is_followed).then_some(then)
    }
}
