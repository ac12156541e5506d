//! Who sends a request, and which tools they may call.
//!
//! Where somebody has to say who they are, nothing is answered to anybody else; no token is logged or
//! passed on.

mod fetch;
mod keys;
mod oauth;
mod ring;
mod tokens;

use std::net::IpAddr;
use std::sync::Arc;

use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::call::{Allowed, Identity};
use crate::catalog::Catalog;
use crate::config::{HttpConfig, Scopes};
use crate::mcp::{Reply, Said, refuse};
use oauth::Oauth;
use serde_json::Value;
use tokens::Tokens;

/// All who may call.
pub(super) struct Auth {
    tokens: Tokens,
    oauth: Option<Oauth>,
    scopes: Option<Scopes>,
}

/// Somebody who proved to be someone.
struct Known {
    principal: Arc<str>,
    scopes: Vec<String>,
}

impl Auth {
    pub(super) fn new(config: &HttpConfig) -> Self {
        let oauth = config.oauth.as_ref();
        Self {
            tokens: Tokens::new(&config.tokens),
            oauth: oauth.map(|oauth| Oauth::new(oauth, config.scopes.as_ref())),
            scopes: config.scopes.clone(),
        }
    }

    /// Gets what the first request would wait for.
    pub(super) fn prepare(&self) {
        if let Some(oauth) = &self.oauth {
            oauth.prepare();
        }
    }

    /// The document at `path` that says where tokens come from.
    pub(super) fn metadata(&self, path: &str) -> Option<&Value> {
        self.oauth.as_ref()?.metadata(path)
    }

    /// Whether anybody has to say who they are.
    pub(super) fn is_wanted(&self) -> bool {
        !self.tokens.is_empty() || self.oauth.is_some()
    }

    /// Who sends a request with these headers from `address`.
    ///
    /// # Errors
    /// The reply to one who is not known.
    pub(super) async fn caller(
        &self,
        headers: &HeaderMap,
        address: IpAddr,
    ) -> Result<Identity, Box<Reply>> {
        if !self.is_wanted() {
            let client = address.to_canonical().to_string().into();
            return Ok(Identity { client, principal: None, allowed: Allowed::All });
        }
        let Some(token) = bearer(headers) else {
            return Err(Box::new(self.challenge(None)));
        };
        let known = match (self.tokens.find(token), &self.oauth) {
            // Two of one name would be one: their sessions, and what was sealed for them.
            (None, Some(oauth)) => {
                oauth.find(token).await.filter(|known| !self.tokens.has(&known.principal))
            }
            (known, _) => known,
        };
        let Some(Known { principal, scopes }) = known else {
            tracing::warn!(%address, "a request with a token that is not good is refused");
            return Err(Box::new(self.challenge(Some("invalid_token"))));
        };
        let allowed = match &self.scopes {
            Some(known) => Allowed::by(known, scopes.iter().map(String::as_str)),
            None => Allowed::All,
        };
        Ok(Identity { client: principal.clone(), principal: Some(principal), allowed })
    }

    /// The reply to a call for which `caller` lacks a scope (RFC 6750, 3.1), where `catalog` has the tool.
    pub(super) fn lacking(
        &self,
        caller: &Identity,
        said: &Said,
        catalog: &Catalog,
    ) -> Option<Reply> {
        let entry = catalog.find(said.tool()?).filter(|entry| !caller.allowed.has(entry))?;
        let scopes = self.scopes.as_ref()?;
        let allows = |scope: &str| Allowed::by(scopes, std::iter::once(scope)).has(entry);
        let scope = scopes.keys().find(|scope| allows(scope))?;
        let message = format!("to call this tool takes the scope `{scope}`");
        let mut reply = said.refused(StatusCode::FORBIDDEN, -32000, &message);
        let words = ["error=\"insufficient_scope\"".to_owned(), format!("scope=\"{scope}\"")];
        self.put(&mut reply, words.into());
        Some(reply)
    }

    /// The reply to someone who has to say who they are.
    fn challenge(&self, error: Option<&str>) -> Reply {
        let message = match error {
            Some(_) => "the token is not good, or not any more",
            None => "this server wants to know who asks: `Authorization: Bearer …`",
        };
        let mut reply = refuse(StatusCode::UNAUTHORIZED, -32000, message);
        self.put(&mut reply, error.map(|error| format!("error=\"{error}\"")).into_iter().collect());
        reply
    }

    /// Says what is wanted, and where to get it.
    fn put(&self, reply: &mut Reply, mut words: Vec<String>) {
        let url = self.oauth.as_ref().map(Oauth::metadata_url);
        words.extend(url.map(|url| format!("resource_metadata=\"{url}\"")));
        let challenge = format!("Bearer {}", words.join(", "));
        if let Ok(challenge) = HeaderValue::from_str(challenge.trim_end()) {
            reply.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
    }
}

/// The one token that the headers hold (RFC 6750, 2.1).
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let (Some(given), None) = (given.next(), given.next()) else { return None };
    let (scheme, token) = given.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}
