//! What a server was told to serve, and the config that it means at the moment.

use std::path::PathBuf;

use crate::config::{self, Config, ConfigError};
use crate::files;
use crate::grants::Access;

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
