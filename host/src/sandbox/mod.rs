//! Where guest code runs: one engine, and a store of its own for each call.
//!
//! An `Enclosure` is used up by the one piece of work it runs, so that no state of a guest
//! outlives a call, and every way in which guest code can end is an `Ending`.

pub(crate) mod bindings;
mod budget;
mod captured;
mod clocks;
mod compile;
mod directories;
mod egress;
mod engine;
mod imports;
mod lane;
mod lines;
mod progress;
mod store;
mod tally;
mod ticker;
mod turns;
mod unknown;

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wasmtime::component::{Component, InstancePre, Linker};
use wasmtime::{Engine, Store};

use budget::Budget;
pub(crate) use compile::{Answer, COMPILE_COMMAND, Confines, NotCompiled, compile_confined};
pub use compile::{Cache, Compiler};
use directories::Quotas;
pub(crate) use egress::Tls;
use egress::{Egress, Network};
pub use egress::{Resolver, Resolving};
use lane::{Held, Lane};
pub(crate) use lines::{Level, Line, Lines};
pub(crate) use progress::{Note, Notes};
pub(crate) use store::{Guest, Purpose};
use store::{Lent, MemoryRefused};
pub(crate) use tally::{Change, Tallied, Tally};
use ticker::{Ticker, Ticking};
use turns::{Turn, Turns};
pub(crate) use unknown::Imports;

use crate::config::{HostLimits, Limits};
use crate::grants::{DirGrant, Effective};

/// The engine, what guests can import, and how many may run.
pub struct Sandbox {
    engine: Engine,
    linker: Linker<Guest>,
    compiler: Compiler,
    network: Arc<Network>,
    quotas: Arc<Quotas>,
    turns: Turns,
    weights: Weights,
    lane: Lane,
    budget: Budget,
    ticker: Ticker,
}

/// What a call runs under.
pub(crate) struct Terms<'a> {
    /// The id of its component, with which it shares room.
    pub(crate) component: &'a Arc<str>,
    pub(crate) limits: &'a Limits,
    pub(crate) effective: &'a Arc<Effective>,
    /// What the guest may give the host in one go, as wasmtime counts it: bytes of strings and of
    /// typed values, and 40 for each dynamic one.
    pub(crate) hostcall_fuel: usize,
    pub(crate) purpose: Purpose,
    /// Where notes of progress go; none: nobody wants them.
    pub(crate) progress: Option<Notes>,
    /// Where log lines go beside the host's log; none: nobody else wants them.
    pub(crate) log: Option<Lines>,
    /// What is counted of it, however it ends.
    pub(crate) tally: &'a Tally,
}

impl Sandbox {
    /// Makes a sandbox for what `compiler` compiles.
    ///
    /// # Errors
    /// When this machine cannot run the engine.
    pub fn new(compiler: Compiler, limits: &HostLimits) -> anyhow::Result<Self> {
        let weights = Weights::of(limits);
        let engine = engine::build(weights)?;
        let linker = imports::linker(&engine)?;
        let waiting_max = usize::try_from(limits.calls_queued_max).unwrap_or(usize::MAX);
        let threads = tokio::runtime::Handle::try_current()
            .map_or(1, |runtime| runtime.metrics().num_workers());
        let lane = Lane::beside(threads);
        let ticker = Ticker::start(&engine, lane.clone())?;
        Ok(Self {
            engine,
            linker,
            compiler: compiler.within(limits),
            network: Arc::default(),
            quotas: Arc::default(),
            turns: Turns::shared(weights.all(), waiting_max),
            weights,
            lane,
            budget: Budget::new(limits.memory_bytes_max),
            ticker,
        })
    }

