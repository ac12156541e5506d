//! What a component may reach, as others may read it: names without values.

use serde::{Deserialize, Serialize};

use super::{Access, Clocks, DirGrant, Effective, HttpHost, Lack};

/// What a component may reach, without where its directories are and what its variables and
/// secrets hold. The default is nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Reach {
    /// Sorted by their text; addresses that are granted as such are among them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) http: Vec<HttpHost>,
    /// Sorted by path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) dirs: Vec<ReachedDir>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) env: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) secrets: Vec<String>,
    #[serde(skip_serializing_if = "Clocks::are_usual")]
    pub(crate) clocks: Clocks,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) random: bool,
}

/// A directory, as the component sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReachedDir {
    pub(crate) guest: String,
    pub(crate) access: Access,
}

impl Reach {
    /// That of a component with these grants.
    pub(crate) fn of(effective: &Effective) -> Self {
        let addresses = effective.granted_http.iter().filter(|host| host.is_any_address());
        let mut http: Vec<HttpHost> = effective.http.iter().chain(addresses).cloned().collect();
        http.sort_by_key(ToString::to_string);
        http.dedup();
        let dir = |dir: &DirGrant| ReachedDir { guest: dir.guest.clone(), access: dir.access };
        let reach = Self {
            http,
            dirs: effective.dirs.iter().map(dir).collect(),
            env: effective.env.iter().map(|(name, _)| name.clone()).collect(),
            secrets: effective.secrets.iter().map(|secret| secret.name.clone()).collect(),
            clocks: effective.clocks,
            random: effective.random,
        };
        reach.sorted()
    }

    /// The same in the usual order.
    pub(crate) fn sorted(mut self) -> Self {
        self.http.sort_by_key(ToString::to_string);
        self.dirs.sort();
        self.env.sort();
        self.secrets.sort();
        self
    }

    /// Whether `other` has all of it.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        let Self { http, dirs, env, secrets, clocks, random } = self;
        http.iter().all(|host| other.http.iter().any(|wider| wider.covers(host)))
            && dirs.iter().all(|dir| other.access(&dir.guest) >= Some(dir.access))
            && env.iter().all(|name| other.env.contains(name))
            && secrets.iter().all(|name| other.secrets.contains(name))
            && (*clocks != Clocks::Precise || other.clocks == Clocks::Precise)
            && (!random || other.random)
    }

    fn access(&self, guest: &str) -> Option<Access> {
        self.dirs.iter().filter(|dir| dir.guest == guest).map(|dir| dir.access).max()
    }
}

impl Effective {
    /// What of it `reach` has as well.
    pub(crate) fn within(&self, reach: &Reach) -> Self {
        let mut http = Vec::new();
        for host in &self.http {
            if reach.http.iter().any(|wider| wider.covers(host)) {
                http.push(host.clone());
            } else {
                http.extend(reach.http.iter().filter(|narrower| host.covers(narrower)).cloned());
            }
        }
        let granted = self.granted_http.iter();
        let granted_http = granted.filter(|host| {
            !host.is_any_address() || reach.http.iter().any(|wider| wider.covers(host))
        });
        let dirs = self.dirs.iter().filter_map(|dir| {
            let access = reach.access(&dir.guest)?.min(dir.access);
            Some(DirGrant { access, ..dir.clone() })
        });
        let env = self.env.iter().filter(|(name, _)| reach.env.contains(name));
        let secrets = self.secrets.iter().filter(|secret| reach.secrets.contains(&secret.name));
        let clocks = match (self.clocks, reach.clocks) {
            (Clocks::Precise, Clocks::Coarse | Clocks::Fixed) => Clocks::Coarse,
            (Clocks::Precise, Clocks::Precise) => Clocks::Precise,
            (Clocks::Coarse, _) => Clocks::Coarse,
            (Clocks::Fixed, _) => Clocks::Fixed,
        };
        Self {
            http,
            granted_http: granted_http.cloned().collect(),
            dirs: dirs.collect(),
            env: env.cloned().collect(),
            secrets: secrets.cloned().collect(),
            clocks,
            random: self.random && reach.random,
        }
    }
}

/// What is lacking of `approved` beyond `lacks`: it is granted now, and that is not approved.
pub(crate) fn unapproved(approved: &[String], lacks: &[Lack]) -> Vec<Lack> {
    let lacking = |what: &&String| !lacks.iter().any(|lack| lack.told() == **what);
    approved.iter().filter(lacking).cloned().map(Lack::Approval).collect()
}
