//! Access tokens of an authorization server: JWTs (RFC 9068), and where clients get them (RFC 9728).
//!
//! A token is good if it is signed by one of its keys, comes from it, is for this server, and is
//! of now.

use http::Uri;
use jsonwebtoken::crypto::CryptoProvider;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use serde_json::{Value, json};

use super::keys::Keys;
use super::{Known, ring};
use crate::config::{OauthConfig, Scopes};

/// Where the document is that says where tokens come from.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// An authorization server, and what is told of it.
pub(super) struct Oauth {
    keys: Keys,
    config: OauthConfig,
    metadata: Value,
    metadata_url: String,
}

/// What a token claims.
#[derive(Deserialize)]
struct Claims {
    /// RFC 9068, 2.2: a token of a client for itself has one as well.
    sub: Option<String>,
    scope: Option<String>,
    scp: Option<Words>,
    /// Is read so that one that is no number is refused.
    #[serde(rename = "nbf")]
    _not_before: Option<serde_json::Number>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Many(Vec<String>),
}

impl Oauth {
    pub(super) fn new(config: &OauthConfig, scopes: Option<&Scopes>) -> Self {
        if CryptoProvider::try_get_default().is_none() {
            // Another server of this process may have done so meanwhile, with the same.
            let _ = ring::PROVIDER.install_default();
        }
        let mut metadata = json!({
            "resource": config.resource,
            "authorization_servers": [config.issuer],
            "bearer_methods_supported": ["header"],
            "resource_name": "Portcullis",
        });
        if let Some(scopes) = scopes {
            metadata["scopes_supported"] = scopes.keys().cloned().collect();
        }
        let origin = config.resource.parse::<Uri>().ok();
        let origin =
            origin.and_then(|url| Some(format!("{}://{}", url.scheme()?, url.authority()?)));
        let metadata_url =
            format!("{}{WELL_KNOWN}{}", origin.unwrap_or_default(), config.resource_path);
        let keys = Keys::new(config.jwks.clone());
        Self { keys, config: config.clone(), metadata, metadata_url }
    }

    /// Where clients read where tokens come from.
    pub(super) fn metadata_url(&self) -> &str {
        &self.metadata_url
    }

    /// The document at `path`.
    pub(super) fn metadata(&self, path: &str) -> Option<&Value> {
        let rest = path.strip_prefix(WELL_KNOWN)?;
        (rest.is_empty() || rest == self.config.resource_path).then_some(&self.metadata)
    }

    /// Reads the keys before the first token comes.
    pub(super) fn prepare(&self) {
        self.keys.prepare();
    }

    /// Whose `token` is, if it is good.
    pub(super) async fn find(&self, token: &str) -> Option<Known> {
        match self.read(token).await {
            Ok(claims) => known(claims),
            Err(why) => {
                tracing::info!("a token is refused: {why}");
                None
            }
        }
    }

    async fn read(&self, token: &str) -> Result<Claims, String> {
        let header = jsonwebtoken::decode_header(token).map_err(|error| error.to_string())?;
        let key = self.keys.find(&header).await;
        let key = key.ok_or("it is signed with a key that is not known")?;
        let key = DecodingKey::from_jwk(&key).map_err(|error| error.to_string())?;
        let read = jsonwebtoken::decode(token, &key, &self.rules(header.alg));
        read.map(|read| read.claims).map_err(|error| error.to_string())
    }

    fn rules(&self, algorithm: Algorithm) -> Validation {
        let mut rules = Validation::new(algorithm);
        rules.set_issuer(&[&self.config.issuer]);
        rules.set_audience(&self.config.audience);
        rules.set_required_spec_claims(&["exp", "iss", "aud"]);
        rules.validate_nbf = true;
        rules
    }
}

/// Bytes of a name that is taken.
const PRINCIPAL_BYTES_MAX: usize = 256;

fn known(claims: Claims) -> Option<Known> {
    let principal = claims.sub?;
    let is_name = (1..=PRINCIPAL_BYTES_MAX).contains(&principal.len())
        && !principal.chars().any(char::is_control);
    let mut scopes: Vec<String> =
        claims.scope.iter().flat_map(|words| words.split(' ')).map(str::to_owned).collect();
    match claims.scp {
        Some(Words::One(words)) => scopes.extend(words.split(' ').map(str::to_owned)),
        Some(Words::Many(words)) => scopes.extend(words),
        None => {}
    }
    is_name.then(|| Known { principal: principal.into(), scopes })
}
