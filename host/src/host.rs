//! A sandbox and the catalog that it serves.
//!
//! All that a server, a command or a test does with components goes through [`Host`].

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{broadcast, watch};

use crate::call::{Audit, Ledger};
use crate::catalog::Catalog;
use crate::component::{self, Component};
use crate::config::Config;
use crate::loading::{self, Busy, HostError, NotLoaded, Round, Standing};
use crate::lock::{Gate, Mode};
use crate::present::clean;
use crate::rates::Rates;
use crate::sandbox::{Change, Compiler, Resolver, Sandbox};
use crate::status::ReloadReport;

/// Loaded components, ready to be called.
pub struct Host {
    pub(crate) sandbox: Sandbox,
    /// No call looks at it.
    state: Mutex<State>,
    /// What is served now; calls keep the one that they started with.
    catalog: watch::Sender<Arc<Catalog>>,
    /// Whether that is what the config says, or nothing yet.
    ready: watch::Sender<bool>,
    calls: AtomicU64,
    /// How often each client asks for each thing.
    pub(crate) rates: Rates<(Arc<str>, String)>,
    /// What guests say has changed.
    announced: broadcast::Sender<Announced>,
    pub(crate) ledger: Arc<Ledger>,
    /// Held by each call that runs.
    pub(crate) running: Arc<()>,
}

/// What is known of a host beside its catalog.
struct State {
    /// How it stands with each component of the config.
    standings: Arc<[Standing]>,
    mode: Mode,
    last_reload: Option<ReloadReport>,
}

/// Something that clients can see is no longer what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Announced {
    Tools,
    Resources,
    Prompts,
    /// The contents of the resource of this URI.
    Contents(Arc<str>),
}

/// Announcements that wait for a client that is slow; then it is told of everything.
const ANNOUNCED_MAX: usize = 256;

/// For how long a client waits for components that are still being loaded. Beyond that it gets what
/// is there, and is told when there is more.
const READY_MAX: Duration = Duration::from_secs(45);

/// For how long calls that were dropped may take to be gone.
const FINISH_MAX: Duration = Duration::from_secs(5);

/// Contents that one component may announce as changed in a second.
const CONTENTS_PER_SECOND_MAX: u64 = 100;
/// Lists, before each of which it describes itself again.
const LISTS_PER_SECOND_MAX: u64 = 10;

impl Host {
    /// Loads all components of `config`, whatever was approved. `progress` is told the id of each
    /// before it is loaded.
    ///
    /// # Errors
    /// When a component that was named does not load. One that was only found in a directory
    /// is passed over, with a warning in the log, unless nothing else is there.
    pub async fn load(
        config: &Config,
        compiler: Compiler,
        progress: impl Fn(&str),
    ) -> Result<Self, HostError> {
        let host = Self::empty(config, compiler)?;
        host.fill(config, &Gate::open(), progress).await?;
        for fault in host.faults() {
            tracing::warn!("{fault}; it is passed over");
        }
        Ok(host)
    }

    /// Loads the components of `config` that load, and says of each of the others why it does
    /// not. `progress` is told the id of each before it is loaded.
    ///
    /// # Errors
    /// When this machine cannot run the engine.
    pub async fn load_what_loads(
        config: &Config,
        compiler: Compiler,
        progress: impl Fn(&str),
    ) -> Result<(Self, Vec<NotLoaded>), HostError> {
        let host = Self::empty(config, compiler)?;
        let round = Round { config, gate: &Gate::open(), busy: &Busy::new() };
        host.look(round, progress).await;
        host.ready.send_replace(true);
        let faults = host.faults();
        Ok((host, faults))
    }

