//! The keys that an authorization server signs with.
//!
//! They are read again when they are old, or when a token names one that is not known; whoever
//! sends such tokens does not make this server ask more often.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, Header};
use tokio::sync::Mutex;

use super::fetch::Fetch;
use crate::config::Jwks;
use crate::files;

/// After this time they are old.
const FRESH: Duration = Duration::from_secs(600);
/// They are not asked for more often.
const PAUSE: Duration = Duration::from_secs(10);

/// A set of keys, and where it comes from.
pub(super) struct Keys {
    from: Jwks,
    fetch: Fetch,
    known: RwLock<Arc<JwkSet>>,
    /// When they were last asked for. Whoever asks holds it.
    asked: Mutex<Option<Instant>>,
}

impl Keys {
    pub(super) fn new(from: Jwks) -> Self {
        let known = RwLock::new(Arc::new(JwkSet { keys: Vec::new() }));
        Self { from, fetch: Fetch::default(), known, asked: Mutex::new(None) }
    }

    /// The key that a token with this header is signed with.
    pub(super) async fn find(&self, header: &Header) -> Option<Jwk> {
        self.renew(FRESH).await;
        if let Some(key) = self.known(header) {
            return Some(key);
        }
        self.renew(PAUSE).await;
        self.known(header)
    }

    fn known(&self, header: &Header) -> Option<Jwk> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).clone();
        let mut fitting = known.keys.iter().filter(|key| fits(key, header));
        match (fitting.next(), fitting.next()) {
            (Some(key), None) => Some(key.clone()),
            _ => None,
        }
    }

    /// Reads them, if that was not done for so long.
    pub(super) async fn renew(&self, age: Duration) {
        let mut asked = self.asked.lock().await;
        if asked.is_some_and(|at| at.elapsed() < age) {
            return;
        }
        *asked = Some(Instant::now());
        match self.read().await {
            Ok(keys) => {
                *self.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
            }
            Err(error) => tracing::warn!("the keys of the authorization server: {error}"),
        }
    }

    async fn read(&self) -> Result<JwkSet, String> {
        let text = match &self.from {
            Jwks::Url(url) => {
                self.fetch.get(url).await.map_err(|error| format!("cannot get {url}: {error}"))?
            }
            Jwks::File(file) => files::read_config(file)
                .map_err(|error| format!("cannot read `{}`: {error}", file.display()))?,
        };
        serde_json::from_str(&text).map_err(|error| format!("they are no JWK set: {error}"))
    }
}

/// Whether a token with this header may be signed with this key.
fn fits(key: &Jwk, header: &Header) -> bool {
    let common = &key.common;
    let is_named = header.kid.is_none() || common.key_id == header.kid;
    let signs = common.public_key_use.as_ref().is_none_or(|u| *u == PublicKeyUse::Signature);
    let algorithm = common.key_algorithm.map(|named| named.to_string().parse::<Algorithm>());
    let is_for_it = match algorithm {
        Some(named) => named.is_ok_and(|named| named == header.alg),
        None => true,
    };
    is_named && signs && is_for_it
}
