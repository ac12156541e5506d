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
    http: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    directories: Vec<Directory>,
    /// Names of environment variables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    environment: Vec<String>,
    /// Names of secrets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    secrets: Vec<String>,
    /// What no call can do without.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    client: Vec<Ability>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Directory {
    /// Where the component sees it.
    path: String,
    access: Access,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Access {
    ReadOnly,
    ReadWrite,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Ability {
    ElicitForm,
    ElicitUrl,
    Sampling,
    Roots,
}

impl Requires {
    /// Each of them in words, as a provider's are.
    pub(crate) fn words(&self) -> Vec<String> {
        let directory = |need: &Directory| match need.access {
            Access::ReadOnly => format!("directory {} to read", need.path),
            Access::ReadWrite => format!("directory {} to write", need.path),
        };
        let abilities: Vec<&str> = self.client.iter().map(|ability| ability.word()).collect();
        let client = format!("a client with {}", abilities.join(", "));
        let http = self.http.iter().map(|host| format!("http {host}"));
        http.chain(self.directories.iter().map(directory))
            .chain(self.environment.iter().map(|name| format!("environment {name}")))
            .chain(self.secrets.iter().map(|name| format!("secret {name}")))
            .chain((!abilities.is_empty()).then_some(client))
            .collect()
    }
}

impl Ability {
    fn word(self) -> &'static str {
        match self {
            Self::ElicitForm => "forms",
            Self::ElicitUrl => "URL visits",
            Self::Sampling => "sampling",
            Self::Roots => "roots",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_is_told_in_words() {
        let requires: Requires = toml::from_str(
            "http = ['a.example:443']\nsecrets = ['KEY']\nenvironment = ['TZ']\n\
             client = ['elicit-form', 'roots']\n\
             directories = [{ path = '/in', access = 'read-only' }, \
             { path = '/out', access = 'read-write' }]",
        )
        .unwrap();
        let words = [
            "http a.example:443",
            "directory /in to read",
            "directory /out to write",
            "environment TZ",
            "secret KEY",
            "a client with forms, roots",
        ];
        assert_eq!(requires.words(), words);
        assert!(Requires::default().words().is_empty());
    }
}
