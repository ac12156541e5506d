//! Who sends a request, and which tools they may call.
//!
//! Where somebody has to say who they are, nothing is answered to anybody else; no token is logged or
//! passed on.

mod tokens;

use std::net::IpAddr;
use std::sync::Arc;

use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::call::{Allowed, Caller};
use crate::config::{HttpConfig, Scopes};
use crate::mcp::{Reply, Said, refuse};
use tokens::Tokens;

/// All who may call.
pub(super) struct Auth {
    tokens: Tokens,
    scopes: Option<Scopes>,
}

/// Somebody who proved to be someone.
struct Known {
    principal: Arc<str>,
    scopes: Vec<String>,
}

impl Auth {
    pub(super) fn new(config: &HttpConfig) -> Self {
        Self { tokens: Tokens::new(&config.tokens), scopes: config.scopes.clone() }
    }

    /// Whether anybody has to say who they are.
    pub(super) fn is_wanted(&self) -> bool {
        !self.tokens.is_empty()
    }

    /// Who sends a request with these headers from `address`.
    ///
    /// # Errors
    /// The reply to one who is not known.
    pub(super) async fn caller(
        &self,
        headers: &HeaderMap,
        address: IpAddr,
    ) -> Result<Caller, Box<Reply>> {
        if !self.is_wanted() {
            let client = address.to_canonical().to_string().into();
            return Ok(Caller { client, principal: None, allowed: Allowed::All });
        }
        let Some(token) = bearer(headers) else {
            return Err(Box::new(self.challenge(None)));
        };
        let known = self.tokens.find(token);
        let Some(Known { principal, scopes }) = known else {
            tracing::warn!(%address, "a request with a token that is not good is refused");
            return Err(Box::new(self.challenge(Some("invalid_token"))));
        };
        let allowed = match &self.scopes {
            Some(known) => Allowed::by(known, scopes.iter().map(String::as_str)),
            None => Allowed::All,
        };
        Ok(Caller { client: principal.clone(), principal: Some(principal), allowed })
    }

    /// The reply to a call for which `caller` lacks a scope (RFC 6750, 3.1).
    pub(super) fn lacking(&self, caller: &Caller, said: &Said) -> Option<Reply> {
        let tool = said.tool().filter(|tool| !caller.allowed.has(tool))?;
        let allows = |tools: &[String]| tools.iter().any(|named| named == tool || named == "*");
        let (scope, _) = self.scopes.iter().flatten().find(|(_, tools)| allows(tools))?;
        let message = format!("to call this tool takes the scope `{scope}`");
        let mut reply = said.refused(StatusCode::FORBIDDEN, -32000, &message);
        let words = format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"");
        put(&mut reply, &words);
        Some(reply)
    }

    /// The reply to someone who has to say who they are.
    fn challenge(&self, error: Option<&str>) -> Reply {
        let message = match error {
            Some(_) => "the token is not good, or not any more",
            None => "this server wants to know who asks: `Authorization: Bearer …`",
        };
        let mut reply = refuse(StatusCode::UNAUTHORIZED, -32000, message);
        let words: Vec<String> =
            error.map(|error| format!("error=\"{error}\"")).into_iter().collect();
        put(&mut reply, format!("Bearer {}", words.join(", ")).trim_end());
        reply
    }
}

fn put(reply: &mut Reply, challenge: &str) {
    if let Ok(challenge) = HeaderValue::from_str(challenge) {
        reply.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    }
}

/// The one token that the headers hold (RFC 6750, 2.1).
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let (Some(given), None) = (given.next(), given.next()) else { return None };
    let (scheme, token) = given.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}