    /// A host that serves nothing until [`Host::fill`] has loaded something.
    ///
    /// # Errors
    /// When this machine cannot run the engine.
    pub fn empty(config: &Config, compiler: Compiler) -> Result<Self, HostError> {
        let sandbox = Sandbox::new(compiler, &config.host).map_err(HostError::Engine)?;
        let ledger = Ledger::start(None).map_err(|error| HostError::Engine(error.into()))?;
        Ok(Self {
            sandbox,
            state: Mutex::new(State {
                standings: Arc::default(),
                mode: Mode::Open,
                last_reload: None,
            }),
            catalog: watch::Sender::default(),
            ready: watch::Sender::new(false),
            calls: AtomicU64::new(0),
            rates: Rates::default(),
            announced: broadcast::Sender::new(ANNOUNCED_MAX),
            ledger: Arc::new(ledger),
            running: Arc::default(),
        })
    }

    /// Loads all components of `config` that `gate` lets through, and serves them from then on.
    ///
    /// # Errors
    /// As [`Host::load`].
    pub async fn fill(
        &self,
        config: &Config,
        gate: &Gate,
        progress: impl Fn(&str),
    ) -> Result<(), HostError> {
        self.look(Round { config, gate, busy: &Busy::new() }, progress).await;
        loading::check(&self.standings())?;
        report_refused(&self.catalog());
        self.ready.send_replace(true);
        Ok(())
    }

    /// Serves what `round` says from now on, and loads what of it has changed. Calls that
    /// run end on what they started with. A component that does not load stays as it was; one whose
    /// file is gone goes. The limits of all calls together stay as they are until the host is
    /// started anew. Whether anything else is served now.
    ///
    /// One look follows the other: the caller sees to it.
    pub(crate) async fn look(&self, round: Round<'_>, progress: impl Fn(&str)) -> bool {
        let before = self.standings();
        let mut swapped = false;
        let publish = |standings| {
            swapped |= self.publish(standings, round.config, round.gate.mode());
        };
        loading::look(&self.sandbox, round, &before, progress, publish).await;
        swapped
    }

    /// Serves what `standings` serve from now on. Whether that is anything else than before.
    fn publish(&self, standings: Vec<Standing>, config: &Config, mode: Mode) -> bool {
        let before = self.standings();
        let same = *self.catalog.borrow().rules() == config.rules
            && before.len() == standings.len()
            && before.iter().zip(&standings).all(|(before, after)| before.serves_as(after));
        if !same {
            self.catalog.send_replace(Arc::new(loading::catalog(&standings, config)));
        }
        let mut state = self.state();
        state.mode = mode;
        state.standings = standings.into();
        !same
    }

    /// How it stands with each component.
    pub(crate) fn standings(&self) -> Arc<[Standing]> {
        self.state().standings.clone()
    }

    /// How much components may change without being approved.
    pub(crate) fn mode(&self) -> Mode {
        self.state().mode
    }

    /// What became of the last change; none: there was none.
    pub(crate) fn last_reload(&self) -> Option<ReloadReport> {
        self.state().last_reload.clone()
    }

    /// Notes what became of a change.
    pub(crate) fn reloaded(&self, report: ReloadReport) {
        self.state().last_reload = Some(report);
    }

