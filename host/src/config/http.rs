//! `[http]`: where the server listens, whom it answers, and what each of them may call.
//!
//! No token is in the config's text, and no error here repeats one.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use http::Uri;
use http::uri::Authority;
use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;

use super::limits::{HttpLimits, RawHttpLimits};
use super::{ConfigError, Source, secrets};
use crate::grants::SecretText;

/// What a server over HTTP keeps to.
#[derive(Clone, Debug, Default)]
pub struct HttpConfig {
    /// Where it listens; none: it does not, unless the command line says so.
    pub listen: Option<SocketAddr>,
    /// Names by which clients call it, `host` or `host:port`, beside those that go without saying.
    pub allowed_hosts: Vec<String>,
    /// Origins of web pages that may call it, such as `https://app.example`.
    pub allowed_origins: Vec<String>,
    /// Whether anyone may call, wherever it listens.
    pub allow_unauthenticated: bool,
    /// Who may call, each with a token.
    pub tokens: Vec<TokenConfig>,
    /// Who says who may call.
    pub oauth: Option<OauthConfig>,
    /// Which scope allows which tools; none: whoever may call may call them all.
    pub scopes: Option<Scopes>,
    /// How much it takes.
    pub limits: HttpLimits,
}

/// The tools that each scope allows, by the names that clients know; `*` is every tool.
pub type Scopes = IndexMap<String, Vec<String>>;

/// Someone who may call.
#[derive(Clone, Debug)]
pub struct TokenConfig {
    /// Who comes with this token.
    pub principal: String,
    /// The token.
    pub token: SecretText,
    /// What they may do.
    pub scopes: Vec<String>,
}

/// An authorization server whose access tokens are JWTs.
#[derive(Clone, Debug)]
pub struct OauthConfig {
    /// The URL of this server, as clients know it (RFC 9728, `resource`).
    pub resource: String,
    /// Its path, such as `/mcp`.
    pub resource_path: String,
    /// Who signs the tokens: their `iss`.
    pub issuer: String,
    /// For whom they are: one of these is in their `aud`.
    pub audience: Vec<String>,
    /// The keys that they are signed with.
    pub jwks: Jwks,
}

/// Where a set of keys is (RFC 7517).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jwks {
    /// At a URL with `https`, or with `http` on this machine.
    Url(Uri),
    /// In a file, which is read again when a key is not known.
    File(PathBuf),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawHttp {
    listen: Option<Spanned<String>>,
    #[serde(default)]
    allowed_hosts: Vec<Spanned<String>>,
    #[serde(default)]
    allowed_origins: Vec<Spanned<String>>,
    #[serde(default)]
    allow_unauthenticated: bool,
    #[serde(default)]
    tokens: IndexMap<Spanned<String>, Spanned<RawToken>>,
    oauth: Option<Spanned<RawOauth>>,
    scopes: Option<IndexMap<Spanned<String>, Vec<String>>>,
    #[serde(default)]
    limits: RawHttpLimits,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawToken {
    env: Option<String>,
    file: Option<PathBuf>,
    #[serde(default)]
    scopes: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOauth {
    resource: Spanned<String>,
    issuer: Spanned<String>,
    #[serde(default)]
    audience: Vec<String>,
    jwks: Spanned<String>,
}

impl RawHttp {
    /// What is meant; paths are relative to `directory`.
    pub(super) fn meant(
        self,
        directory: &Path,
        source: &Source<'_>,
    ) -> Result<HttpConfig, ConfigError> {
        let scopes = self.scopes.map(|scopes| scopes_meant(scopes, source)).transpose()?;
        let mut tokens = Vec::new();
        for (principal, token) in self.tokens {
            tokens.push(token_meant(principal, token, scopes.as_ref(), directory, source)?);
        }
        Ok(HttpConfig {
            listen: self.listen.map(|listen| listen_meant(&listen, source)).transpose()?,
            allowed_hosts: each(
                self.allowed_hosts,
                source,
                is_host,
                "a host, such as \"tools.example\" or \"tools.example:8080\"",
            )?,
            allowed_origins: each(
                self.allowed_origins,
                source,
                is_origin,
                "an origin, such as \"https://app.example\"",
            )?,
            allow_unauthenticated: self.allow_unauthenticated,
            tokens,
            oauth: self.oauth.map(|oauth| oauth_meant(oauth, directory, source)).transpose()?,
            scopes,
            limits: self.limits.over(&HttpLimits::default(), source)?,
        })
    }
}

fn listen_meant(listen: &Spanned<String>, source: &Source<'_>) -> Result<SocketAddr, ConfigError> {
    listen.get_ref().parse().map_err(|_| {
        let message =
            format!("{:?} is no address with a port, such as \"127.0.0.1:8080\"", listen.get_ref());
        source.error(listen.span().start, message)
    })
}

/// The texts, if each is what it should be.
fn each(
    written: Vec<Spanned<String>>,
    source: &Source<'_>,
    is_right: fn(&str) -> bool,
    what: &str,
) -> Result<Vec<String>, ConfigError> {
    let one = |text: Spanned<String>| match is_right(text.get_ref()) {
        true => Ok(text.into_inner().to_ascii_lowercase()),
        false => {
            let message = format!("{:?} is not {what}", text.get_ref());
            Err(source.error(text.span().start, message))
        }
    };
    written.into_iter().map(one).collect()
}

fn is_host(text: &str) -> bool {
    text.parse::<Authority>().is_ok_and(|authority| !authority.as_str().contains('@'))
}

fn is_origin(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, host)| {
        matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https") && is_host(host)
    })
}

