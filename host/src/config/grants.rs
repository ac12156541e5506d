//! What is granted, as it is written, and its way to what is meant.
//!
//! Everything that a grant names is looked at here, so that what does not exist is an error with its
//! line at the start, and not a surprise in a call. No text of a secret is in the config: it is read
//! from the environment or a file.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;

use super::secrets::{self, RawSecret};
use super::{ConfigError, Source};
use crate::files;
use crate::grants::{Access, Clocks, DirGrant, Grants, HttpHost};

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawGrants {
    #[serde(default)]
    http: Vec<Spanned<String>>,
    #[serde(default)]
    dirs: Vec<RawDir>,
    #[serde(default)]
    env: IndexMap<Spanned<String>, Spanned<RawEnv>>,
    #[serde(default)]
    secrets: IndexMap<Spanned<String>, Spanned<RawSecret>>,
    #[serde(default)]
    clocks: RawClocks,
    #[serde(default)]
    random: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDir {
    host: Spanned<PathBuf>,
    guest: Spanned<String>,
    access: RawAccess,
    quota_bytes_max: Option<Spanned<u64>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawAccess {
    Ro,
    Rw,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a text, or { from = \"VARIABLE\" }")]
enum RawEnv {
    Text(String),
    From(From),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct From {
    from: String,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawClocks {
    #[default]
    Coarse,
    Precise,
    Fixed,
}

/// Bytes that may be in a directory that components write to, where the config does not say.
const QUOTA_BYTES_MAX: u64 = 64 << 20;
impl RawGrants {
    /// Where each of its directories is written.
    pub(super) fn dir_offsets(&self) -> Vec<usize> {
        self.dirs.iter().map(|dir| dir.host.span().start).collect()
    }

    /// What is meant; paths are relative to `directory`.
    pub(super) fn meant(
        self,
        directory: &Path,
        source: &Source<'_>,
    ) -> Result<Grants, ConfigError> {
        let http = hosts(&self.http, source)?;
        let dirs = self
            .dirs
            .into_iter()
            .map(|dir| dir.meant(directory, source))
            .collect::<Result<Vec<_>, _>>()?;
        let env = self
            .env
            .into_iter()
            .map(|(name, value)| env(name, value, source))
            .collect::<Result<Vec<_>, _>>()?;
        let secrets = self
            .secrets
            .into_iter()
            .map(|(name, secret)| secrets::meant(name, secret, &http, directory, source))
            .collect::<Result<Vec<_>, _>>()?;
        let clocks = match self.clocks {
            RawClocks::Coarse => Clocks::Coarse,
            RawClocks::Precise => Clocks::Precise,
            RawClocks::Fixed => Clocks::Fixed,
        };
        Ok(Grants { http, dirs, env, secrets, clocks, random: self.random })
    }
}

pub(super) fn hosts(
    written: &[Spanned<String>],
    source: &Source<'_>,
) -> Result<Vec<HttpHost>, ConfigError> {
    let meant = |host: &Spanned<String>| {
        host.get_ref().parse().map_err(|error| {
            source.error(host.span().start, format!("{:?}: {error}", host.get_ref()))
        })
    };
    written.iter().map(meant).collect()
}

impl RawDir {
    fn meant(self, directory: &Path, source: &Source<'_>) -> Result<DirGrant, ConfigError> {
        if self.host.get_ref().as_os_str().is_empty() {
            let message = "the path of a directory is not empty; `.` is that of the config";
            return Err(source.error(self.host.span().start, message.to_owned()));
        }
        let host = directory.join(self.host.get_ref());
        let host = match files::directory(&host) {
            Ok(Some(host)) => host,
            Ok(None) => {
                let message = format!("`{}` is no directory", host.display());
                return Err(source.error(self.host.span().start, message));
            }
            Err(error) => {
                let message = format!("`{}`: {error}; make the directory first", host.display());
                return Err(source.error(self.host.span().start, message));
            }
        };
        let guest = self.guest.get_ref();
        let parts = guest.strip_prefix('/').unwrap_or("..").split('/');
        if guest.contains('\0') || parts.clone().any(|part| matches!(part, "." | "..")) {
            let message = format!("{guest:?} is no absolute path, such as \"/data\"");
            return Err(source.error(self.guest.span().start, message));
        }
        let quota_bytes_max = match &self.quota_bytes_max {
            Some(value) => source.within("quota_bytes_max", value, 0, 1 << 50)?,
            None => QUOTA_BYTES_MAX,
        };
        let access = match self.access {
            RawAccess::Ro => Access::ReadOnly,
            RawAccess::Rw => Access::ReadWrite,
        };
        Ok(DirGrant { host, guest: self.guest.into_inner(), access, quota_bytes_max })
    }
}

fn env(
    name: Spanned<String>,
    value: Spanned<RawEnv>,
    source: &Source<'_>,
) -> Result<(String, String), ConfigError> {
    check_variable(&name, source)?;
    let offset = value.span().start;
    let text = match value.into_inner() {
        RawEnv::Text(text) => text,
        RawEnv::From(From { from }) => {
            variable(&from).map_err(|message| source.error(offset, message))?
        }
    };
    if text.contains('\0') {
        return Err(source.error(offset, "a variable's value holds no NUL".to_owned()));
    }
    Ok((name.into_inner(), text))
}

pub(super) fn check_variable(
    name: &Spanned<String>,
    source: &Source<'_>,
) -> Result<(), ConfigError> {
    let text = name.get_ref();
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !text.is_empty() && text.chars().all(legal) {
        return Ok(());
    }
    let message = format!("{text:?} is no name of a variable: A-Z a-z 0-9 _");
    Err(source.error(name.span().start, message))
}

/// The door to the environment for what a config names.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(super) fn variable(name: &str) -> Result<String, String> {
    // What is no name may be the secret itself, written by mistake, and is not repeated.
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let shown = if is_name { format!("the variable `{name}`") } else { "that variable".to_owned() };
    std::env::var(name).map_err(|error| match error {
        std::env::VarError::NotPresent => format!("{shown} is not set"),
        std::env::VarError::NotUnicode(_) => format!("{shown} is not UTF-8 text"),
    })
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests write files")]
mod tests {
    use http::HeaderValue;

    use super::super::{Config, raw};
    use super::*;

    /// What the config of one component with these grants means, or the error without its
    /// directory.
    fn grants(text: &str) -> Result<Grants, String> {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("data")).unwrap();
        std::fs::write(directory.path().join("key.txt"), "12345678\n").unwrap();
        let text = format!("[components.a]\npath = \"a.wasm\"\n[components.a.grants]\n{text}\n");
        let config: Result<Config, _> = raw::parse(&directory.path().join("p.toml"), &text, &[]);
        let shown = directory.path().to_string_lossy().into_owned() + "/";
        let config = config.map_err(|error| error.to_string().replace(&shown, ""))?;
        Ok(config.components[0].grants.clone())
    }

    #[test]
    fn what_is_written_is_what_is_meant() {
        let grants = grants(
            "http = [\"A.example:443\"]\n\
             dirs = [{ host = \"data\", guest = \"/in\", access = \"ro\" },\n\
             { host = \"data\", guest = \"/out\", access = \"rw\", quota_bytes_max = 5 }]\n\
             env.LANG = \"C\"\n\
             secrets.KEY.file = \"key.txt\"\n\
             secrets.TOKEN = { file = \"key.txt\", header = \"Authorization\", \
             value = \"Bearer {}\", hosts = [\"a.example:443\"] }\n\
             clocks = \"fixed\"\nrandom = true",
        )
        .unwrap();
        assert_eq!(grants.http, ["a.example:443".parse().unwrap()]);
        let dirs: Vec<_> = grants
            .dirs
            .iter()
            .map(|dir| (dir.guest.as_str(), dir.access, dir.quota_bytes_max))
            .collect();
        let quota = 64 << 20;
        assert_eq!(dirs, [("/in", Access::ReadOnly, quota), ("/out", Access::ReadWrite, 5)]);
        assert_eq!(grants.env, [("LANG".to_owned(), "C".to_owned())]);
        assert_eq!(grants.secrets[0].text.reveal(), "12345678");
        let header = grants.secrets[1].header.as_ref().unwrap();
        assert_eq!(
            (header.name.as_str(), &header.value),
            ("authorization", &HeaderValue::from_static("Bearer 12345678"),)
        );
        assert!(header.value.is_sensitive());
        assert!(!format!("{grants:?}").contains("12345678"), "no secret in debug output");
        assert_eq!((grants.clocks, grants.random), (Clocks::Fixed, true));
    }

    #[test]
    fn without_grants_nothing_is_granted() {
        let grants = grants("").unwrap();
        assert!(grants.http.is_empty() && grants.dirs.is_empty() && grants.env.is_empty());
        assert!(grants.secrets.is_empty() && !grants.random);
        assert_eq!(grants.clocks, Clocks::Coarse);
    }

    #[test]
    fn what_cannot_be_granted_is_an_error_with_its_place() {
        let cases = [
            ("htp = []", "p.toml:4:1: unknown field `htp`"),
            ("http = [\"a.example\"]", "p.toml:4:9: \"a.example\": it is no host and port"),
            (
                "dirs = [{ host = \"gone\", guest = \"/d\", access = \"ro\" }]",
                "p.toml:4:18: `gone`: No such file or directory (os error 2); make the directory",
            ),
            (
                "dirs = [{ host = \"key.txt\", guest = \"/d\", access = \"ro\" }]",
                "p.toml:4:18: `key.txt` is no directory",
            ),
            (
                "dirs = [{ host = \".\", guest = \"/d\", access = \"rw\" }, \
                 { host = \"data\", guest = \"/e\", access = \"rw\" }]",
                "p.toml:4:63: `data` is within `",
            ),
            (
                "dirs = [{ host = \"data\", guest = \"d/../e\", access = \"ro\" }]",
                "p.toml:4:34: \"d/../e\" is no absolute path",
            ),
            (
                "dirs = [{ host = \"data\", guest = \"/d\", access = \"rx\" }]",
                "p.toml:4:49: unknown variant `rx`, expected `ro` or `rw`",
            ),
            (
                "dirs = [{ host = \"data\", guest = \"/d\", access = \"rw\", quota_mb_max = 1 }]",
                "p.toml:4:55: unknown field `quota_mb_max`",
            ),
            ("env.\"A=B\" = \"x\"", "p.toml:4:5: \"A=B\" is no name of a variable"),
            ("env.A = 5", "p.toml:4:9: a text, or { from = \"VARIABLE\" }"),
            (
                "env.A.from = \"PORTCULLIS_NOT_SET\"",
                "p.toml:4:5: the variable `PORTCULLIS_NOT_SET` is not set",
            ),
            ("secrets.A = \"sk-live-1234\"", "p.toml:4:13: a table belongs here"),
            ("secrets.A.env = \"sk-live-1234\"", "p.toml:4:9: that variable is not set"),
            ("secrets.A = { }", "p.toml:4:13: a secret has either `env`"),
            ("secrets.A.file = \"gone\"", "p.toml:4:9: cannot read `gone`: No such file"),
            (
                "secrets.A = { file = \"key.txt\", hosts = [] , value = \"{}\" }",
                "p.toml:4:13: `value` and `hosts` go with `header`",
            ),
            (
                "secrets.A = { file = \"key.txt\", header = \"x\" }",
                "p.toml:4:13: `hosts` says which requests get the header",
            ),
            (
                "secrets.A = { file = \"key.txt\", header = \"x\", hosts = [\"a:1\"] }",
                "p.toml:4:56: `a:1` is not granted; add it to `http`",
            ),
            ("clocks = \"exact\"", "p.toml:4:10: unknown variant `exact`"),
        ];
        for (text, expected) in cases {
            let error = grants(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}\n{error}");
        }
    }
}
