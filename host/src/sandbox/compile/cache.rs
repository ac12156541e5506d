//! Compiled code on disk, so that a component is compiled once.
//!
//! An entry's name is the component's digest and the engine's compatibility hash, so that code for
//! another build, another engine setting or another processor is never found; and an entry is
//! loaded only if it is sealed, under this name, with the key of the cache.

use std::fs;
use std::hash::{Hash as _, Hasher};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use sha2::{Digest as _, Sha256};
use wasmtime::component::Component;
use wasmtime::{Engine, Result};

use super::child::CODE_BYTES_MAX;
use super::key::{self, Key};
use crate::files;

/// A directory of compiled components that only its owner can enter, each sealed with a key that
/// only its owner can read.
#[derive(Debug)]
pub struct Cache {
    directory: PathBuf,
    key: Key,
}

impl Cache {
    /// The user's own cache: `$XDG_CACHE_HOME/portcullis` or what the system has for it.
    /// None where there is no home or the directory cannot be made private; components are
    /// compiled at every start then.
    pub fn for_user() -> Option<Self> {
        let base = etcetera::choose_base_strategy().ok()?;
        match Self::at(base.cache_dir().join("portcullis")) {
            Ok(cache) => Some(cache),
            Err(error) => {
                tracing::warn!("compiled code is not kept: {error:#}");
                None
            }
        }
    }

    /// A cache in `directory`, which is made if need be.
    ///
    /// # Errors
    /// When it cannot be made, or belongs to somebody else, or others may enter it, and when it has
    /// no key and none can be made.
    pub fn at(directory: PathBuf) -> anyhow::Result<Self> {
        use anyhow::Context as _;
        let ready = || -> anyhow::Result<Key> {
            files::make_private(&directory)?;
            Ok(Key::of(&directory)?)
        };
        let key = ready()
            .with_context(|| format!("cannot use the cache directory {}", directory.display()))?;
        Ok(Self { directory, key })
    }

    /// The component of this digest, if its code is there and ours. What is there and is not ours is
    /// removed.
    pub(super) fn find(&self, engine: &Engine, digest: &str) -> Option<Component> {
        let name = name(engine, digest);
        let path = self.directory.join(&name);
        let why = match self.load(engine, &name, &path) {
            Ok(component) => {
                files::touch(&path);
                return Some(component);
            }
            Err(Unusable::Missing) => return None,
            Err(Unusable::Unreadable(error)) => error.to_string(),
            Err(Unusable::NotSealed) => "it is not as it was written".to_owned(),
            Err(Unusable::NotLoaded(error)) => format!("{error:#}"),
        };
        tracing::warn!("compiled code in {} is removed: {why}", path.display());
        // What cannot be removed is no more used the next time.
        let _ = fs::remove_file(&path);
        None
    }

    fn load(
        &self,
        engine: &Engine,
        name: &str,
        path: &Path,
    ) -> std::result::Result<Component, Unusable> {
        let (entry, bytes) = open(path)?;
        if !self.key.is_sealed(name, entry, bytes).map_err(Unusable::Unreadable)? {
            return Err(Unusable::NotSealed);
        }
        deserialize(engine, path).map_err(Unusable::NotLoaded)
    }

    /// Keeps the code of the component of this digest, and no more entries than there is room for.
    /// It is written beside the entry and renamed, so that no reader sees half of it.
    ///
    /// # Errors
    /// When it cannot be written, or what is there cannot be listed.
    pub(super) fn keep(&self, engine: &Engine, digest: &str, code: &[u8]) -> io::Result<()> {
        let name = name(engine, digest);
        let mut file = tempfile::NamedTempFile::new_in(&self.directory)?;
        file.write_all(code)?;
        // Behind it: the file is mapped, and begins as wasmtime wants it.
        file.write_all(&self.key.seal(&name, code))?;
        file.persist(self.directory.join(&name))?;
        self.shrink(Room::default())
    }

    /// Removes what was used least recently until the rest fits into `room`. The key stays.
    #[expect(clippy::disallowed_methods, reason = "the door to the cache's directory")]
    fn shrink(&self, room: Room) -> io::Result<()> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            let entry = entry?;
            // An entry that another process removed meanwhile takes no room.
            if let Ok(known) = entry.metadata()
                && known.is_file()
                && entry.file_name() != key::FILE_NAME
            {
                entries.push((known.modified()?, known.len(), entry.path()));
            }
        }
        entries.sort();
        let mut left =
            Room { entries: entries.len(), bytes: entries.iter().map(|(_, bytes, _)| bytes).sum() };
        for (_, bytes, path) in entries {
            if left.entries <= room.entries && left.bytes <= room.bytes {
                break;
            }
            match fs::remove_file(path) {
                // Another process makes room as well.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                removed => removed?,
            }
            left = Room { entries: left.entries - 1, bytes: left.bytes - bytes };
        }
        Ok(())
    }
}

