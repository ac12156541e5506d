//! From a config and a lock to what is served, beside whatever is served.
//!
//! What has not changed is taken over as it is; nothing here touches what runs.

mod reading;
mod standing;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use tokio::time::{Instant, timeout_at};

use crate::catalog::Catalog;
use crate::component::{self, Component, LoadError, Loaded, digest};
use crate::config::{ComponentConfig, Config};
use crate::difference::Difference;
use crate::files::Stamp;
use crate::lock::{Gate, Judged};
use crate::moment;
use crate::sandbox::Sandbox;
use standing::{Seen, Under};

pub(crate) use standing::{Serves, Standing, Trouble};

/// A component that does not load; the text is one line.
#[derive(Clone, Debug, thiserror::Error)]
#[error("cannot load `{}`: {fault}", .path.display())]
pub struct NotLoaded {
    /// The operator's name for it.
    pub id: String,
    /// Its file.
    pub path: PathBuf,
    /// Found in a directory rather than named: a server passes it over.
    pub found: bool,
    /// Why.
    pub fault: Arc<LoadError>,
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

/// Components that are looked at at the same time. Each may have a compiler of its own.
const AT_ONCE_MAX: usize = 4;

/// For how long a component that is ready waits for others, so that what changes together is served
/// together. One that takes longer to compile holds up nobody.
const TOGETHER_MAX: Duration = Duration::from_millis(300);

/// What a look goes by.
#[derive(Clone, Copy)]
pub(crate) struct Round<'a> {
    pub(crate) config: &'a Config,
    pub(crate) gate: &'a Gate,
    /// Names of files that somebody is writing to at the moment.
    pub(crate) busy: &'a Busy,
}

/// Names of files, without their directories.
pub(crate) type Busy = BTreeSet<OsString>;

/// Looks at each component of `config`, and at those that were there before. `progress` is told the
/// id of each that is loaded; `publish` is told how it stands with all of them: in the end, and
/// before that if some take long. The standings are in the order in which names are kept.
pub(crate) async fn look(
    sandbox: &Sandbox,
    round: Round<'_>,
    before: &[Standing],
    progress: impl Fn(&str),
    mut publish: impl FnMut(Vec<Standing>),
) {
    let config = round.config;
    let known = |id: &str| before.iter().find(|known| *known.id == *id);
    let looks = config.components.iter().enumerate().map(|(index, named)| {
        let look = Look { sandbox, named, round };
        let (known, progress) = (known(&named.id), &progress);
        async move { (index, look.at(known, progress).await) }
    });
    let at_once = std::thread::available_parallelism().map_or(1, usize::from).min(AT_ONCE_MAX);
    let mut looks = pin!(stream::iter(looks).buffer_unordered(at_once));
    let mut standings: Vec<Option<Standing>> =
        config.components.iter().map(|named| known(&named.id).cloned()).collect();
    // Those whose file is not found any more, perhaps for a moment.
    let is_named = |id: &str| config.components.iter().any(|named| named.id == *id);
    let lost: Vec<&Standing> =
        before.iter().filter(|known| !is_named(&known.id) && known.is_lost()).collect();
    let all = |standings: &[Option<Standing>], lost: &[&Standing]| {
        standings.iter().flatten().chain(lost.iter().copied()).cloned().collect()
    };
    let mut due: Option<Instant> = None;
    loop {
        let looked = match due {
            Some(due) => timeout_at(due, looks.next()).await,
            None => Ok(looks.next().await),
        };
        match looked {
            Ok(Some((index, standing))) => {
                standings[index] = Some(standing);
                due.get_or_insert_with(|| Instant::now() + TOGETHER_MAX);
            }
            Ok(None) => break,
            Err(_) => {
                publish(all(&standings, &lost));
                due = None;
            }
        }
    }
    let mut stay = Vec::new();
    for known in lost {
        if reading::comes_back(&known.path).await {
            stay.push(known);
        }
    }
    publish(all(&standings, &stay));
}

/// The tools of what is served, by the names that `config` gives them.
pub(crate) fn catalog(standings: &[Standing], config: &Config) -> Catalog {
    let components: Vec<Loaded> =
        standings.iter().filter_map(Standing::component).cloned().collect();
    Catalog::build(components, config.rules.clone(), |component, tool| {
        component.made.config.published(tool)
    })
}

/// Why a server that starts with these cannot: only a component that was found in a directory may
/// fail to load.
///
/// # Errors
/// When one that was named does not load, or none does.
pub(crate) fn check(standings: &[Standing]) -> Result<(), HostError> {
    let mut passed_over = None;
    for standing in standings.iter().filter(|standing| standing.serves.is_none()) {
        let Some(fault) = standing.not_loaded() else { continue };
        if !fault.found {
            return Err(fault.into());
        }
        passed_over.get_or_insert(fault);
    }
    let is_nothing = |standing: &Standing| {
        standing.serves.is_none() && matches!(standing.trouble, Some(Trouble::Fault(_)))
    };
    match passed_over {
        Some(fault) if standings.iter().all(is_nothing) => Err(HostError::Nothing(fault)),
        Some(_) | None => Ok(()),
    }
}

impl Standing {
    /// Why its file does not load, where it does not.
    pub(crate) fn not_loaded(&self) -> Option<NotLoaded> {
        match &self.trouble {
            Some(Trouble::Fault(fault)) => Some(NotLoaded {
                id: self.id.to_string(),
                path: self.path.clone(),
                found: self.found,
                fault: fault.clone(),
            }),
            Some(Trouble::Waits(_)) | None => None,
        }
    }
}

/// One component that is looked at.
struct Look<'a> {
    sandbox: &'a Sandbox,
    named: &'a ComponentConfig,
    round: Round<'a>,
}

