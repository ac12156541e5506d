//! From a config to a catalog, beside whatever is served.
//!
//! What has not changed is taken over as it is; nothing here touches what runs.

use std::sync::Arc;
use std::time::Duration;

use crate::catalog::Catalog;
use crate::component::{self, Component, LoadError, Loaded, digest};
use crate::config::{ComponentConfig, Config};
use crate::files::{self, Capped, Stamp};
use crate::sandbox::Sandbox;

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

/// How often a file that is being written is read before it counts as broken.
const READS_MAX: usize = 100;
/// For how long a file must be away until it counts as removed.
const GONE_AFTER: Duration = Duration::from_millis(300);
/// Between two readings of a file that has just changed.
const BETWEEN_READINGS: Duration = Duration::from_millis(20);

/// Loads the components of `config` for the first time; only one that was found in a directory may
/// fail to. `progress` is told the id of each before it is loaded.
///
/// # Errors
/// As [`crate::Host::load`].
pub(crate) async fn all(
    sandbox: &Sandbox,
    config: &Config,
    progress: impl Fn(&str),
) -> Result<Catalog, HostError> {
    let (catalog, faults) = what_loads(sandbox, config, progress).await;
    let mut passed_over = None;
    for fault in faults {
        if !fault.found {
            return Err(fault.into());
        }
        tracing::warn!("{fault}; it is passed over");
        passed_over.get_or_insert(fault);
    }
    if let (true, Some(fault)) = (catalog.components().is_empty(), passed_over) {
        return Err(HostError::Nothing(fault));
    }
    report_refused(&catalog);
    Ok(catalog)
}

/// Loads the components of `config` that load, and says of each of the others why it does not.
pub(crate) async fn what_loads(
    sandbox: &Sandbox,
    config: &Config,
    progress: impl Fn(&str),
) -> (Catalog, Vec<NotLoaded>) {
    let mut loaded = Vec::new();
    let mut faults = Vec::new();
    for named in &config.components {
        progress(&named.id);
        match load(sandbox, named, config).await {
            Ok(component) => loaded.push(Arc::new(component)),
            Err(fault) => faults.push(not_loaded(named, fault)),
        }
    }
    (catalog(loaded, config), faults)
}

/// What became of the components when they were loaded anew.
#[derive(Debug, Default)]
pub(crate) struct Renewed {
    /// None: everything is as it was.
    pub(crate) catalog: Option<Catalog>,
    /// New ones, and those that are there in another version.
    pub(crate) loaded: Vec<Loaded>,
    /// Those that are not there any more.
    pub(crate) gone: Vec<Loaded>,
    /// Those that do not load; where there was a version that did, that one stays.
    pub(crate) faults: Vec<NotLoaded>,
}

/// Loads what has changed since `before`.
pub(crate) async fn anew(sandbox: &Sandbox, config: &Config, before: &Catalog) -> Renewed {
    let mut renewed = Renewed::default();
    let mut components = Vec::new();
    for named in &config.components {
        let known = before.components().iter().find(|component| *component.id == *named.id);
        match again(sandbox, named, config, known).await {
            Ok(Some(component)) => {
                renewed.loaded.push(component.clone());
                components.push(component);
            }
            Ok(None) => components.extend(known.cloned()),
            // A file that was taken away is no bad version of itself.
            Err(LoadError::Unreadable(error))
                if known.is_some() && error.kind() == std::io::ErrorKind::NotFound =>
            {
                components.extend(still_there(known).await);
            }
            Err(fault) => {
                renewed.faults.push(not_loaded(named, fault));
                // With other grants or limits than the operator has it now, it must not go on.
                let made = made(named, config);
                components.extend(known.filter(|known| known.made == made).cloned());
            }
        }
    }
    // Those that were found in a directory and are not there now.
    let is_named = |id: &str| config.components.iter().any(|named| named.id == *id);
    for component in before.components().iter().filter(|component| !is_named(&component.id)) {
        if component.made.config.found {
            components.extend(still_there(Some(component)).await);
        }
    }
    let stays = |id: &str| components.iter().any(|component: &Loaded| *component.id == *id);
    let failed = |id: &str| renewed.faults.iter().any(|fault| fault.id == *id);
    let gone = before.components().iter().filter(|c| !stays(&c.id) && !failed(&c.id));
    renewed.gone = gone.cloned().collect();
    let same_rules = *before.rules() == config.rules;
    let same_order = before.components().len() == components.len()
        && before.components().iter().zip(&components).all(|(a, b)| Arc::ptr_eq(a, b));
    if !(same_rules && same_order) {
        renewed.catalog = Some(catalog(components, config));
    }
    renewed
}