fn scopes_meant(
    scopes: IndexMap<Spanned<String>, Vec<String>>,
    source: &Source<'_>,
) -> Result<Scopes, ConfigError> {
    for name in scopes.keys() {
        check_scope(name, source)?;
    }
    Ok(scopes.into_iter().map(|(name, tools)| (name.into_inner(), tools)).collect())
}

/// A scope is a word (RFC 6749, 3.3).
fn check_scope(scope: &Spanned<String>, source: &Source<'_>) -> Result<(), ConfigError> {
    let text = scope.get_ref();
    let legal = |c: char| c.is_ascii_graphic() && c != '"' && c != '\\';
    if !text.is_empty() && text.chars().all(legal) {
        return Ok(());
    }
    let message = format!("{text:?} is no scope: a word of visible ASCII without \" and \\");
    Err(source.error(scope.span().start, message))
}

fn token_meant(
    principal: Spanned<String>,
    token: Spanned<RawToken>,
    known: Option<&Scopes>,
    directory: &Path,
    source: &Source<'_>,
) -> Result<TokenConfig, ConfigError> {
    source.check_id("the name of a token", &principal)?;
    let offset = token.span().start;
    let raw = token.into_inner();
    let text =
        secrets::text(raw.env.as_deref(), raw.file.as_deref(), directory).map_err(|error| {
            let what = "a token has either `env`, the variable that holds it, or `file`";
            source.error(offset, error.unwrap_or_else(|| what.to_owned()))
        })?;
    let no_token =
        |what: &str| source.error(offset, format!("the token of `{}` {what}", principal.get_ref()));
    // What a header can carry (RFC 6750, 2.1), and long enough not to be guessed.
    let legal = |c: char| c.is_ascii_alphanumeric() || "-._~+/=".contains(c);
    if !text.chars().all(legal) {
        return Err(no_token("holds more than A-Z a-z 0-9 - . _ ~ + / ="));
    }
    if text.len() < TOKEN_BYTES_MIN {
        let what = format!(
            "has fewer than {TOKEN_BYTES_MIN} characters; make one with `openssl rand -hex 32`"
        );
        return Err(no_token(&what));
    }
    for scope in &raw.scopes {
        check_scope(scope, source)?;
        let word = scope.get_ref();
        if !known.is_some_and(|known| known.contains_key(word)) {
            let message = format!("there is no scope `{word}` in `[http.scopes]`");
            return Err(source.error(scope.span().start, message));
        }
    }
    let token = SecretText::new(text).ok_or_else(|| no_token("is too short"))?;
    let scopes = raw.scopes.into_iter().map(Spanned::into_inner).collect();
    Ok(TokenConfig { principal: principal.into_inner(), token, scopes })
}

/// Fewer could be guessed.
const TOKEN_BYTES_MIN: usize = 16;

fn oauth_meant(
    oauth: Spanned<RawOauth>,
    directory: &Path,
    source: &Source<'_>,
) -> Result<OauthConfig, ConfigError> {
    let raw = oauth.into_inner();
    let url = |key: &str, text: &Spanned<String>| {
        safe_url(text.get_ref()).ok_or_else(|| {
            let message = format!(
                "`{key}` is no URL with `https`, or with `http` on this machine: {:?}",
                text.get_ref()
            );
            source.error(text.span().start, message)
        })
    };
    let resource = url("resource", &raw.resource)?;
    url("issuer", &raw.issuer)?;
    let jwks = match raw.jwks.get_ref().contains("://") {
        true => Jwks::Url(url("jwks", &raw.jwks)?),
        false => Jwks::File(directory.join(raw.jwks.get_ref())),
    };
    let audience = match raw.audience.is_empty() {
        true => vec![raw.resource.get_ref().clone()],
        false => raw.audience,
    };
    Ok(OauthConfig {
        resource_path: resource.path().trim_end_matches('/').to_owned(),
        resource: raw.resource.into_inner(),
        issuer: raw.issuer.into_inner(),
        audience,
        jwks,
    })
}

/// What nobody on the way can change.
fn safe_url(text: &str) -> Option<Uri> {
    let url: Uri = text.parse().ok()?;
    let host = url.host()?.trim_matches(['[', ']']);
    let is_here = host == "localhost"
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    match url.scheme_str()? {
        "https" => Some(url),
        "http" if is_here => Some(url),
        _ => None,
    }
}