impl Look<'_> {
    /// How it stands with it.
    async fn at(&self, known: Option<&Standing>, progress: impl Fn(&str)) -> Standing {
        let under = Under {
            made: made(self.named, self.round.config),
            mode: self.round.gate.mode(),
            approved: self.round.gate.entry(&self.named.id).cloned(),
        };
        let same = known.filter(|known| known.under == under);
        let is_busy = || {
            let name = self.named.path.file_name();
            name.is_some_and(|name| self.round.busy.contains(name))
        };
        if let (Some(same), Ok(stamp)) = (same, Stamp::of(&self.named.path))
            && (same.seen.as_ref().is_some_and(|seen| seen.stamp == stamp) || is_busy())
        {
            return same.clone();
        }
        let (bytes, stamp) =
            match reading::read(self.named, self.round.config, known.is_some()).await {
                Ok(read) => read,
                // A file that was taken away is no bad version of itself, and nothing goes on without it.
                Err(LoadError::Unreadable(error)) if error.kind() == ErrorKind::NotFound => {
                    return match same.filter(|same| same.serves.is_some()) {
                        Some(same) if reading::comes_back(&self.named.path).await => same.clone(),
                        Some(_) | None => {
                            let fault = Arc::new(LoadError::Unreadable(error));
                            self.standing(under, None, None, Some(Trouble::Fault(fault)))
                        }
                    };
                }
                Err(fault) => {
                    let trouble = Some(Trouble::Fault(Arc::new(fault)));
                    return self.stands(known, under, None, None, trouble).await;
                }
            };
        let seen = Seen { stamp, digest: digest(&bytes) };
        if let Some(same) = same {
            if same.component().is_some_and(|component| component.digest == seen.digest) {
                return Standing { seen: Some(seen), trouble: None, ..same.clone() };
            }
            if same.seen.as_ref().is_some_and(|known| known.digest == seen.digest) {
                return Standing { seen: Some(seen), ..same.clone() };
            }
        }
        progress(&self.named.id);
        let (admitted, trouble) = match self.load(&bytes).await {
            Ok(Admission::Admitted(admitted)) => (Some(*admitted), None),
            Ok(Admission::Waits(differences)) => (None, Some(Trouble::Waits(differences))),
            Err(fault) => (None, Some(Trouble::Fault(Arc::new(fault)))),
        };
        // Another time it may load: nothing is wrong with the bytes.
        let of_the_moment =
            matches!(&trouble, Some(Trouble::Fault(fault)) if fault.is_of_the_moment());
        let seen = (!of_the_moment).then_some(seen);
        self.stands(known, under, seen, admitted, trouble).await
    }

    /// Loads `bytes` and asks the gate.
    async fn load(&self, bytes: &[u8]) -> Result<Admission, LoadError> {
        let mut component =
            component::load(self.sandbox, bytes, self.named, self.round.config).await?;
        let unapproved = match self.round.gate.judge(&component) {
            Judged::Passes => Vec::new(),
            Judged::Narrowed(differences) => {
                self.round.gate.narrow(&mut component);
                differences
            }
            Judged::Waits(differences) => return Ok(Admission::Waits(differences)),
        };
        self.round.gate.keep(&component, bytes);
        Ok(Admission::Admitted(Box::new(Admitted { component, unapproved })))
    }

    /// The standing with what was admitted; without that, with what was served before or was
    /// approved.
    async fn stands(
        &self,
        known: Option<&Standing>,
        under: Under,
        seen: Option<Seen>,
        admitted: Option<Admitted>,
        trouble: Option<Trouble>,
    ) -> Standing {
        let before = known.and_then(|known| known.serves.as_ref());
        let serves = match admitted {
            Some(admitted) => Some(Serves::after(before, admitted)),
            // With other grants or limits than the operator has it now, nothing goes on.
            None => {
                match before.filter(|_| known.is_some_and(|known| known.under.as_safe_as(&under))) {
                    Some(before) => Some(before.clone()),
                    None => self.approved().await.map(|approved| Serves::after(before, approved)),
                }
            }
        };
        self.standing(under, seen, serves, trouble)
    }

    fn standing(
        &self,
        under: Under,
        seen: Option<Seen>,
        serves: Option<Serves>,
        trouble: Option<Trouble>,
    ) -> Standing {
        let (path, found) = (self.named.path.clone(), self.named.found);
        Standing { id: self.named.id.as_str().into(), path, found, seen, under, serves, trouble }
    }

    /// What was approved, if its bytes are kept and it still is what was approved.
    async fn approved(&self) -> Option<Admitted> {
        let bytes =
            self.round.gate.approved(&self.named.id, self.round.config.host.component_bytes_max)?;
        match self.load(&bytes).await {
            Ok(Admission::Admitted(admitted)) => Some(*admitted),
            Ok(Admission::Waits(_)) => None,
            Err(fault) => {
                tracing::error!("component `{}` as it was approved: {fault}", self.named.id);
                None
            }
        }
    }
}

/// Whether bytes are served.
enum Admission {
    Admitted(Box<Admitted>),
    /// They are not, until this is approved.
    Waits(Vec<Difference>),
}

/// A component that is served.
struct Admitted {
    component: Component,
    /// What is granted to it, and it does not get until it is approved.
    unapproved: Vec<Difference>,
}

impl Serves {
    /// What was admitted, which comes after `before`.
    fn after(before: Option<&Self>, admitted: Admitted) -> Self {
        let Admitted { mut component, unapproved } = admitted;
        if let Some(before) = before {
            component.calls = before.component.calls.clone();
        }
        Self {
            component: Arc::new(component),
            unapproved,
            generation: before.map_or(1, |before| before.generation + 1),
            since: moment::now(),
        }
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
