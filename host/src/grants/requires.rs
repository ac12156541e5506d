//! What a component requires beyond running, as its author says it.
//!
//! Requiring grants nothing.

use serde::{Deserialize, Serialize};

/// As `requirements` of `portcullis:guest`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Requires {
    /// Hosts that are spoken to over HTTP, as `host:port`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) http: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) directories: Vec<RequiredDir>,
    /// Names of environment variables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) environment: Vec<String>,
    /// Names of secrets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) secrets: Vec<String>,
    /// What no call can do without.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) client: Vec<Ability>,
}

impl Requires {
    /// How many things it requires.
    pub(crate) fn count(&self) -> usize {
        let Self { http, directories, environment, secrets, client } = self;
        http.len() + directories.len() + environment.len() + secrets.len() + client.len()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RequiredDir {
    /// Where the component sees it.
    pub(crate) path: String,
    pub(crate) access: Access,
}

/// How a directory is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Nothing in it is changed.
    ReadOnly,
    /// What is in it is read, changed, made and removed.
    ReadWrite,
}

/// What a client can do for a tool.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Ability {
    ElicitForm,
    ElicitUrl,
    Sampling,
    Roots,
}

impl Ability {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::ElicitForm => "forms",
            Self::ElicitUrl => "URL visits",
            Self::Sampling => "sampling",
            Self::Roots => "roots",
        }
    }
}
