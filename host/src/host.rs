//! A sandbox and the catalog that it serves.
//!
//! All that a server, a command or a test does with components goes through [`Host`].

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::call::Audit;
use crate::catalog::Catalog;
use crate::config::Config;
use crate::loading::{self, HostError, NotLoaded, Renewed};
use crate::sandbox::{Compiler, Resolver, Sandbox};

/// Loaded components, ready to be called.
pub struct Host {
    pub(crate) sandbox: Sandbox,
    /// What is served now; calls keep the one that they started with.
    catalog: watch::Sender<Arc<Catalog>>,
    /// Whether that is what the config says, or nothing yet.
    ready: watch::Sender<bool>,
    calls: AtomicU64,
    pub(crate) audit: Option<Arc<Audit>>,
    /// Held by each call that runs.
    pub(crate) running: Arc<()>,
}

/// For how long a client waits for components that are still being loaded. Beyond that it gets what
/// is there, and is told when there is more.
const READY_MAX: Duration = Duration::from_secs(45);

/// For how long calls that were dropped may take to be gone.
const FINISH_MAX: Duration = Duration::from_secs(5);

impl Host {
    /// Loads all components of `config`. `progress` is told the id of each before it is loaded.
    ///
    /// # Errors
    /// When a component that was named does not load. One that was only found in a directory
    /// is passed over, with a warning in the log, unless nothing else is there.
    pub async fn load(
        config: &Config,
        compiler: Compiler,
        progress: impl Fn(&str),
    ) -> Result<Self, HostError> {
        let sandbox = Sandbox::new(compiler, &config.host).map_err(HostError::Engine)?;
        let catalog = loading::all(&sandbox, config, progress).await?;
        Ok(Self::of(sandbox, catalog))
    }

    /// A host that serves nothing until [`Host::fill`] has loaded something.
    ///
    /// # Errors
    /// When this machine cannot run the engine.
    pub fn empty(config: &Config, compiler: Compiler) -> Result<Self, HostError> {
        let sandbox = Sandbox::new(compiler, &config.host).map_err(HostError::Engine)?;
        let host = Self::of(sandbox, Catalog::default());
        host.ready.send_replace(false);
        Ok(host)
    }

    /// Loads all components of `config`, and serves them from then on.
    ///
    /// # Errors
    /// As [`Host::load`].
    pub async fn fill(&self, config: &Config, progress: impl Fn(&str)) -> Result<(), HostError> {
        let catalog = loading::all(&self.sandbox, config, progress).await?;
        self.catalog.send_replace(Arc::new(catalog));
        self.ready.send_replace(true);
        Ok(())
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
        let sandbox = Sandbox::new(compiler, &config.host).map_err(HostError::Engine)?;
        let (catalog, faults) = loading::what_loads(&sandbox, config, progress).await;
        Ok((Self::of(sandbox, catalog), faults))
    }

    fn of(sandbox: Sandbox, catalog: Catalog) -> Self {
        let catalog = watch::Sender::new(Arc::new(catalog));
        let ready = watch::Sender::new(true);
        Self {
            sandbox,
            catalog,
            ready,
            calls: AtomicU64::new(0),
            audit: None,
            running: Arc::default(),
        }
    }

    /// Serves `config` from now on, and loads what of it has changed. Calls that run end on what
    /// they started with. A component that does not load stays as it was; one whose file is gone
    /// goes. The limits of all calls together stay as they are until the host is started anew.
    pub(crate) async fn renew(&self, config: &Config) -> Renewed {
        let mut renewed = loading::anew(&self.sandbox, config, &self.catalog()).await;
        if let Some(catalog) = renewed.catalog.take() {
            loading::report_refused(&catalog);
            self.catalog.send_replace(Arc::new(catalog));
        }
        renewed
    }

    /// Tells of each catalog that is served from now on.
    pub(crate) fn catalogs(&self) -> watch::Receiver<Arc<Catalog>> {
        self.catalog.subscribe()
    }

    /// Writes a receipt of every call to `audit` as well as to the log.
    #[must_use]
    pub fn with_audit(self, audit: Option<Audit>) -> Self {
        Self { audit: audit.map(Arc::new), ..self }
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
        if let Some(audit) = &self.audit {
            audit.finish();
        }
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
