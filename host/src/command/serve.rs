//! `portcullis serve`.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::sync::Mutex;

use super::signals::{Hangups, hangups, told_to_end};
use super::sought::Sought;
use super::terminal::{self, many};
use crate::call::Audit;
use crate::config::Config;
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
        let sought = Sought::Paths { paths: self.paths, config: self.config };
        let config = sought.config()?;
        let host = Host::empty(&config, super::compiler()?)?.with_audit(audit);
        let host = Arc::new(host);
        let hangups = hangups();
        let mut served = Box::pin(mcp::serve_stdio(host.clone()));
        let mut loading = pin!(load(&host, &config));
        // A client is answered while components are compiled.
        tokio::select! {
            served = served.as_mut() => {
                served?;
                // Whoever asked and left at once still gets to know what is wrong.
                let late = tokio::time::timeout(LATE_MAX, loading).await;
                late.unwrap_or(Ok(()))?;
                return Ok(ExitCode::SUCCESS);
            }
            loaded = loading.as_mut() => loaded?,
            () = told_to_end() => return Ok(ExitCode::SUCCESS),
        }
        let serving = Serving::new(host.clone(), sought);
        tokio::select! {
            served = served.as_mut() => served?,
            () = told_to_end() => tracing::info!("told to end"),
            never = serving.keep_up(hangups, !self.no_watch) => match never {},
        }
        // The calls of a client that is not served any more are dropped, each with its receipt.
        drop(served);
        host.finish().await;
        Ok(ExitCode::SUCCESS)
    }
}

/// What is served, and where it comes from.
pub(super) struct Serving {
    host: Arc<Host>,
    pub(super) sought: Sought,
    said: Mutex<Said>,
}

impl Serving {
    /// What `host` serves.
    pub(super) fn new(host: Arc<Host>, sought: Sought) -> Self {
        Self { host, sought, said: Mutex::default() }
    }

    /// Looks at the config and the components again whenever they change, and at each SIGHUP. What
    /// is wrong with them is logged, and what was served goes on.
    pub(super) async fn keep_up(&self, mut hangups: Hangups, watches: bool) -> Infallible {
        let mut watch = Watch::new();
        loop {
            if watches {
                self.follow(&mut watch);
            }
            tokio::select! {
                () = watch.changed(), if watches => {}
                () = hangups.heard() => tracing::info!("reloading"),
            }
            self.renew().await;
        }
    }

    /// Serves what is there now, when everyone who asked for it before is done.
    pub(super) async fn renew(&self) {
        let mut said = self.said.lock().await;
        match self.sought.config() {
            Ok(config) => said.renew(&self.host, &config).await,
            Err(error) => said.refused(&format!("{error:#}")),
        }
    }

    /// Watches what is served, and what the command was told to serve.
    fn follow(&self, watch: &mut Watch) {
        let (directories, files): (BTreeSet<_>, BTreeSet<_>) =
            self.sought.places().into_iter().partition(|path| path.is_dir());
        let served = self.host.catalog();
        let served = served.components().iter().map(|component| component.file().to_owned());
        watch.follow(files.into_iter().chain(served).collect(), directories);
    }
}

/// For how long loading goes on when there is no client any more.
const LATE_MAX: Duration = Duration::from_secs(1);

/// Loads what is to be served, and says how much it is.
async fn load(host: &Host, config: &Config) -> anyhow::Result<()> {
    let progress = terminal::Progress::start("Loading");
    host.fill(config, |id| progress.at(id)).await?;
    drop(progress);
    let catalog = host.catalog();
    let tools = many(catalog.entries().len(), "tool");
    let components = many(catalog.components().len(), "component");
    tracing::info!("serving {tools} of {components} over stdio");
    Ok(())
}

fn open_audit(path: &Path) -> anyhow::Result<Audit> {
    Audit::to(path).with_context(|| {
        format!("cannot add to `{}`; name a file in a directory that is there", path.display())
    })
}
