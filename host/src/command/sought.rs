//! What a server was told to serve, and the config that it means at the moment.

use std::path::PathBuf;

use super::terminal;
use crate::config::{self, Config, ConfigError};
use crate::files;
use crate::grants::Access;
use crate::loading::Standing;

/// What is to be served.
pub(super) enum Sought {
    /// Components, and directories of components; without any, what the config says.
    Paths { paths: Vec<PathBuf>, config: Option<PathBuf> },
    /// A component that is built again and again, under what the config says of it. One that was
    /// `named` must be there.
    Built { component: PathBuf, config: PathBuf, named: bool },
}

impl Sought {
    /// The config that it means now.
    pub(super) fn config(&self) -> anyhow::Result<Config> {
        match self {
            Self::Paths { paths, config } => super::configured(paths, config.as_ref()),
            Self::Built { component, config, named } => {
                match Config::for_component(component, Some(config)) {
                    Err(ConfigError::NoConfig { error, .. })
                        if !named && error.kind() == std::io::ErrorKind::NotFound =>
                    {
                        Ok(Config::for_component(component, None)?)
                    }
                    read => Ok(read?),
                }
            }
        }
    }

    /// The config that it means now that it has been served: what is gone of the paths is gone. A
    /// config that is no file, such as a pipe, cannot be read twice.
    ///
    /// # Errors
    /// As of [`Sought::config`].
    pub(super) fn config_again(&self) -> anyhow::Result<Config> {
        if let Some(file) = self.config_file().filter(|file| files::is_no_file(file)) {
            anyhow::bail!("`{}` is not a regular file", file.display());
        }
        let Self::Paths { paths, config } = self else { return self.config() };
        let there: Vec<PathBuf> =
            paths.iter().filter(|path| files::has_files(path)).cloned().collect();
        match config {
            // A config that names nothing is one that somebody is writing.
            _ if paths.is_empty() => self.config(),
            Some(file) => Ok(Config::read(file, &there)?),
            None => Ok(Config::from_paths(&there)?),
        }
    }

    /// The config file that is read, whether it is there or not.
    pub(super) fn config_file(&self) -> Option<PathBuf> {
        match self {
            Self::Paths { config: Some(config), .. } | Self::Built { config, .. } => {
                Some(config.clone())
            }
            Self::Paths { paths, config: None } => {
                paths.is_empty().then(|| PathBuf::from(config::FILE_NAME))
            }
        }
    }

    /// How a command line says it.
    pub(super) fn words(&self) -> Vec<String> {
        let (paths, config) = match self {
            Self::Paths { paths, config } => (paths.as_slice(), config.as_ref()),
            Self::Built { component, config, named } => {
                (std::slice::from_ref(component), named.then_some(config))
            }
        };
        let config =
            config.into_iter().flat_map(|file| ["--config".to_owned(), terminal::argument(file)]);
        config.chain(paths.iter().map(|path| terminal::argument(path))).collect()
    }

    /// The command that approves a component of it, `lock` being what it says of the lock.
    pub(super) fn approving(&self, lock: String) -> impl Fn(&Standing) -> String + use<> {
        let alone = match self {
            Self::Paths { paths, config: None } => paths.clone(),
            Self::Paths { config: Some(_), .. } | Self::Built { .. } => Vec::new(),
        };
        let quoted = |word: &str| format!(" {}", terminal::quoted(word));
        let words: String = self.words().iter().map(|word| quoted(word)).collect();
        move |standing| match alone.contains(&standing.path) {
            true => {
                let path = quoted(&terminal::argument(&standing.path));
                format!("portcullis approve{path}{lock}")
            }
            false => format!("portcullis approve{words} {}{lock}", standing.id),
        }
    }

    /// The files and directories that it is about.
    pub(super) fn places(&self) -> Vec<PathBuf> {
        match self {
            Self::Paths { paths, config: Some(config) } => {
                [paths.as_slice(), std::slice::from_ref(config)].concat()
            }
            Self::Paths { paths, config: None } if paths.is_empty() => {
                vec![PathBuf::from(config::FILE_NAME)]
            }
            Self::Paths { paths, config: None } => paths.clone(),
            Self::Built { component, config, .. } => vec![component.clone(), config.clone()],
        }
    }

    /// What is no source of a component wherever it is: the config, and what components write to.
    pub(super) fn beside_sources(&self) -> Vec<PathBuf> {
        let config = match self {
            Self::Paths { config, .. } => config.as_ref(),
            Self::Built { config, .. } => Some(config),
        };
        let config = config.map(|config| files::resolved_as_far(config));
        // A config that is wrong grants nothing new.
        let components = self.config().map(|config| config.components).unwrap_or_default();
        let dirs = components.into_iter().flat_map(|component| component.grants.dirs);
        let writable = dirs.filter(|dir| dir.access == Access::ReadWrite).map(|dir| dir.host);
        config.into_iter().chain(writable).collect()
    }
}