/// `known`, if its file comes back at once: it is being replaced, and its new version is loaded when
/// whoever does it is done.
async fn still_there(known: Option<&Loaded>) -> Option<Loaded> {
    tokio::time::sleep(GONE_AFTER).await;
    known.filter(|known| Stamp::of(known.file()).is_ok()).cloned()
}

/// Loads a component if it is another one than `known`.
async fn again(
    sandbox: &Sandbox,
    named: &ComponentConfig,
    config: &Config,
    known: Option<&Loaded>,
) -> Result<Option<Loaded>, LoadError> {
    let made = made(named, config);
    let known = known.filter(|known| known.made == made);
    let stamp = Stamp::of(&named.path).map_err(LoadError::Unreadable)?;
    if known.is_some_and(|known| known.stamp() == Some(stamp)) {
        return Ok(None);
    }
    let (bytes, stamp) = read_stable(named, config).await?;
    if let Some(known) = known.filter(|known| known.digest == digest(&bytes)) {
        known.touched(stamp);
        return Ok(None);
    }
    let component = component::load(sandbox, &bytes, named, config).await?;
    component.touched(stamp);
    Ok(Some(Arc::new(component)))
}

async fn load(
    sandbox: &Sandbox,
    named: &ComponentConfig,
    config: &Config,
) -> Result<Component, LoadError> {
    let stamp = Stamp::of(&named.path).map_err(LoadError::Unreadable)?;
    let bytes = read(named, config)?;
    let component = component::load(sandbox, &bytes, named, config).await?;
    component.touched(stamp);
    Ok(component)
}

/// The bytes of a file that nobody writes to at the moment: those that are read twice in a row. A
/// file that is cut off between two sections is a component too, with less in it.
async fn read_stable(
    named: &ComponentConfig,
    config: &Config,
) -> Result<(Vec<u8>, Stamp), LoadError> {
    let mut before: Option<(Vec<u8>, Stamp)> = None;
    for _ in 0..READS_MAX {
        let stamp = Stamp::of(&named.path).map_err(LoadError::Unreadable)?;
        let bytes = read(named, config)?;
        if let Some((earlier, its_stamp)) = before.take()
            && its_stamp == stamp
            && earlier == bytes
        {
            return Ok((bytes, stamp));
        }
        before = Some((bytes, stamp));
        tokio::time::sleep(BETWEEN_READINGS).await;
    }
    Err(LoadError::Unreadable(std::io::Error::other("it is being written to all the time")))
}

fn read(named: &ComponentConfig, config: &Config) -> Result<Vec<u8>, LoadError> {
    let bytes_max = config.host.component_bytes_max;
    match files::read(&named.path, bytes_max).map_err(LoadError::Unreadable)? {
        Capped::Whole(bytes) => Ok(bytes),
        Capped::TooLarge => Err(LoadError::TooLarge { bytes_max }),
    }
}

/// What a component is made under beside its bytes.
pub(crate) fn made(named: &ComponentConfig, config: &Config) -> component::Made {
    component::Made {
        config: named.clone(),
        style: config.style,
        bounds: config.rules.bounds.clone(),
    }
}

fn catalog(components: Vec<Loaded>, config: &Config) -> Catalog {
    Catalog::build(components, config.rules.clone(), |component, tool| {
        let named = config.components.iter().find(|named| *named.id == *component.id);
        named.map_or_else(|| tool.to_owned(), |named| named.published(tool))
    })
}

fn not_loaded(named: &ComponentConfig, fault: LoadError) -> NotLoaded {
    NotLoaded { id: named.id.clone(), path: named.path.clone(), found: named.found, fault }
}

/// Says in the log which tools are left out.
pub(crate) fn report_refused(catalog: &Catalog) {
    for refused in catalog.refused() {
        tracing::warn!(
            "tool `{}` of component `{}` is left out: {}",
            refused.tool,
            refused.component,
            refused.reason
        );
    }
}
