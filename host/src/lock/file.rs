//! `portcullis.lock` as it is written: TOML that is read in a review.
//!
//! A lock that does not read to the end, or whose words and digests disagree, is an error; there is
//! no half-read lock.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::Entry;
use super::entry::{Beside, Locked, PROMPTS, RESOURCES, TEMPLATES, TOOLS, digest_of};
use crate::config::{ConfigError, Source};
use crate::files::{self, Stamp};
use crate::grants::Reach;
use crate::present::clean;
use crate::schema::read_json;

/// The name of the lock, beside the config.
pub const FILE_NAME: &str = "portcullis.lock";

/// What was approved, by the ids of components.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lock {
    pub(super) components: IndexMap<String, Arc<Entry>>,
}

/// Why there is no lock. The text is one line that says what, where and what to do.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// It cannot be read.
    #[error("cannot read the lock `{path}`: {error}; restore it, or remove it and approve anew")]
    Unreadable {
        /// The lock.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// It cannot be written.
    #[error("cannot write the lock `{path}`: {error}; name another file with `--lock`")]
    Unwritable {
        /// The lock.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// Its text is wrong.
    #[error("{fault}; restore the lock from version control, or remove it and approve anew")]
    Text {
        /// What is wrong, and where.
        fault: Box<ConfigError>,
    },
    /// It is another one than it was.
    #[error("the lock `{0}` was changed meanwhile, and nothing is written; approve again")]
    Changed(PathBuf),
}

impl From<ConfigError> for LockError {
    fn from(fault: ConfigError) -> Self {
        Self::Text { fault: Box::new(fault) }
    }
}

/// After the last change, for how long a file's time may not tell it from a later one.
const SETTLED_AFTER: Duration = Duration::from_secs(2);
/// The form of the file.
const FORM: u32 = 1;
/// What stands before a digest.
const SHA256: &str = "sha256:";
/// What the file begins with.
const HEAD: &str = "\
# What was approved of each component: its code, what it wants, and every word of its tools.
# `portcullis approve` writes this file. Read its changes in review, and commit it.

";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLock {
    form: Spanned<u32>,
    #[serde(default)]
    components: IndexMap<String, RawEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    digest: Spanned<String>,
    version: String,
    imports: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
    #[serde(default)]
    grants: Reach,
    #[serde(default)]
    tools: IndexMap<String, RawDefinition>,
    #[serde(default)]
    resources: IndexMap<String, RawDefinition>,
    #[serde(default)]
    templates: IndexMap<String, RawDefinition>,
    #[serde(default)]
    prompts: IndexMap<String, RawDefinition>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDefinition {
    digest: Spanned<String>,
    definition: Spanned<String>,
}

#[derive(Serialize)]
struct Written {
    form: u32,
    components: IndexMap<String, WrittenEntry>,
}

#[derive(Serialize)]
struct WrittenEntry {
    digest: String,
    version: String,
    imports: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lacks: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grants: Option<Reach>,
    tools: IndexMap<String, WrittenDefinition>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    resources: IndexMap<String, WrittenDefinition>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    templates: IndexMap<String, WrittenDefinition>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    prompts: IndexMap<String, WrittenDefinition>,
}

#[derive(Serialize)]
struct WrittenDefinition {
    digest: String,
    definition: String,
}

/// Reads a lock again only when its file has changed.
#[derive(Debug, Default)]
pub struct Reader {
    last: Mutex<Option<(PathBuf, Stamp, Lock)>>,
}

impl Reader {
    /// As [`Lock::read`].
    ///
    /// # Errors
    /// As of [`Lock::read`].
    pub fn read(&self, path: &Path) -> Result<Option<Lock>, LockError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = Stamp::of(path).ok();
        if let Some((known, its_stamp, lock)) = last.as_ref()
            && known == path
            && Some(its_stamp) == stamp.as_ref()
        {
            return Ok(Some(lock.clone()));
        }
        let lock = Lock::read(path)?;
        // A file that has just been written may be written again without looking another one.
        let settled = stamp.filter(|stamp| stamp.is_older_than(SETTLED_AFTER));
        *last = settled.zip(lock.clone()).map(|(stamp, lock)| (path.to_owned(), stamp, lock));
        Ok(lock)
    }
}

