//! From a component's bytes to code that the engine runs.
//!
//! Code becomes a component only if a compiler of ours gave it a moment ago, or if it carries our
//! seal.

mod cache;
mod child;
mod key;
mod program;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::{block_in_place, spawn_blocking};
use wasmtime::Engine;
use wasmtime::component::Component;

pub use cache::Cache;
use child::Child;
pub(crate) use program::{Answer, COMPILE_COMMAND, Confines, compile_confined};

use crate::config::HostLimits;

/// What compiles components, and where the code is kept.
#[derive(Debug)]
pub struct Compiler {
    place: Place,
    cache: Option<Arc<Cache>>,
    /// A place for each component that is compiled now.
    places: Semaphore,
}

/// Where a component is compiled.
#[derive(Debug)]
enum Place {
    ThisProcess,
    Child(Child),
}

/// Components that are compiled at once.
const AT_ONCE_MAX: usize = 2;

/// Why there is no code.
#[derive(Debug)]
pub(crate) enum NotCompiled {
    /// The compiler refuses the component; its words.
    Refused(String),
    /// It took longer than the limit.
    Deadline { deadline: Duration },
    /// It needed more address space than the limit.
    Memory { bytes_max: u64 },
    /// The compiler stopped without an answer; what it said.
    Stopped(String),
    /// There is no child to compile it.
    NoChild(std::io::Error),
}

impl Compiler {
    /// Compiles each component in a child process, `program`, under the limits `compile_deadline_ms`
    /// and `compile_memory_bytes_max`. The program has to be this version of the `portcullis`
    /// command, or one that calls [`command::main`](crate::command::main).
    #[must_use]
    pub fn in_child(program: PathBuf) -> Self {
        Self::at(Place::Child(Child::new(program)))
    }

    /// Compiles in this process, where no limit holds: a component may take all of its memory. For
    /// components that are trusted.
    #[must_use]
    pub fn in_this_process() -> Self {
        Self::at(Place::ThisProcess)
    }

    /// Keeps the code in `cache`, if there is one.
    #[must_use]
    pub fn with_cache(self, cache: Option<Cache>) -> Self {
        Self { cache: cache.map(Arc::new), ..self }
    }

    fn at(place: Place) -> Self {
        Self { place, cache: None, places: Semaphore::new(AT_ONCE_MAX) }
    }

    /// Keeps to these limits.
    pub(super) fn within(self, limits: &HostLimits) -> Self {
        let place = match self.place {
            Place::ThisProcess => Place::ThisProcess,
            Place::Child(child) => Place::Child(child.within(limits)),
        };
        Self { place, ..self }
    }

    /// Compiles `bytes`, whose SHA-256 is `digest`, or finds the code in the cache. Whatever takes
    /// long is done by the child, or while the runtime's other tasks run on another thread.
    ///
    /// # Errors
    /// A [`NotCompiled`]. A cache that cannot be read or written is no error.
    pub(super) async fn compile(
        &self,
        engine: &Engine,
        bytes: &[u8],
        digest: &str,
    ) -> Result<Component, NotCompiled> {
        if let Some(cache) = &self.cache {
            let (cache, engine, digest) = (cache.clone(), engine.clone(), digest.to_owned());
            // To check the seal takes longer than all else of a component whose code is there.
            let found = spawn_blocking(move || cache.find(&engine, &digest)).await;
            if let Ok(Some(component)) = found {
                return Ok(component);
            }
        }
        let code = {
            // The semaphore is never closed; without a permit the limits hold all the same.
            let _place = self.places.acquire().await.ok();
            match &self.place {
                Place::ThisProcess => block_in_place(|| engine.precompile_component(bytes))
                    .map_err(|error| NotCompiled::Refused(format!("{error:#}")))?,
                Place::Child(child) => child.compile(bytes).await?,
            }
        };
        block_in_place(|| {
            if let Some(cache) = &self.cache
                && let Err(error) = cache.keep(engine, digest, &code)
            {
                tracing::warn!("compiled code is not kept: {error}");
            }
            deserialize(engine, &code).map_err(|error| NotCompiled::Stopped(format!("{error:#}")))
        })
    }
}

#[expect(unsafe_code, reason = "the door for code that was compiled a moment ago")]
fn deserialize(engine: &Engine, code: &[u8]) -> wasmtime::Result<Component> {
    // SAFETY: `code` is what `precompile_component` returned, in this process or in a child that
    // runs this program and that nobody else could write to: it came through a pipe of our own, and
    // in whole, since the child ended with success. A component that makes the compiler itself give
    // wrong code would do so in this process just as well.
    unsafe { Component::deserialize(engine, code) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{Weights, engine};

    /// The smallest component there is.
    const EMPTY: &[u8] = b"\0asm\x0d\0\x01\0";

    #[tokio::test(flavor = "multi_thread")]
    async fn what_was_compiled_once_is_not_compiled_again() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::at(directory.path().join("code")).unwrap();
        let engine = engine::build(Weights::of(&HostLimits::default())).unwrap();
        let compiler = Compiler::in_this_process().with_cache(Some(cache));
        compiler.compile(&engine, EMPTY, "d1").await.unwrap();
        // These bytes do not compile, so only the cache can answer for them.
        assert!(compiler.compile(&engine, b"no component", "d1").await.is_ok());
        let error = compiler.compile(&engine, b"no component", "d2").await.unwrap_err();
        assert!(matches!(error, NotCompiled::Refused(_)), "{error:?}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_program_that_is_not_there_is_an_error() {
        let engine = engine::for_compiling().unwrap();
        let compiler = Compiler::in_child(PathBuf::from("/no such program"));
        let error = compiler.compile(&engine, EMPTY, "d1").await.unwrap_err();
        assert!(matches!(error, NotCompiled::NoChild(_)), "{error:?}");
    }
}
