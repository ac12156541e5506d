//! Compiled code on disk, so that a component is compiled once.
//!
//! An entry's name is the component's digest and the engine's compatibility hash: code for
//! another build, another engine setting or another processor is never found.

use std::fs;
use std::hash::{Hash as _, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use sha2::{Digest as _, Sha256};
use wasmtime::component::Component;
use wasmtime::{Engine, Result};

/// A directory of compiled components that only its owner can enter.
#[derive(Debug)]
pub struct Cache {
    directory: PathBuf,
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
    /// When it cannot be made, or belongs to somebody else, or others may enter it.
    pub fn at(directory: PathBuf) -> anyhow::Result<Self> {
        use anyhow::Context as _;
        make_private(&directory)
            .with_context(|| format!("cannot use the cache directory {}", directory.display()))?;
        Ok(Self { directory })
    }

    /// Loads the code of `bytes`, or compiles and keeps it.
    ///
    /// # Errors
    /// When `bytes` do not compile. A cache that cannot be read or written is no error.
    pub(super) fn load(&self, engine: &Engine, bytes: &[u8], digest: &str) -> Result<Component> {
        let path = self.directory.join(format!("{digest}-{}.cwasm", compatibility(engine)));
        if let Some(component) = read(engine, &path) {
            return Ok(component);
        }
        let code = engine.precompile_component(bytes)?;
        if let Err(error) = self.keep(&path, &code) {
            tracing::warn!("compiled code is not kept: {error}");
        }
        deserialize(engine, &code)
    }

    /// Writes beside the entry and renames, so that no reader sees half of it.
    fn keep(&self, path: &Path, code: &[u8]) -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.directory)?;
        file.write_all(code)?;
        file.persist(path)?;
        Ok(())
    }
}

#[expect(unsafe_code, reason = "the door for compiled code: the directory is the owner's alone")]
fn read(engine: &Engine, path: &Path) -> Option<Component> {
    if !path.exists() {
        return None;
    }
    // SAFETY: the file is one that `keep` wrote: it stands in a directory that only the owner
    // may enter, and attackers with the same user are out of scope.
    match unsafe { Component::deserialize_file(engine, path) } {
        Ok(component) => Some(component),
        Err(error) => {
            tracing::warn!("compiled code in {} is not used: {error:#}", path.display());
            None
        }
    }
}

#[expect(unsafe_code, reason = "the code was compiled by this process a moment ago")]
fn deserialize(engine: &Engine, code: &[u8]) -> Result<Component> {
    // SAFETY: `code` is what `precompile_component` returned.
    unsafe { Component::deserialize(engine, code) }
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

#[cfg(unix)]
fn make_private(directory: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let metadata = fs::metadata(directory)?;
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
fn make_private(directory: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(directory)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::HostLimits;
    use crate::sandbox::Weights;

    /// The smallest component there is.
    const EMPTY: &[u8] = b"\0asm\x0d\0\x01\0";

    fn cache() -> (tempfile::TempDir, Cache) {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::at(directory.path().join("code")).unwrap();
        (directory, cache)
    }

    #[test]
    fn what_was_compiled_once_is_not_compiled_again() {
        let (directory, cache) = cache();
        let engine = super::super::engine::build(Weights::of(&HostLimits::default())).unwrap();
        cache.load(&engine, EMPTY, "d1").unwrap();
        let entries: Vec<_> = directory.path().join("code").read_dir().unwrap().collect();
        assert_eq!(entries.len(), 1, "one entry, and nothing half written");
        // These bytes do not compile, so only the cache can answer for them.
        assert!(cache.load(&engine, b"no component", "d1").is_ok());
        assert!(cache.load(&engine, b"no component", "d2").is_err());
    }

    #[test]
    fn code_for_another_engine_is_not_found() {
        let other = Engine::default();
        let engine = super::super::engine::build(Weights::of(&HostLimits::default())).unwrap();
        assert_ne!(compatibility(&engine), compatibility(&other));
        assert_eq!(compatibility(&engine), compatibility(&engine));
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
