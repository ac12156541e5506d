//! What the operator wants: which components, under which names and limits.
//!
//! A config that does not read to the end, or says something unknown, is an error; there is
//! no half-read config and no laxer one to fall back to.

mod grants;
mod http;
mod limits;
mod raw;
mod secrets;
mod source;

use std::path::{Path, PathBuf};

pub use http::{HttpConfig, Jwks, OauthConfig, Scopes, TokenConfig};
pub use limits::{HostLimits, HttpLimits, Limits};
#[cfg(any(test, fuzzing))]
pub(crate) use raw::parse;
pub(crate) use source::Source;

use crate::files::{self, Place};
use crate::grants::Grants;
use crate::lock::Mode;
use crate::schema::{Bounds, Style};

/// The name of the file that is read when none is named.
pub const FILE_NAME: &str = "portcullis.toml";

/// A whole config.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// In the order in which they are loaded; the earlier one keeps a name.
    pub components: Vec<ComponentConfig>,
    /// How much components may change without being approved.
    pub lock_mode: Option<Mode>,
    /// How schemas are published.
    pub style: Style,
    /// What results must keep to beside their schemas.
    pub rules: Rules,
    /// The limits of each call of a component that has none of its own.
    pub limits: Limits,
    /// The limits of all calls together, and on loading.
    pub host: HostLimits,
    /// What is kept to over HTTP.
    pub http: HttpConfig,
}

/// What schemas and results must keep to, whichever component they are of.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Limits on schemas.
    pub bounds: Bounds,
    /// Schemes of the URIs in content, in lower case. Default: https and http.
    pub link_schemes: Vec<String>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            bounds: Bounds::default(),
            link_schemes: ["https", "http"].map(str::to_owned).to_vec(),
        }
    }
}

/// One component.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentConfig {
    /// The operator's name for it.
    pub id: String,
    /// Its file.
    pub path: PathBuf,
    /// What stands before the names of its tools, with a `_` between.
    pub prefix: Option<String>,
    /// The limits of each of its calls.
    pub limits: Limits,
    /// What its calls may reach.
    pub grants: Grants,
    /// Found in a directory rather than named: what is no component is passed over.
    pub found: bool,
}

impl ComponentConfig {
    /// The name under which clients see the tool.
    #[must_use]
    pub fn published(&self, tool: &str) -> String {
        match &self.prefix {
            Some(prefix) => format!("{prefix}_{tool}"),
            None => tool.to_owned(),
        }
    }
}

/// Why there is no config. The text is one line that says what, where and what to do.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A component, or a directory of them, cannot be read.
    #[error("cannot read `{path}`: {error}; name a component (.wasm) or a directory of them")]
    Unreadable {
        /// What was to be read.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The config cannot be read.
    #[error("cannot read `{path}`: {error}; name a config that can be read")]
    NoConfig {
        /// The config file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The config's text is wrong.
    #[error("{file}:{line}:{column}: {message}")]
    Text {
        /// The config file.
        file: PathBuf,
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What is wrong and what to write instead.
        message: String,
    },
    /// Nothing to load.
    #[error("no component in `{0}`; put a .wasm component there, or name one")]
    Empty(PathBuf),
    /// Two components of one id.
    #[error(
        "`{first}` and `{second}` would both be component `{id}`; rename one, or give both ids \
         in {FILE_NAME}"
    )]
    SameId {
        /// The id.
        id: String,
        /// The earlier file.
        first: PathBuf,
        /// The later file.
        second: PathBuf,
    },
}

impl Config {
    /// The config that a list of files and directories means.
    ///
    /// # Errors
    /// When one does not exist, holds nothing, or two would have one id.
    pub fn from_paths(paths: &[PathBuf]) -> Result<Self, ConfigError> {
        Self::default().with_paths(paths)
    }

    /// Reads `file`, and adds the components in `paths` after those that it names. Paths in it are
    /// relative to its directory; what it says of a component without a path is of one in `paths`.
    ///
    /// # Errors
    /// When it cannot be read or says something that is not known, and as [`Config::from_paths`].
    pub fn read(file: &Path, paths: &[PathBuf]) -> Result<Self, ConfigError> {
        raw::read(file, paths)
    }

