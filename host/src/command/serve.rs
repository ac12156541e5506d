//! `portcullis serve`.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;

use crate::call::Audit;
use crate::host::Host;
use crate::mcp;
use crate::reload::{Said, Watch};

/// Serve tools to an agent over stdio
///
/// An MCP client starts this command and speaks the protocol over its stdin and stdout; the log
/// goes to stderr. Every call runs in a fresh sandbox, with nothing of this machine granted but what
/// the config says. A component or a config that changes is served in its new version from the next
/// call on.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  portcullis serve weather.wasm            one component
  portcullis serve tools/                  every component (.wasm) in a directory
  portcullis serve --config my.toml        the components, prefixes and limits of a config
  claude mcp add weather -- portcullis serve \"$PWD/weather.wasm\"")]
pub(super) struct Arguments {
    /// Components, and directories of components; without any, ./portcullis.toml says which
    paths: Vec<PathBuf>,

    /// A config file that says which components, their ids, prefixes and limits
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Add a receipt of every call to this file, a line of JSON each: what it took, what it
    /// reached and how it ended, without arguments and results
    #[arg(long, value_name = "FILE")]
    audit: Option<PathBuf>,

    /// Serve what is there now, and look at it again at SIGHUP only
    #[arg(long)]
    no_watch: bool,
}

impl Arguments {
    pub(super) async fn run(self) -> anyhow::Result<ExitCode> {
        let audit = self.audit.as_deref().map(open_audit).transpose()?;
        let host = super::load(&self.paths, self.config.as_ref()).await?.with_audit(audit);
        let tools = host.catalog().entries().len();
        let components = host.catalog().components().len();
        let many = |count: usize, what: &str| {
            format!("{count} {what}{}", if count == 1 { "" } else { "s" })
        };
        let (tools, components) = (many(tools, "tool"), many(components, "component"));
        tracing::info!("serving {tools} of {components} over stdio");
        let host = Arc::new(host);
        tokio::select! {
            served = mcp::serve_stdio(host.clone()) => served?,
            never = self.keep_up(&host) => match never {},
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Looks at the config and the components again whenever they change, and at each SIGHUP. What
    /// is wrong with them is logged, and what was served goes on.
    async fn keep_up(&self, host: &Host) -> Infallible {
        let mut watch = Watch::new();
        let mut said = Said::default();
        let mut asked = hangups();
        loop {
            if !self.no_watch {
                self.follow(&mut watch, host);
            }
            tokio::select! {
                () = watch.changed(), if !self.no_watch => {}
                () = asked.heard() => tracing::info!("reloading"),
            }
            match super::configured(&self.paths, self.config.as_ref()) {
                Ok(config) => said.renew(host, Ok(config)).await,
                Err(error) => said.refused(&format!("{error:#}")),
            }
        }
    }

    /// Watches what is served, and what the command was told to serve.
    fn follow(&self, watch: &mut Watch, host: &Host) {
        let config = self
            .config
            .clone()
            .or_else(|| self.paths.is_empty().then(|| PathBuf::from(crate::config::FILE_NAME)));
        let (directories, files): (BTreeSet<_>, BTreeSet<_>) =
            self.paths.iter().cloned().partition(|path| path.is_dir());
        let served = host.catalog();
        let served = served.components().iter().map(|component| component.file().to_owned());
        watch.follow(files.into_iter().chain(config).chain(served).collect(), directories);
    }
}

/// The SIGHUPs that the process gets.
struct Hangups {
    #[cfg(unix)]
    signals: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
fn hangups() -> Hangups {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = signal(SignalKind::hangup());
    let signals = signals.inspect_err(|error| tracing::warn!("SIGHUP is not heard: {error}"));
    Hangups { signals: signals.ok() }
}

#[cfg(not(unix))]
fn hangups() -> Hangups {
    Hangups {}
}

impl Hangups {
    /// Waits for the next one.
    async fn heard(&mut self) {
        #[cfg(unix)]
        if let Some(signals) = &mut self.signals
            && signals.recv().await.is_some()
        {
            return;
        }
        std::future::pending().await
    }
}

fn open_audit(path: &Path) -> anyhow::Result<Audit> {
    Audit::to(path).with_context(|| {
        format!("cannot add to `{}`; name a file in a directory that is there", path.display())
    })
}