    /// Whether its components have been loaded for the first time.
    pub(crate) fn is_ready(&self) -> bool {
        *self.ready.borrow()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn faults(&self) -> Vec<NotLoaded> {
        self.standings().iter().filter_map(Standing::not_loaded).collect()
    }

    /// What is there now is what there is: nobody waits for more.
    pub(crate) fn wait_no_more(&self) {
        self.ready.send_replace(true);
    }

    /// Waits until the components are loaded, but no longer than a client may wait. Whether they
    /// are.
    pub(crate) async fn ready(&self) -> bool {
        let mut ready = self.ready.subscribe();
        // The sender lives as long as this host.
        tokio::time::timeout(READY_MAX, ready.wait_for(|ready| *ready)).await.is_ok()
    }

    /// Tells of each catalog that is served from now on.
    pub(crate) fn catalogs(&self) -> watch::Receiver<Arc<Catalog>> {
        self.catalog.subscribe()
    }

    /// Tells of what guests say has changed from now on.
    pub(crate) fn announcements(&self) -> broadcast::Receiver<Announced> {
        self.announced.subscribe()
    }

    /// Announces what a guest of `component` says has changed. Before a list is announced, the
    /// component describes itself again: what it says now has to be what its lock was asked about.
    pub(crate) async fn announce(&self, component: &Component, changed: Vec<Change>) {
        if changed.is_empty() {
            return;
        }
        let catalog = self.catalog();
        let surface = &component.surface;
        let mut same = None;
        for change in changed {
            let (what, per_second) = match &change {
                Change::Contents(_) => ("contents", CONTENTS_PER_SECOND_MAX),
                Change::Tools | Change::Resources | Change::Prompts => {
                    ("lists", LISTS_PER_SECOND_MAX)
                }
            };
            let share = (component.id.clone(), format!("announces {what}"));
            if self.rates.take(share, per_second, Instant::now()).is_err() {
                tracing::info!(
                    "component `{}` announces more than {per_second} changes of {what} in a \
                     second; this one is not passed on",
                    component.id
                );
                continue;
            }
            let announced = match change {
                Change::Contents(uri) => match catalog.resource(&uri) {
                    Some(owner) if owner.id == component.id => Announced::Contents(uri.into()),
                    Some(_) | None => {
                        let shown = clean::bounded(&uri, 100);
                        tracing::info!(
                            "component `{}` announces `{shown}`, which is no resource of it",
                            component.id
                        );
                        continue;
                    }
                },
                Change::Tools if !component.tools.is_empty() => Announced::Tools,
                Change::Resources
                    if !surface.resources.is_empty() || !surface.templates.is_empty() =>
                {
                    Announced::Resources
                }
                Change::Prompts if !surface.prompts.is_empty() => Announced::Prompts,
                // It has none that clients could have listed.
                Change::Tools | Change::Resources | Change::Prompts => continue,
            };
            if !matches!(announced, Announced::Contents(_)) {
                if same.is_none() {
                    same = Some(self.says_the_same(component).await);
                }
                if same != Some(true) {
                    continue;
                }
            }
            // Nobody may listen.
            let _ = self.announced.send(announced);
        }
    }

    async fn says_the_same(&self, component: &Component) -> bool {
        match component::says_the_same(&self.sandbox, component).await {
            Ok(true) => true,
            Ok(false) => {
                tracing::warn!(
                    "component `{}` does not describe itself as it did; it is served as it was, \
                     and nothing is announced",
                    component.id
                );
                false
            }
            Err(fault) => {
                tracing::warn!("component `{}` announces a change: {fault}", component.id);
                false
            }
        }
    }

    /// Writes a receipt of every call to `audit` as well as to the log.
    ///
    /// # Errors
    /// When there is no thread that could write.
    pub fn with_audit(self, audit: Option<Audit>) -> std::io::Result<Self> {
        Ok(Self { ledger: Arc::new(Ledger::start(audit)?), ..self })
    }

    /// Asks `resolver` for the addresses of the hosts that components speak to, and not the
    /// system.
    #[must_use]
    pub fn with_resolver(self, resolver: Arc<dyn Resolver>) -> Self {
        Self { sandbox: self.sandbox.with_resolver(resolver), ..self }
    }

    /// Waits until no call runs and every receipt is written, but not for ever.
    pub(crate) async fn finish(&self) {
        let end = Instant::now() + FINISH_MAX;
        while Arc::strong_count(&self.running) > 1 && Instant::now() < end {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self.ledger.finish();
    }

    /// What is served now.
    #[must_use]
    pub fn catalog(&self) -> Arc<Catalog> {
        self.catalog.borrow().clone()
    }

    /// A name for the next call, unique for this host.
    pub(crate) fn next_call_id(&self) -> String {
        format!("c{}", self.calls.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// Says in the log which tools are left out.
pub(crate) fn report_refused(catalog: &Catalog) {
    for refused in catalog.refused() {
        let (component, tool) = (&refused.component, &refused.tool);
        tracing::warn!("tool `{tool}` of component `{component}` is left out: {}", refused.reason);
    }
}