    /// The config for a component that is built, whose file need not be there: what `file` says,
    /// where there is one, of this component and of others.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub(crate) fn for_component(
        component: &Path,
        file: Option<&Path>,
    ) -> Result<Self, ConfigError> {
        match file {
            Some(file) => raw::read_for(file, component),
            None => Self::default().with_component(component),
        }
    }

    /// Adds the component at `path`, unless it is there.
    fn with_component(mut self, path: &Path) -> Result<Self, ConfigError> {
        let whole = files::resolved_as_far(path);
        if !self.components.iter().any(|c| files::resolved_as_far(&c.path) == whole) {
            self.components.push(ComponentConfig::of(path.to_owned(), false, &self.limits));
        }
        self.check_ids()?;
        Ok(self)
    }

    /// Adds the components in `paths` after those that are there.
    fn with_paths(mut self, paths: &[PathBuf]) -> Result<Self, ConfigError> {
        for path in paths {
            self.add(path)?;
        }
        self.check_ids()?;
        Ok(self)
    }

    fn add(&mut self, path: &Path) -> Result<(), ConfigError> {
        let place = files::look(path)
            .map_err(|error| ConfigError::Unreadable { path: path.to_owned(), error })?;
        match place {
            Place::File => {
                self.components.push(ComponentConfig::of(path.to_owned(), false, &self.limits));
            }
            Place::Directory(files) if files.is_empty() => {
                return Err(ConfigError::Empty(path.to_owned()));
            }
            Place::Directory(files) => {
                let found = files.into_iter().map(|f| ComponentConfig::of(f, true, &self.limits));
                self.components.extend(found);
            }
        }
        Ok(())
    }

    /// Takes what is written of a component whose path is not.
    fn settle(&mut self, written: ComponentConfig) -> Result<(), String> {
        let id = &written.id;
        match self.components.iter_mut().find(|component| component.id == *id) {
            Some(component) => {
                *component = ComponentConfig { path: component.path.clone(), ..written };
                Ok(())
            }
            None => {
                let ids = self.components.iter().map(|component| component.id.as_str());
                let near = nearest(id, ids).map(|near| format!("; did you mean `{near}`?"));
                Err(format!(
                    "there is no component `{id}`; give it a `path`, or name its file on the \
                     command line{}",
                    near.unwrap_or_default()
                ))
            }
        }
    }

    fn check_ids(&self) -> Result<(), ConfigError> {
        for (index, second) in self.components.iter().enumerate() {
            if let Some(first) = self.components[..index].iter().find(|c| c.id == second.id) {
                return Err(ConfigError::SameId {
                    id: second.id.clone(),
                    first: first.path.clone(),
                    second: second.path.clone(),
                });
            }
        }
        Ok(())
    }
}

impl ComponentConfig {
    /// A component that only has a path: its id is the file's stem, with `-` for what an id
    /// cannot hold.
    fn of(path: PathBuf, found: bool, limits: &Limits) -> Self {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
        let id = stem.chars().map(|c| if is_id_char(c) { c } else { '-' }).collect();
        Self { id, path, prefix: None, limits: limits.clone(), grants: Grants::default(), found }
    }
}

/// The word of `known` that `word` was meant to be, if one is near.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|known| (strsim::damerau_levenshtein(word, known), known))
        .filter(|(distance, known)| *distance <= known.len() / 2)
        .min()
        .map(|(_, known)| known)
}

/// What ids and prefixes are made of.
fn is_id_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests write files")]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_spaces_and_dots_has_an_id() {
        let config =
            ComponentConfig::of(PathBuf::from("/tools/My tool.v2.wasm"), false, &Limits::default());
        assert_eq!(config.id, "My-tool-v2");
    }

    #[test]
    fn two_files_of_one_stem_are_refused_and_both_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = ["a", "b"]
            .iter()
            .map(|name| {
                let path = directory.path().join(name);
                std::fs::create_dir(&path).unwrap();
                std::fs::write(path.join("same.wasm"), b"").unwrap();
                path.join("same.wasm")
            })
            .collect();
        let error = Config::from_paths(&paths).unwrap_err().to_string();
        for part in ["component `same`", &paths[0].to_string_lossy(), &paths[1].to_string_lossy()] {
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_component_that_is_yet_to_be_built_is_named_by_its_id_or_by_its_path() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join(FILE_NAME);
        let component = directory.path().join("target/tool.wasm");
        let ids = |text: &str| {
            std::fs::write(&file, text).unwrap();
            let config = Config::for_component(&component, Some(&file)).unwrap();
            let of = |c: &ComponentConfig| (c.id.clone(), c.prefix.clone());
            config.components.iter().map(of).collect::<Vec<_>>()
        };
        let (tool, prefix) = ("tool".to_owned(), Some("x".to_owned()));
        assert_eq!(ids(""), [(tool.clone(), None)]);
        assert_eq!(ids("[components.tool]\nprefix = \"x\"\n"), [(tool, prefix.clone())]);
        let named = "[components.t]\npath = \"target/tool.wasm\"\nprefix = \"x\"\n";
        assert_eq!(ids(named), [("t".to_owned(), prefix)]);
        let config = Config::for_component(&component, None).unwrap();
        assert_eq!(config.components[0].path, component);
    }

    #[test]
    fn a_directory_gives_its_components_in_order_of_their_names() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["b.wasm", "a.wasm", "readme.txt"] {
            std::fs::write(directory.path().join(name), b"").unwrap();
        }
        let config = Config::from_paths(&[directory.path().to_owned()]).unwrap();
        let ids: Vec<&str> = config.components.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids, ["a", "b"]);
    }
}
