//! `portcullis approve`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use super::locking;
use super::terminal::{self, Ink, bold, field, inked};
use crate::component::Loaded;
use crate::config::{Config, nearest};
use crate::difference::Difference;
use crate::files::{self, Capped};
use crate::host::Host;
use crate::lock::{Entry, Kept, Lock, LockError};
use crate::present::clean;

/// Show what has changed in components, and approve it
///
/// Compares components with the contract lock: their code, what they import and are granted, and
/// every word of their tools. Shows each difference, then writes the lock, which is made to be read in
/// review and committed. A server with that lock serves what was approved from then on, and goes on
/// with it when a file changes.
///
/// Exit status 1 with --dry-run when something differs, 2 when a component does not load; nothing is
/// written then.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  portcullis approve                       all that ./portcullis.toml names
  portcullis approve weather               one of them
  portcullis approve weather.wasm tools/   components without a config
  portcullis approve --dry-run             only show what differs")]
pub(super) struct Arguments {
    /// Ids of components in the config, or components and directories of them; without any, all of
    /// the config
    #[arg(value_name = "COMPONENT")]
    components: Vec<PathBuf>,

    /// A config file that says which components, their ids, prefixes and grants
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// The contract lock; without it, portcullis.lock beside the config, or in this directory
    #[arg(long, value_name = "FILE")]
    lock: Option<PathBuf>,

    /// Write nothing
    #[arg(long)]
    dry_run: bool,

    /// Print the differences as JSON
    #[arg(long)]
    json: bool,
}

/// What differs in one component.
struct Change {
    id: String,
    before: Option<Entry>,
    /// None: it is not there any more.
    after: Option<Entry>,
    differences: Vec<Difference>,
}

impl Arguments {
    pub(super) async fn run(self) -> anyhow::Result<ExitCode> {
        let (paths, ids) = self.paths_and_ids();
        let file = self
            .config
            .clone()
            .or_else(|| paths.is_empty().then(|| PathBuf::from(crate::config::FILE_NAME)));
        let config = super::configured(&paths, self.config.as_ref())?;
        let path = locking::path(self.lock.as_deref(), file.as_deref());
        let lock = Lock::read(&path)?.unwrap_or_default();
        locking::apart(&path, &config)?;
        check_ids(&ids, &config, &lock)?;
        let wanted = |id: &str| ids.is_empty() || ids.iter().any(|wanted| wanted == id);
        let components = load(&config, wanted).await?;
        let mut changes: Vec<Change> =
            components.iter().filter_map(|component| Change::of(&lock, component)).collect();
        // What the whole config does not name any more, or was asked for and is not there.
        let is_named = |id: &str| config.components.iter().any(|named| named.id == id);
        let goes = |id: &&str| !is_named(id) && wanted(id) && (paths.is_empty() || !ids.is_empty());
        changes.extend(lock.ids().filter(goes).filter_map(|id| Change::gone(&lock, id)));
        if !self.json {
            terminal::say(&text(&changes, components.len(), &path))?;
        }
        if !self.dry_run {
            keep(&config, &components)?;
            if !changes.is_empty() {
                approve(&path, &changes)?;
            }
        }
        if self.json {
            let report = serde_json::to_string_pretty(&self.report(&path, &changes))?;
            terminal::say(&clean::json(report))?;
        } else if !self.dry_run && !changes.is_empty() {
            terminal::say(&format!("\nApproved in {}", path.display()))?;
        }
        Ok(ExitCode::from(u8::from(self.dry_run && !changes.is_empty())))
    }

    /// What is named: files and directories, and components by their ids. A word is an id before it
    /// is a directory.
    fn paths_and_ids(&self) -> (Vec<PathBuf>, Vec<String>) {
        let usual = PathBuf::from(crate::config::FILE_NAME);
        let file = self.config.as_ref().unwrap_or(&usual);
        // What is wrong with the config is said when it is needed.
        let known = Config::read(file, &[]).map(|config| config.components).unwrap_or_default();
        let is_path = |named: &PathBuf| {
            let is_id = known.iter().any(|component| *named.as_os_str() == *component.id);
            named.components().count() > 1
                || named.extension().is_some_and(|extension| extension == "wasm")
                || named.is_dir() && !is_id
        };
        let (paths, ids): (Vec<_>, Vec<_>) = self.components.iter().cloned().partition(is_path);
        (paths, ids.iter().map(|id| id.to_string_lossy().into_owned()).collect())
    }

