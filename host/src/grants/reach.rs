//! What a component may reach, as others may read it: names without values.

use serde::{Deserialize, Serialize};

use super::{Access, Clocks, DirGrant, Effective, HttpHost, Lack, Secret};

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
    pub(crate) secrets: Vec<ReachedSecret>,
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

/// A secret that the component uses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReachedSecret {
    pub(crate) name: String,
    /// The hosts whose requests get it in a header; none: the component sees it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hosts: Option<Vec<HttpHost>>,
}

impl ReachedSecret {
    fn of(secret: &Secret) -> Self {
        let hosts = secret.header.as_ref().map(|header| {
            let mut hosts = header.hosts.clone();
            hosts.sort_by_key(ToString::to_string);
            hosts
        });
        Self { name: secret.name.clone(), hosts }
    }

    /// Whether `other` has all of it. Who sees a secret can send it anywhere.
    fn is_within(&self, other: &Self) -> bool {
        self.name == other.name
            && match (&self.hosts, &other.hosts) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(hosts), Some(wider)) => {
                    hosts.iter().all(|host| wider.iter().any(|wider| wider.covers(host)))
                }
            }
    }
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
            secrets: effective.secrets.iter().map(ReachedSecret::of).collect(),
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
        self.secrets.sort_by(|a, b| a.name.cmp(&b.name));
        self
    }

    /// Whether `other` has all of it.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        let Self { http, dirs, env, secrets, clocks, random } = self;
        http.iter().all(|host| other.http.iter().any(|wider| wider.covers(host)))
            && dirs.iter().all(|dir| other.access(&dir.guest) >= Some(dir.access))
            && env.iter().all(|name| other.env.contains(name))
            && secrets.iter().all(|secret| other.has_secret(secret))
            && (*clocks != Clocks::Precise || other.clocks == Clocks::Precise)
            && (!random || other.random)
    }

    fn has_secret(&self, secret: &ReachedSecret) -> bool {
        self.secrets.iter().any(|wider| secret.is_within(wider))
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
        let is_reached = |secret: &&Secret| reach.has_secret(&ReachedSecret::of(secret));
        let secrets = self.secrets.iter().filter(is_reached);
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
        let secret = |hosts: Option<&[&str]>| Reach {
            secrets: vec![ReachedSecret {
                name: "KEY".to_owned(),
                hosts: hosts.map(|hosts| hosts.iter().map(|host| host.parse().unwrap()).collect()),
            }],
            ..Reach::default()
        };
        let (seen, sent) = (secret(None), secret(Some(&["a.example:443"])));
        assert!(sent.is_within(&seen) && !seen.is_within(&sent));
        assert!(sent.is_within(&secret(Some(&["*.example:443"]))));
        assert!(!secret(Some(&["b.example:443"])).is_within(&sent));
        let random = Reach { random: true, ..Reach::default() };
        assert!(!random.is_within(&Reach::default()));
        assert!(Reach::default().is_within(&random));
    }
}