impl Lock {
    /// Reads the file at `path`. None: there is no such file.
    ///
    /// # Errors
    /// When it cannot be read, or is no lock, or says something that is not known.
    pub fn read(path: &Path) -> Result<Option<Self>, LockError> {
        match files::read_lock(path) {
            Ok(text) => Ok(Some(Self::parse(path, &text)?)),
            // A link that leads nowhere is a lock that is gone, and not one that never was.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !files::is_link(path) => {
                Ok(None)
            }
            Err(error) => Err(LockError::Unreadable { path: path.to_owned(), error }),
        }
    }

    /// Reads `text`, which is that of `file`.
    pub(crate) fn parse(file: &Path, text: &str) -> Result<Self, ConfigError> {
        let source = Source::new(file, text);
        let raw: RawLock = source.parse()?;
        let form = *raw.form.get_ref();
        if form != FORM {
            let message = format!("this lock has form {form}, and this version reads {FORM}");
            return Err(source.error(raw.form.span().start, message));
        }
        let entry = |(id, raw): (String, RawEntry)| Ok((id, Arc::new(raw.meant(&source)?)));
        let components = raw.components.into_iter().map(entry).collect::<Result<_, _>>()?;
        Ok(Self { components })
    }

    /// Writes it to `path`, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written, or could not be read again.
    pub fn write(&self, path: &Path) -> Result<(), LockError> {
        let text = self.text();
        Self::parse(path, &text)?;
        files::replace(path, text.as_bytes())
            .map_err(|error| LockError::Unwritable { path: path.to_owned(), error })
    }

    /// Writes what `change` makes of the lock at `path`, whoever else writes to it meanwhile.
    ///
    /// # Errors
    /// When it cannot be read or written, and whatever `change` says.
    pub(crate) fn update(
        path: &Path,
        change: impl FnOnce(&mut Self) -> Result<(), LockError>,
    ) -> Result<(), LockError> {
        let unwritable = |error| LockError::Unwritable { path: path.to_owned(), error };
        let _held = files::hold_directory_of(path).map_err(unwritable)?;
        let mut lock = Self::read(path)?.unwrap_or_default();
        change(&mut lock)?;
        lock.write(path)
    }

    /// The text of the file: components and tools in the order of their names.
    pub(crate) fn text(&self) -> String {
        let mut components: IndexMap<String, WrittenEntry> =
            self.components.iter().map(|(id, entry)| (id.clone(), written(entry))).collect();
        components.sort_keys();
        let text = toml::to_string_pretty(&Written { form: FORM, components });
        // Texts, numbers and tables with text as keys: all of it can be said in TOML.
        format!("{HEAD}{}", text.unwrap_or_default())
    }

    /// What was approved of the component `id`.
    pub(crate) fn entry(&self, id: &str) -> Option<&Arc<Entry>> {
        self.components.get(id)
    }

    /// The ids of all that was approved.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.components.keys().map(String::as_str)
    }

    /// Approves `entry` of the component `id`; none: the component is not wanted any more.
    pub(crate) fn set(&mut self, id: &str, entry: Option<Entry>) {
        match entry {
            Some(entry) => self.components.insert(id.to_owned(), Arc::new(entry)),
            None => self.components.shift_remove(id),
        };
    }
}

fn written(entry: &Entry) -> WrittenEntry {
    let definitions = |all: &[Locked]| all.iter().map(definition).collect();
    WrittenEntry {
        digest: format!("{SHA256}{}", entry.digest),
        version: entry.version.clone(),
        imports: entry.imports.clone(),
        lacks: entry.lacks.clone(),
        grants: (entry.grants != Reach::default()).then(|| entry.grants.clone()),
        tools: definitions(&entry.tools),
        resources: definitions(&entry.beside.resources),
        templates: definitions(&entry.beside.templates),
        prompts: definitions(&entry.beside.prompts),
    }
}

fn definition(locked: &Locked) -> (String, WrittenDefinition) {
    let definition = serde_json::to_string_pretty(&locked.definition).unwrap_or_default();
    let written = WrittenDefinition {
        digest: format!("{SHA256}{}", locked.digest),
        definition: format!("{}\n", clean::json(definition)),
    };
    (locked.name.clone(), written)
}

impl RawEntry {
    fn meant(self, source: &Source<'_>) -> Result<Entry, ConfigError> {
        let all = |raw: IndexMap<String, RawDefinition>, kind: (&'static str, &'static str)| {
            let each = raw.into_iter().map(|(name, raw)| raw.meant(name, kind, source));
            let mut all = each.collect::<Result<Vec<_>, ConfigError>>()?;
            all.sort_by(|a, b| a.name.cmp(&b.name));
            Ok(all)
        };
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        Ok(Entry {
            digest: digest(&self.digest, source)?,
            version: self.version,
            imports: sorted(self.imports),
            lacks: sorted(self.lacks),
            grants: self.grants.sorted(),
            tools: all(self.tools, TOOLS)?,
            beside: Beside {
                resources: all(self.resources, RESOURCES)?,
                templates: all(self.templates, TEMPLATES)?,
                prompts: all(self.prompts, PROMPTS)?,
            },
        })
    }
}

impl RawDefinition {
    fn meant(
        self,
        name: String,
        (kind, key): (&str, &str),
        source: &Source<'_>,
    ) -> Result<Locked, ConfigError> {
        let kind = kind.trim_end_matches('s');
        let error = |message: String| source.error(self.definition.span().start, message);
        /// Levels of JSON in a definition: as many as schemas may have, and those around them.
        const DEPTH_MAX: usize = 127;
        let (definition, _) = read_json(self.definition.get_ref(), DEPTH_MAX)
            .map_err(|fault| error(format!("the definition of {kind} `{name}`: {fault}")))?;
        if definition[key] != name {
            return Err(error(format!("the definition of {kind} `{name}` is of another name")));
        }
        let digest = digest(&self.digest, source)?;
        if digest != digest_of(&definition) {
            let message = format!("the digest of {kind} `{name}` is not that of its definition");
            return Err(source.error(self.digest.span().start, message));
        }
        Ok(Locked { name, digest, definition })
    }
}

fn digest(text: &Spanned<String>, source: &Source<'_>) -> Result<String, ConfigError> {
    let hex = text.get_ref().strip_prefix(SHA256).filter(|hex| {
        hex.len() == 64 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    });
    hex.map(str::to_owned).ok_or_else(|| {
        let message = format!("a digest is `{SHA256}` and 64 hexadecimal digits in lower case");
        source.error(text.span().start, message)
    })
}

#[cfg(test)]
mod tests;
