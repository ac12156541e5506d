//! The state of one call: what the guest can touch, and the limits on it.
//!
//! A store lives for one call. Nothing of the process is inherited: no environment,
//! arguments, directories, network or standard streams.

use std::sync::Arc;
use std::time::Instant;

use wasmtime::component::ResourceTable;
use wasmtime::{Engine, ResourceLimiter, Store};
use wasmtime_wasi::filesystem::WasiFilesystemCtxView;
use wasmtime_wasi::random::Deterministic;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use wasmtime_wasi_http::{WasiHttpCtx, WasiHttpCtxView, WasiHttpView};

use super::budget::Charge;
use super::captured::Captured;
use super::directories::{Counted, Directories, Quotas};
use super::egress::Egress;
use super::lane::{Place, SLICE_EPOCHS};
use super::lines::Listened;
use super::progress::Progress;
use super::tally::Tally;
use super::{Terms, clocks, directories};
use crate::config::Limits;
use crate::grants::{Clocks, DirGrant};

/// Bytes of a guest's random numbers that one request may take.
const RANDOM_BYTES_MAX: u64 = 1 << 20;

/// What a store holds for its guest.
pub(crate) struct Guest {
    wasi: WasiCtx,
    directories: Directories,
    http: WasiHttpCtx,
    pub(super) egress: Egress,
    pub(super) table: ResourceTable,
    pub(super) limiter: Limiter,
    pub(super) printed: Captured,
    pub(super) logged: Captured,
    pub(super) progress: Progress,
    pub(super) listened: Listened,
    pub(super) tally: Tally,
    /// It may have random numbers that nobody can foresee.
    pub(super) random: bool,
    place: Place,
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl WasiHttpView for Guest {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView { ctx: &mut self.http, table: &mut self.table, hooks: &mut self.egress }
    }
}

impl Guest {
    /// Its files, each of which lies in a granted directory.
    pub(super) fn files(&mut self) -> Counted<'_> {
        let directories = &mut self.directories;
        let files = WasiFilesystemCtxView { ctx: self.wasi.filesystem(), table: &mut self.table };
        Counted { files, directories }
    }
}

/// Whether a guest runs for a caller or only to say what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A call, with what is granted.
    Call,
    /// `describe`: nothing granted, a clock that stands still and fixed random numbers, so that the
    /// answer depends on the code alone.
    Describe,
}

/// What the sandbox lends to one store.
pub(super) struct Lent {
    pub(super) quotas: Arc<Quotas>,
    pub(super) egress: Egress,
    pub(super) charge: Charge,
    pub(super) place: Place,
    pub(super) tally: Tally,
    pub(super) deadline: Instant,
}

/// Makes a store whose guest stops at the deadline.
///
/// # Errors
/// A granted directory that cannot be opened.
#[expect(clippy::disallowed_methods, reason = "this is the door for WASI contexts")]
pub(super) fn build(
    engine: &Engine,
    terms: &Terms<'_>,
    lent: Lent,
) -> Result<Store<Guest>, Box<DirGrant>> {
    let limits = terms.limits;
    let effective = terms.effective;
    let printed = Captured::new(limits.log_bytes_max);
    let logged = Captured::new(limits.log_bytes_max);
    let mut wasi = WasiCtx::builder();
    wasi.stdout(printed.clone()).stderr(printed.clone()).max_random_size(RANDOM_BYTES_MAX);
    wasi.allow_tcp(false).allow_udp(false).allow_ip_name_lookup(false);
    match terms.purpose {
        Purpose::Call => {
            wasi.envs(&effective.env);
            for secret in effective.secrets.iter().filter(|secret| secret.header.is_none()) {
                wasi.env(&secret.name, secret.text.reveal());
            }
            directories::open(&mut wasi, &effective.dirs).map_err(Box::new)?;
            clocks::give(&mut wasi, effective.clocks);
        }
        Purpose::Describe => {
            clocks::give(&mut wasi, Clocks::Fixed);
            wasi.secure_random(Deterministic::new(vec![0]))
                .insecure_random(Deterministic::new(vec![0]))
                .insecure_random_seed(0);
        }
    }
    let mut wasi = wasi.build();
    let directories = match terms.purpose {
        Purpose::Call => {
            Directories::of(wasi.filesystem(), &effective.dirs, &lent.quotas, &lent.tally)
                .map_err(Box::new)?
        }
        Purpose::Describe => Directories::default(),
    };
    let deadline = lent.deadline;
    let guest = Guest {
        wasi,
        directories,
        http: WasiHttpCtx::new(),
        egress: lent.egress,
        table: ResourceTable::new(),
        limiter: Limiter::new(limits, lent.charge, lent.tally.clone()),
        printed,
        logged,
        progress: Progress::new(
            limits.progress_notes_per_second_max,
            terms.progress.clone(),
            effective,
        ),
        listened: Listened::new(limits.log_bytes_max, terms.log.clone(), effective),
        tally: lent.tally,
        random: effective.random || terms.purpose == Purpose::Describe,
        place: lent.place,
    };
    let mut store = Store::new(engine, guest);
    store.limiter(|guest| &mut guest.limiter);
    store.set_hostcall_fuel(terms.hostcall_fuel.saturating_add(FUEL_BESIDE_RESULT));
    store.set_max_component_handles(limits.handles_max);
    store.set_epoch_deadline(SLICE_EPOCHS);
    store.epoch_deadline_callback(move |mut store| {
        if Instant::now() >= deadline {
            return Err(wasmtime::Error::new(DeadlinePassed));
        }
        Ok(store.data_mut().place.next_slice())
    });
    Ok(store)
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
    charge: Charge,
    tally: Tally,
    table_elements: usize,
    table_elements_max: usize,
    parts_max: usize,
    /// Why the guest did not get all the memory that it asked for.
    pub(super) refused: Option<MemoryRefused>,
}

/// Why a guest got no more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemoryRefused {
    /// A call may not have as much.
    ByCall,
    /// All calls together may not.
    ByHost,
}

impl Limiter {
    fn new(limits: &Limits, charge: Charge, tally: Tally) -> Self {
        Self {
            memory_bytes: 0,
            memory_bytes_max: limits.memory_bytes_max,
            charge,
            tally,
            table_elements: 0,
            table_elements_max: limits.table_elements_max,
            parts_max: limits.instances_max,
            refused: None,
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
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        let more = desired.saturating_sub(current);
        let total = self.memory_bytes.saturating_add(more);
        if total > self.memory_bytes_max {
            self.refused = Some(MemoryRefused::ByCall);
            return Ok(false);
        }
        if !self.charge.take(more) {
            self.refused = Some(MemoryRefused::ByHost);
            return Ok(false);
        }
        self.memory_bytes = total;
        self.tally.holds(total);
        Ok(true)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let total = self.table_elements.saturating_add(desired.saturating_sub(current));
        if total > self.table_elements_max || maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        self.table_elements = total;
        Ok(true)
    }

    fn instances(&self) -> usize {
        self.parts_max
    }

    fn memories(&self) -> usize {
        self.parts_max
    }

    fn tables(&self) -> usize {
        self.parts_max
    }
}
