//! What came of a component of the config when its file was last looked at.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use crate::component::{LoadError, Loaded, Made};
use crate::difference::Difference;
use crate::files::Stamp;
use crate::lock::{Entry, Mode};

/// How it stands with one component.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// The operator's name for it.
    pub(crate) id: Arc<str>,
    /// Its file.
    pub(crate) path: PathBuf,
    /// Found in a directory rather than named.
    pub(crate) found: bool,
    /// The file as it was; none: it could not be read, and is looked at again.
    pub(super) seen: Option<Seen>,
    /// What it was judged under.
    pub(super) under: Under,
    /// What is served of it.
    pub(crate) serves: Option<Serves>,
    /// What keeps the file from being served.
    pub(crate) trouble: Option<Trouble>,
}

/// A file that was looked at.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seen {
    pub(super) stamp: Stamp,
    pub(super) digest: String,
}

/// What the config and the lock say of a component: where it is equal, the same file has the same
/// standing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Under {
    pub(super) made: Made,
    pub(super) mode: Mode,
    pub(super) approved: Option<Arc<Entry>>,
}

impl Under {
    /// Whether what was made under this may go on under `now`: it reaches and takes the same.
    pub(super) fn as_safe_as(&self, now: &Self) -> bool {
        let (one, other) = (&self.made.config, &now.made.config);
        self.mode == now.mode
            && self.approved == now.approved
            && one.grants == other.grants
            && one.limits == other.limits
    }
}

/// A version that is served.
#[derive(Clone, Debug)]
pub(crate) struct Serves {
    pub(crate) component: Loaded,
    /// What is granted to it, and it does not get until it is approved.
    pub(crate) unapproved: Vec<Difference>,
    /// Counts the versions since the start of the server, from 1.
    pub(crate) generation: u64,
    /// Since when it is served.
    pub(crate) since: SystemTime,
}

/// What keeps a file from being served as it is.
#[derive(Clone, Debug)]
pub(crate) enum Trouble {
    /// It does not load.
    Fault(Arc<LoadError>),
    /// It differs from what was approved.
    Waits(Vec<Difference>),
}

impl Standing {
    /// The component that is served of it.
    pub(crate) fn component(&self) -> Option<&Loaded> {
        self.serves.as_ref().map(|serves| &serves.component)
    }

    /// Whether its file is not where it was found.
    pub(super) fn is_lost(&self) -> bool {
        self.serves.is_some() && (self.found || Stamp::of(&self.path).is_err())
    }

    /// Whether any version of it was approved.
    pub(crate) fn is_approved(&self) -> bool {
        self.under.approved.is_some()
    }

    /// The component, if it is that of the file as `stamp` has it.
    pub(crate) fn serves_file(&self, stamp: &Stamp) -> Option<&Loaded> {
        let seen = self.seen.as_ref().filter(|seen| seen.stamp == *stamp)?;
        self.component().filter(|component| component.digest == seen.digest)
    }

    /// Whether it serves the very same as `other`.
    pub(crate) fn serves_as(&self, other: &Self) -> bool {
        match (self.component(), other.component()) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}
