//! The sources of a project: when somebody has saved one of them.
//!
//! What a build does to them is no save; else one build would follow the other without end.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::Event;
use tokio::time::{Instant, timeout_at};

use super::places::{Places, changes, parent};
use crate::build::Sources;
use crate::files::{self, Capped};

/// After the last save, for how long nothing may be saved before it is built.
const QUIET: Duration = Duration::from_millis(50);
/// The most directories of one root that are watched.
const DIRECTORIES_MAX: usize = 4096;
/// The most bytes of a file that are compared.
const COMPARED_BYTES_MAX: u64 = 16 << 20;

/// Notices saves.
pub(crate) struct Saves {
    places: Places,
    sources: Sources,
    /// What was in files that were written to during a build; none: nothing that could be read.
    seen: HashMap<PathBuf, Option<u64>>,
}

impl Saves {
    /// Watches these.
    pub(crate) fn of(sources: Sources) -> Self {
        let places = Places::new("what is saved there is not noticed");
        let mut saves = Self { places, sources: Sources::default(), seen: HashMap::new() };
        saves.follow(sources);
        saves
    }

    /// Watches these, and no others.
    pub(crate) fn follow(&mut self, sources: Sources) {
        self.sources = sources;
        self.look_around();
    }

    /// Watches the directories that there are now.
    fn look_around(&mut self) {
        let sources = &self.sources;
        let below = sources.directories.iter().flat_map(|root| {
            files::directories(root, |directory| sources.have(directory), DIRECTORIES_MAX)
        });
        let parents = sources.files.iter().map(|file| parent(file));
        let places = below.chain(parents).collect();
        self.places.watch(places);
    }

    /// Waits until something was saved and nothing more is, and returns the paths. What happened
    /// since the last time counts, unless a build may have done it.
    pub(crate) async fn next(&mut self) -> BTreeSet<PathBuf> {
        self.note_written();
        let mut saved = BTreeSet::new();
        while let Some(event) = self.places.past() {
            for path in self.written(event) {
                // A build that writes a source writes the same one time after time.
                if self.is_other(&path) {
                    saved.insert(path);
                }
            }
        }
        let mut wake = (!saved.is_empty()).then(|| Instant::now() + QUIET);
        loop {
            let event = match wake {
                None => self.places.next().await,
                Some(wake) => match timeout_at(wake, self.places.next()).await {
                    Ok(event) => event,
                    Err(_) => break,
                },
            };
            for path in self.written(event) {
                if self.is_saved(&path) {
                    saved.insert(path);
                    wake = Some(Instant::now() + QUIET);
                }
            }
        }
        // What was saved may be a directory.
        self.look_around();
        saved
    }

    /// Whatever a build has written to what it may write to, it has written by now.
    fn note_written(&mut self) {
        for written in &self.sources.written {
            self.seen.insert(written.clone(), content(written));
        }
    }

    /// The sources that an event says were written to.
    fn written(&self, event: Event) -> Vec<PathBuf> {
        if changes(&event).is_none() {
            return Vec::new();
        }
        event.paths.into_iter().filter(|path| self.sources.have(path)).collect()
    }

    /// Whether a file that was written to while no build ran was saved.
    fn is_saved(&mut self, path: &Path) -> bool {
        if self.sources.written.contains(path) {
            // Word of what a build did may come late.
            return self.is_other(path);
        }
        self.seen.remove(path);
        true
    }

    /// Whether a file has something else in it than when it was last looked at.
    fn is_other(&mut self, path: &Path) -> bool {
        let now = content(path);
        self.seen.insert(path.to_owned(), now) != Some(now)
    }
}

/// What is in a file, as a number.
fn content(path: &Path) -> Option<u64> {
    let Ok(Capped::Whole(bytes)) = files::read(path, COMPARED_BYTES_MAX) else { return None };
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    Some(hasher.finish())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests write files")]
mod tests {
    use super::*;

    fn saves() -> (tempfile::TempDir, PathBuf, Saves) {
        let directory = tempfile::tempdir().unwrap();
        let root = files::resolved(directory.path()).unwrap();
        let lock = root.join("Cargo.lock");
        std::fs::write(&lock, "1").unwrap();
        let saves = Saves::of(Sources {
            directories: [root.clone()].into(),
            aside: [root.join("target")].into(),
            written: [lock].into(),
            ..Sources::default()
        });
        (directory, root, saves)
    }

    #[tokio::test]
    async fn a_save_in_a_directory_that_is_new_is_noticed_and_what_is_built_is_not() {
        let (_directory, root, mut saves) = saves();
        std::fs::create_dir(root.join("src")).unwrap();
        assert!(saves.next().await.contains(&root.join("src")));
        for name in ["target", ".git"] {
            std::fs::create_dir(root.join(name)).unwrap();
            std::fs::write(root.join(name).join("x.rs"), "").unwrap();
        }
        std::fs::write(root.join("src/x.rs"), "").unwrap();
        assert_eq!(saves.next().await, [root.join("src/x.rs")].into());
    }

    #[test]
    fn what_builds_write_again_and_again_is_built_once() {
        let (_directory, root, mut saves) = saves();
        let file = root.join("made.rs");
        let mut in_a_build = |text: &str| {
            std::fs::write(&file, text).unwrap();
            saves.is_other(&file)
        };
        assert_eq!(
            ["1", "1", "1", "2", "2"].map(&mut in_a_build),
            [true, false, false, true, false]
        );
        // Somebody who saves it as it was wants it built, and so they do after that.
        assert!(saves.is_saved(&file) && saves.is_saved(&file) && saves.is_other(&file));
    }

    #[test]
    fn a_lock_file_that_a_build_wrote_is_no_save_and_one_that_somebody_wrote_is() {
        let (_directory, root, mut saves) = saves();
        let lock = root.join("Cargo.lock");
        std::fs::write(&lock, "2").unwrap();
        saves.note_written();
        assert!(!saves.is_other(&lock) && !saves.is_saved(&lock));
        std::fs::write(&lock, "3").unwrap();
        assert!(saves.is_saved(&lock));
    }
}