    fn report(&self, path: &Path, changes: &[Change]) -> Value {
        let component =
            |change: &Change| json!({ "id": change.id, "differences": change.differences });
        json!({
            "lock": path,
            "written": !self.dry_run && !changes.is_empty(),
            "components": changes.iter().map(component).collect::<Vec<_>>(),
        })
    }
}

/// Writes what was shown, unless the lock says something else of it by now.
fn approve(path: &Path, changes: &[Change]) -> Result<(), LockError> {
    Lock::update(path, |lock| {
        for change in changes {
            if lock.entry(&change.id).map(AsRef::as_ref) != change.before.as_ref() {
                return Err(LockError::Changed(path.to_owned()));
            }
            lock.set(&change.id, change.after.clone());
        }
        Ok(())
    })
}

/// Refuses an id that neither the config nor the lock has.
fn check_ids(ids: &[String], config: &Config, lock: &Lock) -> anyhow::Result<()> {
    let known: Vec<&str> =
        config.components.iter().map(|named| named.id.as_str()).chain(lock.ids()).collect();
    let Some(id) = ids.iter().find(|id| !known.contains(&id.as_str())) else { return Ok(()) };
    let hint = nearest(id, known.into_iter()).map(|near| format!("; did you mean `{near}`?"));
    anyhow::bail!(
        "there is no component `{id}` in the config or the lock{}",
        hint.unwrap_or_default()
    )
}

/// Loads the components of `config` that are wanted; all of them, or it is an error.
async fn load(config: &Config, wanted: impl Fn(&str) -> bool) -> anyhow::Result<Vec<Loaded>> {
    let mut config = config.clone();
    config.components.retain(|named| wanted(&named.id));
    let progress = terminal::Progress::start("Loading");
    let loading = Host::load_what_loads(&config, super::compiler()?, |id| progress.at(id));
    let (host, faults) = loading.await?;
    drop(progress);
    for fault in faults {
        if !fault.found {
            return Err(fault.into());
        }
        terminal::complain(&format!("portcullis: {fault}; it is passed over"));
    }
    Ok(host.catalog().components().to_vec())
}

/// Keeps the bytes of what is approved.
fn keep(config: &Config, components: &[Loaded]) -> anyhow::Result<()> {
    let Some(kept) = Kept::for_user() else { return Ok(()) };
    for component in components {
        let path = component.file();
        let bytes = match files::read(path, config.host.component_bytes_max)? {
            Capped::Whole(bytes) if crate::component::digest(&bytes) == component.digest => bytes,
            Capped::Whole(_) | Capped::TooLarge => anyhow::bail!(
                "`{}` has changed meanwhile, and nothing is approved; approve again",
                path.display()
            ),
        };
        kept.keep(&bytes)?;
    }
    Ok(())
}

impl Change {
    /// None: `component` is as it was approved.
    fn of(lock: &Lock, component: &Loaded) -> Option<Self> {
        let before = lock.entry(&component.id).map(|entry| entry.as_ref().clone());
        Self::between(component.id.to_string(), before, Some(Entry::of(component)))
    }

    fn gone(lock: &Lock, id: &str) -> Option<Self> {
        let before = lock.entry(id).map(|entry| entry.as_ref().clone());
        Self::between(id.to_owned(), before, None)
    }

    fn between(id: String, before: Option<Entry>, after: Option<Entry>) -> Option<Self> {
        let differences = Entry::differences(before.as_ref(), after.as_ref());
        (!differences.is_empty()).then_some(Self { id, before, after, differences })
    }
}

/// All that differs, for people. Nothing is cut: what cannot be seen cannot be approved.
fn text(changes: &[Change], components: usize, path: &Path) -> String {
    if changes.is_empty() {
        let many = if components == 1 { "component is" } else { "components are" };
        return format!("{components} {many} as approved in {}", path.display());
    }
    let texts: Vec<String> = changes.iter().map(Change::text).collect();
    texts.join("\n\n")
}

impl Change {
    fn text(&self) -> String {
        let title = bold(&self.id);
        match (&self.before, &self.after) {
            (Some(_), Some(_)) => {
                let fields: Vec<String> = self.differences.iter().map(field).collect();
                format!("{title}\n{}", fields.join("\n"))
            }
            (_, Some(after)) => {
                let fields = after.fields();
                let fields: Vec<String> = fields.iter().map(field).collect();
                format!("{title} (new)\n{}", fields.join("\n"))
            }
            (_, None) => format!("{title} ({})", inked(Ink::Red, "not named any more")),
        }
    }
}