/// What all entries together may take.
#[derive(Clone, Copy, Debug)]
struct Room {
    entries: usize,
    bytes: u64,
}

impl Default for Room {
    fn default() -> Self {
        Self { entries: 200, bytes: 2 << 30 }
    }
}

/// Why an entry is not loaded.
#[derive(Debug)]
enum Unusable {
    Missing,
    Unreadable(io::Error),
    NotSealed,
    NotLoaded(wasmtime::Error),
}

/// An entry, which is a file and no link to one, and its bytes.
#[expect(clippy::disallowed_methods, reason = "the door to the cache's directory")]
fn open(path: &Path) -> std::result::Result<(fs::File, u64), Unusable> {
    const ENTRY_BYTES_MAX: u64 = CODE_BYTES_MAX + key::BYTES as u64;
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Unusable::Missing,
        // The standard library has many kinds, and all but that one mean the same here.
        kind => Unusable::Unreadable(io::Error::new(kind, error)),
    };
    let known = fs::symlink_metadata(path).map_err(unreadable)?;
    if !known.is_file() || known.len() > ENTRY_BYTES_MAX {
        return Err(Unusable::NotSealed);
    }
    Ok((fs::File::open(path).map_err(unreadable)?, known.len()))
}

/// Maps the code of an entry: what no call needs of it takes no memory, and processes share it.
#[expect(unsafe_code, reason = "the door for compiled code from disk: it carries our seal")]
fn deserialize(engine: &Engine, path: &Path) -> Result<Component> {
    // SAFETY: what is there is what `keep` was given, which a compiler of ours made for an engine of this
    // kind: it carries a seal that only somebody who can read the key can make, and it lies in a directory
    // that only its owner can enter, where nothing is ever written to under its final name. So only this
    // user could change it now, and attackers with the same user are out of scope.
    unsafe { Component::deserialize_file(engine, path) }
}

/// The name of the entry for the component of this digest.
fn name(engine: &Engine, digest: &str) -> String {
    format!("{digest}-{}.cwasm", compatibility(engine))
}

