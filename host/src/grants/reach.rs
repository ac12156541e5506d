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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grants::Secret;

    const HOSTS: [&str; 6] =
        ["a.example:443", "*.example:443", "*:443", "b.a.example:443", "10.0.0.5:443", "*:80"];

    fn effective() -> impl Strategy<Value = Effective> {
        let hosts = || proptest::sample::subsequence(HOSTS.to_vec(), 0..4);
        let names = || proptest::sample::subsequence(vec!["A", "B", "C"], 0..=3);
        let access = prop_oneof![Just(Access::ReadOnly), Just(Access::ReadWrite)];
        let dirs = proptest::collection::vec((prop_oneof![Just("/a"), Just("/b")], access), 0..3);
        let clocks = prop_oneof![Just(Clocks::Coarse), Just(Clocks::Precise), Just(Clocks::Fixed)];
        (hosts(), hosts(), dirs, names(), clocks, any::<bool>()).prop_map(
            |(http, granted, dirs, names, clocks, random)| Effective {
                http: http.iter().map(|host| host.parse().unwrap()).collect(),
                granted_http: granted.iter().map(|host| host.parse().unwrap()).collect(),
                dirs: dirs
                    .into_iter()
                    .map(|(guest, access)| DirGrant {
                        host: "/x".into(),
                        guest: guest.to_owned(),
                        access,
                        quota_bytes_max: 0,
                    })
                    .collect(),
                env: names.iter().map(|name| ((*name).to_owned(), String::new())).collect(),
                secrets: Vec::<Secret>::new(),
                clocks,
                random,
            },
        )
    }

    proptest! {
        /// What is narrowed is never wider than what was granted or what was approved.
        #[test]
        fn within_is_within_both(granted in effective(), approved in effective()) {
            let approved = Reach::of(&approved);
            let narrowed = Reach::of(&granted.within(&approved));
            prop_assert!(narrowed.is_within(&approved), "{narrowed:?} {approved:?}");
            prop_assert!(narrowed.is_within(&Reach::of(&granted)), "{narrowed:?}");
        }

        /// Nothing is lost of what was approved.
        #[test]
        fn all_of_what_was_approved_stays(granted in effective()) {
            let reach = Reach::of(&granted);
            let narrowed = Reach::of(&granted.within(&reach));
            prop_assert!(reach.is_within(&narrowed) , "{narrowed:?} {reach:?}");
        }
    }

    #[test]
    fn what_is_more_is_not_within() {
        let http = |hosts: &[&str]| Reach {
            http: hosts.iter().map(|host| host.parse().unwrap()).collect(),
            ..Reach::default()
        };
        assert!(http(&["a.example:443"]).is_within(&http(&["*.example:443"])));
        assert!(!http(&["*.example:443"]).is_within(&http(&["a.example:443"])));
        assert!(!http(&["10.0.0.5:443"]).is_within(&http(&["*:443"])));
        let random = Reach { random: true, ..Reach::default() };
        assert!(!random.is_within(&Reach::default()));
        assert!(Reach::default().is_within(&random));
    }
}
