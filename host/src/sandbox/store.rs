//! The state of one call: what the guest can touch, and the limits on it.
//!
//! A store lives for one call. Nothing of the process is inherited: no environment,
//! arguments, directories, network or standard streams.

use std::time::{Duration, Instant};

use wasmtime::component::ResourceTable;
use wasmtime::{Engine, ResourceLimiter, Store, UpdateDeadline};
use wasmtime_wasi::random::Deterministic;
use wasmtime_wasi::{HostMonotonicClock, HostWallClock, WasiCtx, WasiCtxView, WasiView};

use super::captured::Captured;
use crate::config::Limits;

/// Epochs of 1 ms after which a running guest lets others run.
const SLICE_EPOCHS: u64 = 1;
/// Handles to host resources that a guest may hold at once.
const HANDLES_MAX: usize = 1024;
/// Bytes of a guest's random numbers that one request may take.
const RANDOM_BYTES_MAX: u64 = 1 << 20;

/// What a store holds for its guest.
pub(crate) struct Guest {
    wasi: WasiCtx,
    table: ResourceTable,
    pub(super) limiter: Limiter,
    pub(super) printed: Captured,
    pub(super) logged: Captured,
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

/// Whether a guest runs for a caller or only to say what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A call: real clocks and random numbers.
    Call,
    /// `describe`: a clock that stands still and fixed random numbers, so that the answer
    /// depends on the code alone.
    Describe,
}

/// Makes a store with nothing granted, whose guest stops at `deadline`.
#[expect(clippy::disallowed_methods, reason = "this is the door for WASI contexts")]
pub(super) fn build(
    engine: &Engine,
    limits: &Limits,
    lift_bytes_max: usize,
    purpose: Purpose,
    deadline: Instant,
) -> Store<Guest> {
    let printed = Captured::new(limits.log_bytes_max);
    let logged = Captured::new(limits.log_bytes_max);
    let mut wasi = WasiCtx::builder();
    wasi.stdout(printed.clone()).stderr(printed.clone()).max_random_size(RANDOM_BYTES_MAX);
    match purpose {
        Purpose::Call => {}
        Purpose::Describe => {
            wasi.wall_clock(Frozen)
                .monotonic_clock(Frozen)
                .secure_random(Deterministic::new(vec![0]))
                .insecure_random(Deterministic::new(vec![0]))
                .insecure_random_seed(0);
        }
    }
    let guest = Guest {
        wasi: wasi.build(),
        table: ResourceTable::new(),
        limiter: Limiter::new(limits),
        printed,
        logged,
    };
    let mut store = Store::new(engine, guest);
    store.limiter(|guest| &mut guest.limiter);
    store.set_hostcall_fuel(lift_bytes_max.saturating_add(FUEL_BESIDE_RESULT));
    store.set_max_component_handles(HANDLES_MAX);
    store.set_epoch_deadline(SLICE_EPOCHS);
    store.epoch_deadline_callback(move |_| {
        if Instant::now() >= deadline {
            return Err(wasmtime::Error::new(DeadlinePassed));
        }
        Ok(UpdateDeadline::Yield(SLICE_EPOCHS))
    });
    store
}

/// What a result may take on its way to the host beside its bytes: records, list heads.
const FUEL_BESIDE_RESULT: usize = 64 << 10;

/// Why the epoch callback ended a guest.
#[derive(Debug, thiserror::Error)]
#[error("the call's deadline passed")]
pub(super) struct DeadlinePassed;

/// Bounds a guest's memories and tables, all of its instances together, and remembers
/// whether it refused anything.
#[derive(Debug)]
pub(super) struct Limiter {
    memory_bytes: usize,
    memory_bytes_max: usize,
    table_elements: usize,
    /// The guest asked for more memory than it may have.
    pub(super) memory_refused: bool,
}

/// Elements that all tables of a guest may have together.
const TABLE_ELEMENTS_MAX: usize = 200_000;
/// Core instances, memories and tables that one component may have.
const PARTS_MAX: usize = 100;

impl Limiter {
    fn new(limits: &Limits) -> Self {
        Self {
            memory_bytes: 0,
            memory_bytes_max: limits.memory_bytes_max,
            table_elements: 0,
            memory_refused: false,
        }
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let total = self.memory_bytes.saturating_add(desired.saturating_sub(current));
        if total > self.memory_bytes_max || maximum.is_some_and(|maximum| desired > maximum) {
            self.memory_refused |= total > self.memory_bytes_max;
            return Ok(false);
        }
        self.memory_bytes = total;
        Ok(true)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let total = self.table_elements.saturating_add(desired.saturating_sub(current));
        if total > TABLE_ELEMENTS_MAX || maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        self.table_elements = total;
        Ok(true)
    }

    fn instances(&self) -> usize {
        PARTS_MAX
    }

    fn memories(&self) -> usize {
        PARTS_MAX
    }

    fn tables(&self) -> usize {
        PARTS_MAX
    }
}

/// A clock that stands still.
struct Frozen;

impl HostWallClock for Frozen {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

impl HostMonotonicClock for Frozen {
    fn resolution(&self) -> u64 {
        1_000_000
    }

    fn now(&self) -> u64 {
        0
    }
}
