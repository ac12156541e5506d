//! What a rule is.
//!
//! Each client that a rule is about comes with the effect there and the place where it is known
//! from.

use std::fmt;

use serde_json::Value;

use super::Client;

/// Something in a tool's definition that is known to hurt.
#[derive(Debug)]
pub struct Rule {
    /// Its name.
    pub id: &'static str,
    /// What hurts; and what to do.
    pub says: &'static str,
    /// Where it hurts, and how that is known. A client may be there more than once.
    pub evidence: &'static [Evidence],
    /// Gives the JSON pointers of what it is about in a definition.
    pub(super) find: fn(&Value) -> Vec<String>,
}

/// One client, and what is known of it.
#[derive(Debug)]
pub struct Evidence {
    /// The client.
    pub client: Client,
    /// What happens there.
    pub effect: Effect,
    /// Who says so.
    pub source: Source,
}

/// What a client does with a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It leaves the tool out, or refuses calls or whole requests because of it.
    Rejects,
    /// The tool is there, but works less well.
    Degrades,
}

/// Where something is known from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// An issue or a pull request on GitHub: `owner/repository#number`.
    Thread(&'static str),
    /// A page.
    Page {
        /// What it is called.
        title: &'static str,
        /// Where it is.
        address: &'static str,
    },
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Thread(thread) => f.write_str(thread),
            Self::Page { title, address } => write!(f, "{title}, {address}"),
        }
    }
}

/// A client that rejects a tool, as a thread reports.
pub(super) const fn rejects(client: Client, thread: &'static str) -> Evidence {
    Evidence { client, effect: Effect::Rejects, source: Source::Thread(thread) }
}

/// A client in which a tool works less well, as a thread reports.
pub(super) const fn degrades(client: Client, thread: &'static str) -> Evidence {
    Evidence { client, effect: Effect::Degrades, source: Source::Thread(thread) }
}
