//! What a call reached for, and what it was denied: for its receipt, and for an error that says
//! which grant is missing.
//!
//! Bounded, whatever a guest tries.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::grants::{HttpHost, Lack};

/// Hosts, and denials, that are kept of one call.
const KEPT_MAX: usize = 32;
/// Announcements of one call; further ones are dropped.
const CHANGES_MAX: usize = 100;

/// What one call did. Clones are the same tally.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally(Arc<Mutex<Tallied>>);

/// What was counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tallied {
    /// The hosts that requests were sent to, in order of the first.
    pub(crate) reached: Vec<HttpHost>,
    /// What was wanted and not granted, in order of the first.
    pub(crate) denied: Vec<Denied>,
    /// For how long the guest had a processor, host calls included.
    pub(crate) guest_time: Duration,
    /// The most bytes of memory that it had.
    pub(crate) peak_bytes: usize,
    /// What it says has changed, each once.
    pub(crate) changed: Vec<Change>,
}

/// Something that clients can see and that a guest says is no longer what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Tools,
    Resources,
    Prompts,
    /// The contents of the resource of this URI.
    Contents(String),
}

/// Something that a guest tried and may not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Denied {
    /// A grant is missing.
    Lack(Lack),
    /// The name leads to an address that is granted to nobody who does not name it.
    Address(HttpHost, HttpHost),
    /// The secret of this name goes to this host, which was spoken to without TLS.
    Cleartext(HttpHost, String),
    /// The call has used up a limit of this name.
    Limit(&'static str, u64),
    /// A directory, by the guest's path, is full.
    Quota(String),
}

impl Tally {
    /// A request is sent to `host`.
    pub(super) fn reach(&self, host: &HttpHost) {
        let mut tallied = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if tallied.reached.len() < KEPT_MAX && !tallied.reached.contains(host) {
            tallied.reached.push(host.clone());
        }
    }

    /// Something was denied.
    pub(super) fn deny(&self, denied: Denied) {
        let mut tallied = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if tallied.denied.len() < KEPT_MAX && !tallied.denied.contains(&denied) {
            tallied.denied.push(denied);
        }
    }

    /// The guest says that something has changed.
    pub(super) fn changed(&self, change: Change) {
        let mut tallied = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if tallied.changed.len() < CHANGES_MAX && !tallied.changed.contains(&change) {
            tallied.changed.push(change);
        }
    }

    /// The guest had a processor for so long.
    pub(super) fn took(&self, time: Duration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).guest_time += time;
    }

    /// The guest has so many bytes of memory now; memories never shrink.
    pub(super) fn holds(&self, bytes: usize) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).peak_bytes = bytes;
    }

    /// What was counted since the last time.
    #[cfg(test)]
    pub(super) fn take(&self) -> Tallied {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What was counted so far.
    pub(crate) fn seen(&self) -> Tallied {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Denied {
    /// What was denied, on its own.
    pub(crate) fn what(&self) -> String {
        match self {
            Self::Lack(lack) => lack.what(),
            Self::Address(host, address) => format!("http to `{host}` at `{address}`"),
            Self::Cleartext(host, secret) => {
                format!("secret `{secret}` to `{host}` without TLS")
            }
            Self::Limit(key, limit) => format!("`{key}` = {limit}"),
            Self::Quota(path) => format!("room in directory `{path}`"),
        }
    }

    /// What was denied, and what the operator can do; `component` is the one that was denied it.
    pub(crate) fn sentence(&self, component: &str) -> String {
        let below = format!("under `[components.{component}.grants]` in portcullis.toml");
        match self {
            // What a guest tries is no advice: an address may be one that nobody should grant.
            Self::Lack(Lack::Http(Some(host))) if host.is_any_address() => {
                format!("it was denied http to `{host}`, which was not granted")
            }
            Self::Lack(lack) => format!("it was denied {}", lack.sentence(component)),
            Self::Address(host, address) => format!(
                "it was denied http to `{host}`, which leads to the private address `{address}`; \
                 add that to `http` {below} if it is meant"
            ),
            Self::Cleartext(host, secret) => format!(
                "it was denied http without TLS to `{host}`, which the host puts secret \
                 `{secret}` into; it has to use https, unless that is an address and no name"
            ),
            Self::Limit(key, limit) => format!(
                "it was denied more than {limit} by `{key}`; have the operator raise that limit"
            ),
            Self::Quota(path) => format!(
                "it was denied more room in directory `{path}`; have the operator raise its \
                 `quota_bytes_max` {below}"
            ),
        }
    }
}