    /// Asks `resolver` for the addresses of the hosts that components speak to, and not the
    /// system. What it answers is checked in the same way.
    #[must_use]
    pub fn with_resolver(self, resolver: Arc<dyn Resolver>) -> Self {
        Self { network: Arc::new(Network::with_resolver(resolver)), ..self }
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Compiles `bytes`, whose SHA-256 is `digest`, or finds the code in the cache.
    ///
    /// # Errors
    /// When they do not compile, or not within the limits.
    pub(crate) async fn compile(
        &self,
        bytes: &[u8],
        digest: &str,
    ) -> Result<Component, NotCompiled> {
        let component = self.compiler.compile(&self.engine, bytes, digest).await?;
        imaged(&component).await;
        Ok(component)
    }

    /// Resolves the imports of `component`. Those that are unknown trap when they are called.
    ///
    /// # Errors
    /// When an import that the host has is there in another form.
    pub(crate) fn link(
        &self,
        component: &Component,
        imports: &Imports,
    ) -> wasmtime::Result<InstancePre<Guest>> {
        let mut linker = self.linker.clone();
        imports.define(&mut linker.root(), &self.engine)?;
        linker.instantiate_pre(component)
    }

    /// Makes the store for one call of `pre`. Waits while too many others run; the wait
    /// counts against the deadline, which starts here.
    ///
    /// # Errors
    /// [`NoRoom`] when the deadline passes in the queue, and when there is no place in it.
    pub(crate) async fn enclose(
        &self,
        pre: &InstancePre<Guest>,
        terms: Terms<'_>,
    ) -> Result<Enclosure, NoRoom> {
        let started = Instant::now();
        let deadline = started + Duration::from_millis(terms.limits.call_deadline_ms);
        let waiting = self.turns.take(terms.component, self.weights.of_call(pre.component()));
        let turn = match tokio::time::timeout_at(deadline.into(), waiting).await {
            Ok(Ok(turn)) => turn,
            Ok(Err(turns::Full)) => return Err(NoRoom::QueueFull),
            Err(_) => return Err(NoRoom::Waited),
        };
        let tally = terms.tally.clone();
        let place = self.lane.place(terms.component);
        let course = Course { deadline, held: place.held(), tally: tally.clone() };
        let lent = Lent {
            quotas: Arc::clone(&self.quotas),
            egress: Egress::new(&self.network, terms.effective, terms.limits, deadline, &tally),
            charge: self.budget.open(terms.component, terms.limits.memory_bytes_max),
            place,
            tally,
            deadline,
        };
        let store = store::build(&self.engine, &terms, lent).map_err(NoRoom::Directory)?;
        Ok(Enclosure { store, course, _turn: turn, _ticking: self.ticker.tick() })
    }
}

/// Makes the images that the memories of `component` begin as, which every call maps. Linux refuses to seal
/// one (EBUSY) as long as it is at its pages itself, which passes; what does not, the first instance
/// says.
async fn imaged(component: &Component) {
    for _ in 0..IMAGE_TRIES {
        match component.initialize_copy_on_write_image() {
            Ok(()) => return,
            Err(error) => tracing::debug!("the image of a memory is not made yet: {error:#}"),
        }
        tokio::time::sleep(IMAGE_PAUSE).await;
    }
}

/// How often the images of memories are tried.
const IMAGE_TRIES: u32 = 20;
/// How long to wait before the next time.
const IMAGE_PAUSE: Duration = Duration::from_millis(50);

/// Why a call did not begin to run.
#[derive(Debug)]
pub(crate) enum NoRoom {
    /// As many calls of the component wait as may.
    QueueFull,
    /// It waited until its deadline.
    Waited,
    /// A directory that is granted cannot be opened.
    Directory(Box<DirGrant>),
}

/// What calls take of the pool.
#[derive(Clone, Copy, Debug)]
struct Weights {
    calls: u32,
}

impl Weights {
    /// Core instances for each call of the pool; the least that a call takes of it.
    const LEAST: u32 = 8;

    fn of(limits: &HostLimits) -> Self {
        Self { calls: u32::try_from(limits.calls_max).unwrap_or(u32::MAX) }
    }

    /// Core instances, memories and tables of the pool, which all calls may have together. One
    /// component of a language with a runtime takes about twenty, and has to fit.
    fn all(self) -> u32 {
        self.calls.saturating_mul(Self::LEAST).max(Self::LEAST * 8)
    }

    /// What one call of `component` takes: its core instances, of which the memories and tables are
    /// the sign that can be read without running it. It is never so little that more calls fit than
    /// the pool has places for.
    fn of_call(self, component: &Component) -> u32 {
        match component.resources_required() {
            Some(required) => {
                let least = self.all() / self.calls.max(1);
                required.num_memories.max(required.num_tables).clamp(least, self.all())
            }
            None => self.all(),
        }
    }
}

/// A store that waits for its one piece of work.
pub(crate) struct Enclosure {
    store: Store<Guest>,
    course: Course,
    _turn: Turn,
    _ticking: Ticking,
}

impl Enclosure {
    /// Time until the deadline.
    pub(crate) fn time_left(&self) -> Duration {
        self.course.deadline.saturating_duration_since(Instant::now())
    }

    /// The store, and the course that the work in it takes.
    pub(crate) fn open(&mut self) -> (&mut Store<Guest>, Course) {
        (&mut self.store, self.course.clone())
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

/// How far the work in a store may go, and what it takes on the way.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    deadline: Instant,
    held: Held,
    tally: Tally,
}

impl Course {
    /// Does `work` until it ends or the deadline passes. While it waits it holds no turn of the
    /// lane.
    pub(crate) async fn bind<T>(self, work: impl Future<Output = wasmtime::Result<T>>) -> Ended<T> {
        let mut work = pin!(work);
        let computing = std::future::poll_fn(|context| {
            let began = Instant::now();
            let polled = work.as_mut().poll(context);
            self.tally.took(began.elapsed());
            self.held.release();
            polled
        });
        Ended(tokio::time::timeout_at(self.deadline.into(), computing).await.ok())
    }
}

/// Work that ended; none: by the deadline.
pub(crate) struct Ended<T>(Option<wasmtime::Result<T>>);

/// How a piece of work ended, and what the guest did meanwhile.
pub(crate) struct Ran<T> {
    pub(crate) ending: Ending<T>,
    /// Text, and the number of bytes beyond the limit.
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
    /// It needed more memory than all calls together may have.
    HostMemory,
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
        } else if let Some(refused) = guest.limiter.refused {
            match refused {
                MemoryRefused::ByCall => Self::Memory,
                MemoryRefused::ByHost => Self::HostMemory,
            }
        } else if error.root_cause().to_string().contains(FUEL_EXHAUSTED) {
            Self::TooLarge
        } else {
            Self::Trapped(format!("{}; {error:?}", error.root_cause()))
        }
    }
}