/// The engine's compatibility hash and this build's version, as hex.
fn compatibility(engine: &Engine) -> String {
    struct Sink(Sha256);
    impl Hasher for Sink {
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }
        fn finish(&self) -> u64 {
            0
        }
    }
    let mut sink = Sink(Sha256::new());
    engine.precompile_compatibility_hash().hash(&mut sink);
    sink.write(env!("CARGO_PKG_VERSION").as_bytes());
    crate::component::hex(&sink.0.finalize()[..8])
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests read and write files")]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::config::HostLimits;
    use crate::sandbox::{Weights, engine};

    /// The smallest component there is.
    const EMPTY: &[u8] = b"\0asm\x0d\0\x01\0";
    /// The same with a custom section, `x`, of no bytes.
    const OTHER: &[u8] = b"\0asm\x0d\0\x01\0\0\x02\x01x";

    struct Tried {
        directory: tempfile::TempDir,
        cache: Cache,
        engine: Engine,
    }

    impl Tried {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let cache = Cache::at(directory.path().join("code")).unwrap();
            let engine = engine::build(Weights::of(&HostLimits::default())).unwrap();
            Self { directory, cache, engine }
        }

        /// Keeps the code of a component, and says where.
        fn keep(&self, component: &[u8], digest: &str) -> PathBuf {
            let code = self.engine.precompile_component(component).unwrap();
            self.cache.keep(&self.engine, digest, &code).unwrap();
            self.cache.directory.join(name(&self.engine, digest))
        }

        fn finds(&self, digest: &str) -> bool {
            self.cache.find(&self.engine, digest).is_some()
        }
    }

    #[test]
    fn what_is_kept_is_found_by_a_later_process() {
        let mut tried = Tried::new();
        tried.keep(EMPTY, "d1");
        tried.cache = Cache::at(tried.directory.path().join("code")).unwrap();
        assert!(tried.finds("d1"));
        assert!(!tried.finds("d2"));
        let files = fs::read_dir(&tried.cache.directory).unwrap().count();
        assert_eq!(files, 2, "the key, one entry, and nothing half written");
    }

    #[test]
    fn code_for_another_engine_is_not_found() {
        let tried = Tried::new();
        let other = Engine::default();
        assert_ne!(compatibility(&tried.engine), compatibility(&other));
        assert_eq!(compatibility(&tried.engine), compatibility(&tried.engine));
        let compiling = engine::for_compiling().unwrap();
        assert_eq!(compatibility(&tried.engine), compatibility(&compiling));
    }

    #[test]
    fn of_a_thousand_corruptions_none_is_loaded() {
        let tried = Tried::new();
        let (one, two) = (tried.keep(EMPTY, "d1"), tried.keep(OTHER, "d2"));
        let [good, other] = [&one, &two].map(|path| fs::read(path).unwrap());
        assert_ne!(good, other);
        // Knuth's generator, MMIX: the same numbers in every run.
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for round in 0..1000_u32 {
            let mut bytes = good.clone();
            match round % 6 {
                0 => bytes[random(good.len())] ^= 1 << random(8),
                1 => bytes.truncate(random(good.len())),
                2 => bytes.extend((0..=random(64)).map(|_| random(256) as u8)),
                3 => bytes.clone_from(&other),
                4 => (0..=random(100))
                    .for_each(|_| bytes[random(good.len())] ^= 1 + random(255) as u8),
                5 => drop(bytes.drain(..=random(key::BYTES))),
                6.. => unreachable!(),
            }
            if bytes == good {
                continue;
            }
            fs::write(&one, bytes).unwrap();
            assert!(!tried.finds("d1"), "round {round}");
            assert!(!one.exists(), "what is no good is removed");
        }
        fs::write(&one, []).unwrap();
        assert!(!tried.finds("d1"), "an empty file");
        fs::write(&one, good).unwrap();
        assert!(tried.finds("d1") && tried.finds("d2"), "as they were");
    }

    #[test]
    fn with_another_key_nothing_is_found() {
        let mut tried = Tried::new();
        tried.keep(EMPTY, "d1");
        fs::remove_file(tried.cache.directory.join(key::FILE_NAME)).unwrap();
        tried.cache = Cache::at(tried.cache.directory.clone()).unwrap();
        assert!(!tried.finds("d1"));
    }

    #[cfg(unix)]
    #[test]
    fn an_entry_that_is_a_link_is_not_followed() {
        let tried = Tried::new();
        let entry = tried.keep(EMPTY, "d1");
        let elsewhere = tried.directory.path().join("elsewhere");
        fs::rename(&entry, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &entry).unwrap();
        assert!(!tried.finds("d1"));
        assert!(elsewhere.exists(), "the link is removed, and not what it leads to");
        assert!(fs::symlink_metadata(&entry).is_err());
    }

    #[test]
    fn what_was_used_least_recently_makes_room() {
        let tried = Tried::new();
        let digests = ["d1", "d2", "d3", "d4"];
        let paths = digests.map(|digest| tried.keep(EMPTY, digest));
        let long_ago = SystemTime::UNIX_EPOCH;
        for (age, path) in (0..).zip(&paths) {
            let file = fs::File::options().append(true).open(path).unwrap();
            file.set_modified(long_ago + Duration::from_secs(age)).unwrap();
        }
        assert!(tried.finds("d1"), "it is the last one used now");
        let there = || paths.each_ref().map(|path| path.exists());
        tried.cache.shrink(Room { entries: 3, bytes: u64::MAX }).unwrap();
        assert_eq!(there(), [true, false, true, true]);
        let bytes = fs::metadata(&paths[0]).unwrap().len();
        tried.cache.shrink(Room { entries: 3, bytes: 2 * bytes }).unwrap();
        assert_eq!(there(), [true, false, false, true]);
        tried.cache.shrink(Room { entries: 0, bytes: 0 }).unwrap();
        assert_eq!(there(), [false; 4]);
        assert!(tried.cache.directory.join(key::FILE_NAME).exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_directory_that_others_may_enter_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("code");
        drop(Cache::at(path.clone()).unwrap());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let error = format!("{:#}", Cache::at(path).unwrap_err());
        assert!(error.ends_with("others may enter it; run `chmod 700` on it"), "{error}");
    }
}
