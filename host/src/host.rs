//! A sandbox and the catalog that it serves.
//!
//! All that a server, a command or a test does with components goes through [`Host`].

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use crate::call::Audit;
use crate::catalog::Catalog;
use crate::component::{self, Component, LoadError};
use crate::config::{ComponentConfig, Config};
use crate::files::{self, Capped};
use crate::sandbox::{Compiler, Resolver, Sandbox};

/// Loaded components, ready to be called.
pub struct Host {
    pub(crate) sandbox: Sandbox,
    catalog: RwLock<Arc<Catalog>>,
    calls: AtomicU64,
    pub(crate) audit: Option<Arc<Audit>>,
}

/// A component that does not load; the text is one line.
#[derive(Debug, thiserror::Error)]
#[error("cannot load `{}`: {fault}", .path.display())]
pub struct NotLoaded {
    /// The operator's name for it.
    pub id: String,
    /// Its file.
    pub path: std::path::PathBuf,
    /// Found in a directory rather than named: a server passes it over.
    pub found: bool,
    /// Why.
    pub fault: LoadError,
}

/// Why there is no host.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// A component that was named does not load.
    #[error(transparent)]
    Component(#[from] NotLoaded),
    /// There were components, and not one of them loads.
    #[error("none of the files found is a component of tools; the first: {0}")]
    Nothing(NotLoaded),
    /// This machine cannot run the engine.
    #[error("the WebAssembly engine does not start here: {0:#}")]
    Engine(anyhow::Error),
}

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
        let catalog = strict(&sandbox, config, progress).await?;
        Ok(Self::of(sandbox, catalog))
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
        let mut faults = Vec::new();
        let catalog = load_each(&sandbox, config, progress, |fault| {
            faults.push(fault);
            Ok(())
        })
        .await?;
        Ok((Self::of(sandbox, catalog), faults))
    }

    fn of(sandbox: Sandbox, catalog: Catalog) -> Self {
        let catalog = RwLock::new(Arc::new(catalog));
        Self { sandbox, catalog, calls: AtomicU64::new(0), audit: None }
    }

    /// Serves `config` from now on. Calls that run end on what they started with. The limits of
    /// all calls together stay as they are until the host is started anew.
    ///
    /// # Errors
    /// As [`Host::load`]; what was served goes on being served then.
    pub async fn reload(&self, config: &Config) -> Result<(), HostError> {
        let catalog = Arc::new(strict(&self.sandbox, config, |_| ()).await?);
        *self.catalog.write().unwrap_or_else(PoisonError::into_inner) = catalog;
        Ok(())
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

    /// What is served now.
    #[must_use]
    pub fn catalog(&self) -> Arc<Catalog> {
        self.catalog.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A name for the next call, unique for this host.
    pub(crate) fn next_call_id(&self) -> String {
        format!("c{}", self.calls.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// Loads all components; only one that was found in a directory may fail to.
async fn strict(
    sandbox: &Sandbox,
    config: &Config,
    progress: impl Fn(&str),
) -> Result<Catalog, HostError> {
    let mut passed_over = None;
    let catalog = load_each(sandbox, config, progress, |fault| {
        if !fault.found {
            return Err(fault.into());
        }
        tracing::warn!("{fault}; it is passed over");
        passed_over.get_or_insert(fault);
        Ok(())
    })
    .await?;
    if let (true, Some(fault)) = (catalog.components().is_empty(), passed_over) {
        return Err(HostError::Nothing(fault));
    }
    for refused in catalog.refused() {
        tracing::warn!(
            "tool `{}` of component `{}` is left out: {}",
            refused.tool,
            refused.component,
            refused.reason
        );
    }
    Ok(catalog)
}

/// Loads each component; `failed` says whether to go on without one.
async fn load_each(
    sandbox: &Sandbox,
    config: &Config,
    progress: impl Fn(&str),
    mut failed: impl FnMut(NotLoaded) -> Result<(), HostError>,
) -> Result<Catalog, HostError> {
    let mut loaded: Vec<Arc<Component>> = Vec::new();
    for named in &config.components {
        progress(&named.id);
        match load(sandbox, named, config).await {
            Ok(component) => loaded.push(Arc::new(component)),
            Err(fault) => failed(NotLoaded {
                id: named.id.clone(),
                path: named.path.clone(),
                found: named.found,
                fault,
            })?,
        }
    }
    Ok(Catalog::build(loaded, config.rules.clone(), |component, tool| {
        let named = config.components.iter().find(|named| *named.id == *component.id);
        named.map_or_else(|| tool.to_owned(), |named| named.published(tool))
    }))
}

async fn load(
    sandbox: &Sandbox,
    named: &ComponentConfig,
    config: &Config,
) -> Result<Component, LoadError> {
    let bytes_max = config.host.component_bytes_max;
    let bytes = match files::read(&named.path, bytes_max).map_err(LoadError::Unreadable)? {
        Capped::Whole(bytes) => bytes,
        Capped::TooLarge => return Err(LoadError::TooLarge { bytes_max }),
    };
    component::load(sandbox, &bytes, named, config).await
}
