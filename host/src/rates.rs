//! How often something may happen in a second, for each of many.
//!
//! A burst of as many as a second allows is let through; the memory is bounded by how many are
//! active at once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Buckets of tokens, one for each `K`.
#[derive(Debug)]
pub(crate) struct Rates<K> {
    buckets: Mutex<Buckets<K>>,
}

#[derive(Debug)]
struct Buckets<K> {
    of: HashMap<K, Bucket>,
    /// Full ones are dropped when there are so many.
    swept_at: usize,
}

#[derive(Debug)]
struct Bucket {
    tokens: f64,
    at: Instant,
    per_second: f64,
}

/// Buckets below which none is looked for that is full.
const KEPT_MIN: usize = 1024;

impl<K> Default for Rates<K> {
    fn default() -> Self {
        let buckets = Buckets { of: HashMap::new(), swept_at: KEPT_MIN };
        Self { buckets: Mutex::new(buckets) }
    }
}

impl<K: Eq + Hash> Rates<K> {
    /// Takes a token of `key`, which gets `per_second` of them.
    ///
    /// # Errors
    /// When there is none: how long until there is.
    pub(crate) fn take(&self, key: K, per_second: u64, now: Instant) -> Result<(), Duration> {
        #[expect(clippy::cast_precision_loss, reason = "limits are far below 2^53")]
        let per_second = per_second as f64;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.of.len() >= buckets.swept_at {
            buckets.of.retain(|_, bucket| !bucket.is_full(now));
            buckets.swept_at = (2 * buckets.of.len()).max(KEPT_MIN);
        }
        let full = Bucket { tokens: per_second, at: now, per_second };
        buckets.of.entry(key).or_insert(full).take(per_second, now)
    }
}

impl Bucket {
    fn at(&self, now: Instant) -> f64 {
        let since = now.saturating_duration_since(self.at).as_secs_f64();
        (self.tokens + since * self.per_second).min(self.per_second)
    }

    fn is_full(&self, now: Instant) -> bool {
        self.at(now) >= self.per_second
    }

    fn take(&mut self, per_second: f64, now: Instant) -> Result<(), Duration> {
        // A limit that was changed holds from now on.
        self.per_second = per_second;
        let tokens = self.at(now);
        (self.tokens, self.at) = (tokens, now);
        if tokens < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - tokens) / per_second));
        }
        self.tokens -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_gives_as_many_as_it_allows_and_no_more() {
        let rates = Rates::default();
        let start = Instant::now();
        let mut taken = 0;
        for ms in 0..3000 {
            let now = start + Duration::from_millis(ms);
            taken += usize::from(rates.take("a", 10, now).is_ok());
        }
        // The burst, and ten in each of three seconds, the last of which is not over.
        assert!((39..=40).contains(&taken), "{taken}");
    }

    #[test]
    fn whoever_is_refused_is_told_when_to_come_back() {
        let rates = Rates::default();
        let now = Instant::now();
        assert_eq!(rates.take("a", 2, now), Ok(()));
        assert_eq!(rates.take("a", 2, now), Ok(()));
        assert_eq!(rates.take("a", 2, now), Err(Duration::from_millis(500)));
        assert_eq!(rates.take("b", 2, now), Ok(()));
        assert_eq!(rates.take("a", 2, now + Duration::from_millis(500)), Ok(()));
    }

    #[test]
    fn those_who_are_gone_take_no_memory() {
        let rates = Rates::default();
        let start = Instant::now();
        for key in 0..100_000_u64 {
            let now = start + Duration::from_millis(key);
            assert_eq!(rates.take(key, 10, now), Ok(()));
        }
        let kept = rates.buckets.lock().unwrap().of.len();
        assert!(kept <= KEPT_MIN, "{kept}");
    }
}
