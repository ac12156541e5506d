//! The keys that an authorization server signs with.
//!
//! They are read again when they are old, or when a token names one that is not known; whoever
//! sends such tokens does not make this server ask more often.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, Header};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use super::fetch::Fetch;
use crate::config::Jwks;
use crate::files;

/// After this time they are old.
const FRESH: Duration = Duration::from_secs(600);
/// They are not asked for more often.
const PAUSE: Duration = Duration::from_secs(10);

/// A set of keys, and where it comes from.
pub(super) struct Keys(Arc<State>);

struct State {
    from: Jwks,
    fetch: Fetch,
    known: RwLock<Arc<JwkSet>>,
    /// When they were last asked for. Whoever asks holds it.
    asked: Mutex<Option<Instant>>,
}

impl Keys {
    pub(super) fn new(from: Jwks) -> Self {
        let known = RwLock::new(Arc::new(JwkSet { keys: Vec::new() }));
        let (fetch, asked) = (Fetch::default(), Mutex::new(None));
        Self(Arc::new(State { from, fetch, known, asked }))
    }

    /// Begins to read what the first token would wait for.
    pub(super) fn prepare(&self) {
        drop(self.renew(FRESH));
    }

    /// The key that a token with this header is signed with. Nobody whose key is known waits for
    /// others.
    pub(super) async fn find(&self, header: &Header) -> Option<Jwk> {
        if let Some(key) = self.0.known(header) {
            drop(self.renew(FRESH));
            return Some(key);
        }
        // A panic of it was logged, and there is no key.
        let _ = self.renew(PAUSE).await;
        self.0.known(header)
    }

    /// Reads them, if that was not done for so long, whether or not somebody waits for it.
    fn renew(&self, age: Duration) -> JoinHandle<()> {
        let state = self.0.clone();
        tokio::spawn(async move { state.renew(age).await })
    }
}

impl State {
    fn known(&self, header: &Header) -> Option<Jwk> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).clone();
        let mut fitting = known.keys.iter().filter(|key| fits(key, header));
        match (fitting.next(), fitting.next()) {
            (Some(key), None) => Some(key.clone()),
            _ => None,
        }
    }

    async fn renew(&self, age: Duration) {
        let mut asked = self.asked.lock().await;
        if asked.is_some_and(|at| at.elapsed() < age) {
            return;
        }
        let read = self.read().await;
        // From its end on: whoever waited meanwhile has what there is.
        *asked = Some(Instant::now());
        match read {
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
