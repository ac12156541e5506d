//! What may be served: the mode, the lock, and what it says of a component.

use std::str::FromStr;
use std::sync::Arc;

use super::{Entry, Kept, Lock, compatible};
use crate::component::Component;
use crate::difference::Difference;
use crate::grants;

/// How much a component may change without being approved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Nothing.
    Locked,
    /// Its code, and what nobody who relied on the approved contract can tell: see
    /// docs/lock.md.
    Compatible,
    /// Everything.
    Open,
}

impl Mode {
    /// All modes, the strictest first.
    pub const ALL: [Self; 3] = [Self::Locked, Self::Compatible, Self::Open];

    /// Its word in configs and on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Locked => "locked",
            Self::Compatible => "compatible",
            Self::Open => "open",
        }
    }
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let words = Self::ALL.map(Self::word).join(", ");
        let mode = Self::ALL.into_iter().find(|mode| mode.word() == word);
        mode.ok_or_else(|| format!("a mode is one of {words}"))
    }
}

/// What may be served.
#[derive(Clone, Debug)]
pub struct Gate {
    mode: Mode,
    lock: Lock,
    kept: Option<Kept>,
}

/// What a gate says of a component.
#[derive(Debug)]
pub(crate) enum Judged {
    /// It is served as it is.
    Passes,
    /// The code and its words are approved, and what is granted now is not: it is served with no
    /// more than was approved.
    Narrowed(Vec<Difference>),
    /// It is not served until it is approved.
    Waits(Vec<Difference>),
}

impl Gate {
    /// Everything is served.
    #[must_use]
    pub fn open() -> Self {
        Self { mode: Mode::Open, lock: Lock::default(), kept: None }
    }

    /// What `lock` allows in `mode`; approved bytes are in `kept`.
    #[must_use]
    pub fn new(mode: Mode, lock: Lock, kept: Option<Kept>) -> Self {
        Self { mode, lock, kept }
    }

    /// How much may change.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// What was approved of the component `id`.
    pub(crate) fn entry(&self, id: &str) -> Option<&Arc<Entry>> {
        self.lock.entry(id)
    }

    /// What is to be done with `component`.
    pub(crate) fn judge(&self, component: &Component) -> Judged {
        if self.mode == Mode::Open {
            return Judged::Passes;
        }
        let now = Entry::of(component);
        let Some(approved) = self.entry(&component.id) else {
            return Judged::Waits(Entry::differences(None, Some(&now)));
        };
        judge(self.mode, approved, &now)
    }

    /// Takes from `component` what is granted and not approved.
    pub(crate) fn narrow(&self, component: &mut Component) {
        let Some(approved) = self.entry(&component.id) else { return };
        component.effective = Arc::new(component.effective.within(&approved.grants));
        let unapproved = grants::unapproved(&approved.lacks, &component.lacks);
        component.lacks.extend(unapproved);
    }

    /// The approved bytes of the component `id`, where they are kept and no more than `bytes_max`.
    pub(crate) fn approved(&self, id: &str, bytes_max: u64) -> Option<Vec<u8>> {
        self.kept.as_ref()?.find(&self.entry(id)?.digest, bytes_max)
    }

    /// Keeps `bytes`, if they are those that were approved of `component`.
    pub(crate) fn keep(&self, component: &Component, bytes: &[u8]) {
        let approved = self.entry(&component.id);
        if self.mode == Mode::Open || approved.is_none_or(|entry| entry.digest != component.digest)
        {
            return;
        }
        if let Some(Err(error)) = self.kept.as_ref().map(|kept| kept.keep(bytes)) {
            tracing::warn!(
                "the approved bytes of component `{}` cannot be kept: {error}",
                component.id
            );
        }
    }
}

fn judge(mode: Mode, approved: &Entry, now: &Entry) -> Judged {
    let differences = Entry::differences(Some(approved), Some(now));
    if differences.is_empty() {
        return Judged::Passes;
    }
    let same = approved.is_same_component(now);
    let no_wider = now.grants.is_within(&approved.grants);
    // Of the same code, only the operator can have taken something away.
    let no_needier = same || now.lacks.iter().all(|lack| approved.lacks.contains(lack));
    match mode {
        Mode::Open => Judged::Passes,
        Mode::Locked if same => Judged::Narrowed(differences),
        Mode::Locked => Judged::Waits(differences),
        Mode::Compatible if !(same || compatible::passes(approved, now)) || !no_needier => {
            Judged::Waits(differences)
        }
        Mode::Compatible if no_wider => Judged::Passes,
        Mode::Compatible => Judged::Narrowed(differences),
    }
}
