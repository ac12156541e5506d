//! What a component may reach: what its operator grants, as far as it requires it.
//!
//! Nothing is granted that is not written down, and nothing that a component says grants it
//! anything: what is effective is never wider than either.

mod effective;
mod http_host;
mod reach;
mod requires;
mod secret;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub(crate) use effective::{Effective, Lack};
pub use http_host::{HttpHost, NotAHost};
pub(crate) use reach::{Reach, unapproved};
pub use requires::Access;
pub(crate) use requires::{Ability, RequiredDir, Requires};
pub use secret::{Secret, SecretHeader, SecretText};

/// What the operator grants to one component. The default grants nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grants {
    /// Hosts that it may speak to over HTTP.
    pub http: Vec<HttpHost>,
    /// Directories that it sees.
    pub dirs: Vec<DirGrant>,
    /// Environment variables, by name.
    pub env: Vec<(String, String)>,
    /// What it may use and nobody may see.
    pub secrets: Vec<Secret>,
    /// Which clocks it reads.
    pub clocks: Clocks,
    /// Whether it gets random numbers that nobody can foresee (`wasi:random/random`).
    pub random: bool,
}

/// A directory of the host that a component sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirGrant {
    /// Where it is: an absolute path with no link in it, for one with links is not opened. (A link
    /// may lead elsewhere by the time of a call, and not by the operator's will.)
    pub host: PathBuf,
    /// Where the component sees it.
    pub guest: String,
    /// What may be done in it.
    pub access: Access,
    /// Bytes that may be in it, with 4 KiB for each entry, once components have written to it.
    pub quota_bytes_max: u64,
}

/// Which clocks a component reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clocks {
    /// The time of day and a monotonic clock, both in whole milliseconds.
    #[default]
    Coarse,
    /// The same to the nanosecond.
    Precise,
    /// Both stand still, for tests: 1970-01-01T00:00:00Z.
    Fixed,
}

impl Clocks {
    /// Whether they are those that every component reads.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(crate) fn are_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl Grants {
    /// What is granted and not reached, because the component does not require it.
    pub(crate) fn beyond(&self, effective: &Effective) -> Vec<String> {
        let reached = |host: &&HttpHost| {
            effective.http.iter().any(|reached| host.covers(reached)) || host.is_any_address()
        };
        let http = self.http.iter().filter(|host| !reached(host));
        let dirs = self
            .dirs
            .iter()
            .filter(|dir| !effective.dirs.iter().any(|reached| reached.guest == dir.guest));
        let env = self
            .env
            .iter()
            .filter(|(name, _)| !effective.env.iter().any(|(reached, _)| reached == name));
        let secrets = self
            .secrets
            .iter()
            .filter(|secret| !effective.secrets.iter().any(|reached| reached.name == secret.name));
        http.map(|host| format!("http to `{host}`"))
            .chain(dirs.map(|dir| format!("directory `{}`", dir.guest)))
            .chain(env.map(|(name, _)| format!("environment variable `{name}`")))
            .chain(secrets.map(|secret| format!("secret `{}`", secret.name)))
            .collect()
    }
}
