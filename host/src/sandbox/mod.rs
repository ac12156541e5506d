//! Where guest code runs: one engine, and a store of its own for each call.
//!
//! An `Enclosure` is used up by the one piece of work it runs, so that no state of a guest
//! outlives a call, and every way in which guest code can end is an `Ending`.

pub(crate) mod bindings;
mod cache;
mod captured;
mod engine;
mod imports;
mod store;
mod ticker;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wasmtime::component::{Component, InstancePre, Linker};
use wasmtime::{Engine, Store};

pub use cache::Cache;
pub(crate) use store::{Guest, Purpose};
use ticker::{Ticker, Ticking};

use crate::config::Limits;

/// The engine, what guests can import, and how many may run.
pub struct Sandbox {
    engine: Engine,
    linker: Linker<Guest>,
    cache: Option<Cache>,
    permits: Arc<Semaphore>,
    ticker: Ticker,
}

impl Sandbox {
    /// Makes a sandbox that keeps compiled code in `cache`.
    ///
    /// # Errors
    /// When this machine cannot run the engine.
    pub fn new(cache: Option<Cache>) -> anyhow::Result<Self> {
        let engine = engine::build()?;
        let mut linker = Linker::new(&engine);
        wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
        imports::add_to_linker(&mut linker)?;
        let ticker = Ticker::start(&engine)?;
        let permits = Arc::new(Semaphore::new(engine::CORE_INSTANCES_MAX as usize));
        Ok(Self { engine, linker, cache, permits, ticker })
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Compiles `bytes`, whose SHA-256 is `digest`, or finds the code in the cache. Takes
    /// seconds for a large component: not for an async task.
    pub(crate) fn compile(&self, bytes: &[u8], digest: &str) -> wasmtime::Result<Component> {
        match &self.cache {
            Some(cache) => cache.load(&self.engine, bytes, digest),
            None => Component::new(&self.engine, bytes),
        }
    }

    /// Resolves the imports of `component`; fails on one that the host does not have.
    pub(crate) fn link(&self, component: &Component) -> wasmtime::Result<InstancePre<Guest>> {
        self.linker.instantiate_pre(component)
    }

    /// Makes the store for one call of `pre`, which may give the host `lift_bytes_max` bytes in
    /// one go. Waits while too many others run; the wait
    /// counts against the deadline, which starts here.
    ///
    /// # Errors
    /// [`Busy`] when the deadline passes in the queue.
    pub(crate) async fn enclose(
        &self,
        pre: &InstancePre<Guest>,
        limits: &Limits,
        lift_bytes_max: usize,
        purpose: Purpose,
    ) -> Result<Enclosure, Busy> {
        let deadline = Instant::now() + Duration::from_millis(limits.call_deadline_ms);
        let waiting = self.permits.clone().acquire_many_owned(weight(pre.component()));
        let permit = match tokio::time::timeout_at(deadline.into(), waiting).await {
            Ok(Ok(permit)) => permit,
            Ok(Err(_)) | Err(_) => return Err(Busy),
        };
        Ok(Enclosure {
            store: store::build(&self.engine, limits, lift_bytes_max, purpose, deadline),
            deadline,
            _permit: permit,
            _ticking: self.ticker.tick(),
        })
    }
}

/// No room to run within the deadline.
#[derive(Debug)]
pub(crate) struct Busy;

/// What one call of `component` takes of the pool: its core instances, of which the
/// memories and tables are the sign that can be read without running it.
fn weight(component: &Component) -> u32 {
    /// A component without memories still takes an instance slot.
    const LEAST: u32 = engine::CORE_INSTANCES_MAX / engine::COMPONENT_INSTANCES_MAX;
    match component.resources_required() {
        Some(required) => {
            let parts = required.num_memories.max(required.num_tables);
            parts.clamp(LEAST, engine::CORE_INSTANCES_MAX)
        }
        None => engine::CORE_INSTANCES_MAX,
    }
}

/// A store that waits for its one piece of work.
pub(crate) struct Enclosure {
    store: Store<Guest>,
    deadline: Instant,
    _permit: OwnedSemaphorePermit,
    _ticking: Ticking,
}

impl Enclosure {
    /// Time until the deadline.
    pub(crate) fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// The store, and the deadline to bind the work in it by.
    pub(crate) fn open(&mut self) -> (&mut Store<Guest>, Deadline) {
        (&mut self.store, Deadline(self.deadline))
    }

    /// Drops the store and says how the work in it ended.
    pub(crate) fn close<T>(self, ended: Ended<T>) -> Ran<T> {
        let guest = self.store.data();
        let ending = match ended.0 {
            Some(Ok(value)) => Ending::Returned(value),
            Some(Err(error)) => Ending::of(&error, guest),
            None => Ending::Deadline,
        };
        Ran { ending, printed: guest.printed.take(), logged: guest.logged.take() }
    }
}

/// When a call must have ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    /// Does `work` until it ends or the deadline passes.
    pub(crate) async fn bind<T>(self, work: impl Future<Output = wasmtime::Result<T>>) -> Ended<T> {
        Ended(tokio::time::timeout_at(self.0.into(), work).await.ok())
    }
}

/// Work that ended; none: by the deadline.
pub(crate) struct Ended<T>(Option<wasmtime::Result<T>>);

/// How a piece of work ended, and what the guest wrote meanwhile: text, and the number of
/// bytes beyond the limit.
pub(crate) struct Ran<T> {
    pub(crate) ending: Ending<T>,
    pub(crate) printed: (String, u64),
    pub(crate) logged: (String, u64),
}

/// How guest code ended.
#[derive(Debug)]
pub(crate) enum Ending<T> {
    Returned(T),
    /// It ran, waited or instantiated for too long.
    Deadline,
    /// It needed more memory than it may have.
    Memory,
    /// It gave more data in one go than a result may have.
    TooLarge,
    /// It called `exit`.
    Exited(i32),
    /// It trapped; the text is for the log alone.
    Trapped(String),
}

impl<T> Ending<T> {
    fn of(error: &wasmtime::Error, guest: &Guest) -> Self {
        /// Wasmtime's error for this has no public type; the text is of version 48.
        const FUEL_EXHAUSTED: &str = "fuel allocated for hostcalls has been exhausted";
        if error.is::<store::DeadlinePassed>() {
            Self::Deadline
        } else if let Some(exit) = error.downcast_ref::<wasmtime_wasi::I32Exit>() {
            Self::Exited(exit.0)
        } else if guest.limiter.memory_refused {
            Self::Memory
        } else if error.root_cause().to_string().contains(FUEL_EXHAUSTED) {
            Self::TooLarge
        } else {
            Self::Trapped(format!("{}; {error:?}", error.root_cause()))
        }
    }
}
