//! What each client has of the server: requests at once, and in a second.
//!
//! One that asks for more than its share is told so, and takes nothing from others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::config::HttpLimits;
use crate::rates::Rates;

/// The shares of all clients.
pub(super) struct Shares {
    rates: Rates<Arc<str>>,
    per_second_max: u64,
    open: Mutex<HashMap<Arc<str>, u64>>,
    open_max: u64,
}

/// A request that goes on.
pub(super) struct Going {
    shares: Arc<Shares>,
    client: Arc<str>,
}

/// Why a client has no share left.
#[derive(Debug, PartialEq)]
pub(super) enum Spent {
    /// It asked too often; there is more after this time.
    Often(Duration),
    /// Too many of its requests go on.
    Many,
}

impl Shares {
    pub(super) fn new(limits: &HttpLimits) -> Arc<Self> {
        Arc::new(Self {
            rates: Rates::default(),
            per_second_max: limits.client_requests_per_second_max,
            open: Mutex::default(),
            open_max: limits.client_requests_max,
        })
    }

    /// Begins a request of `client`, which goes on until this is dropped.
    ///
    /// # Errors
    /// When it has had its share.
    pub(super) fn begin(self: &Arc<Self>, client: &Arc<str>) -> Result<Going, Spent> {
        let taken = self.rates.take(client.clone(), self.per_second_max, Instant::now());
        taken.map_err(Spent::Often)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(client.clone()).or_default();
        if *count >= self.open_max {
            return Err(Spent::Many);
        }
        *count += 1;
        Ok(Going { shares: self.clone(), client: client.clone() })
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        let mut open = self.shares.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_has_its_share_takes_nothing_from_others() {
        let limits = HttpLimits { client_requests_max: 2, ..HttpLimits::default() };
        let shares = Shares::new(&limits);
        let (a, b): (Arc<str>, Arc<str>) = ("a".into(), "b".into());
        let first = shares.begin(&a).ok();
        let _second = shares.begin(&a).ok();
        assert_eq!(shares.begin(&a).err(), Some(Spent::Many));
        assert!(shares.begin(&b).is_ok());
        drop(first);
        assert!(shares.begin(&a).is_ok());
    }

    #[test]
    fn nothing_is_kept_of_clients_without_requests() {
        let shares = Shares::new(&HttpLimits::default());
        drop(shares.begin(&"a".into()));
        assert!(shares.open.lock().unwrap().is_empty());
    }
}
