//! `portcullis serve`.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Context as _;
use tokio::sync::Mutex;

use super::locking::LockArguments;
use super::signals::{Hangups, hangups, told_to_end};
use super::sought::Sought;
use super::terminal::{self, many};
use crate::call::Audit;
use crate::config::Config;
use crate::host::Host;
use crate::http::{Ended, Listener};
use crate::loading::{Busy, Round};
use crate::lock::{Gate, Reader};
use crate::mcp;
use crate::moment;
use crate::reload::{Said, Watch};
use crate::status::Server;

/// Serve tools to agents over stdio or HTTP
///
/// An MCP client starts this command and speaks the protocol over its stdin and stdout, or the
/// command listens at a port; the log goes to stderr. Every call runs in a fresh sandbox, with nothing of this machine granted but what
/// the config says. A component or a config that changes is served in its new version from the next
/// call on.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  portcullis serve weather.wasm            one component
  portcullis serve tools/                  every component (.wasm) in a directory
  portcullis serve --config my.toml        the components, prefixes and limits of a config
  portcullis serve --http 127.0.0.1:8080 weather.wasm    over HTTP, at /mcp
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

    #[command(flatten)]
    lock: LockArguments,

    /// Listen here for clients over Streamable HTTP, rather than serve one over stdio
    #[arg(long, value_name = "ADDRESS:PORT")]
    http: Option<SocketAddr>,

    /// Let anybody call who reaches the address, though it is not one of this machine alone
    #[arg(long)]
    allow_unauthenticated: bool,

    /// Serve what is there now, and look at it again at SIGHUP only
    #[arg(long)]
    no_watch: bool,
}

impl Arguments {
    pub(super) async fn run(self) -> anyhow::Result<ExitCode> {
        let audit = self.audit.as_deref().map(open_audit).transpose()?;
        let sought = Sought::Paths { paths: self.paths, config: self.config };
        let config = sought.config()?;
        let host = Host::empty(&config, super::compiler()?)?.with_audit(audit)?;
        let host = Arc::new(host);
        let serving = Serving::new(host.clone(), sought, self.lock)?;
        let gate = serving.gate(&config)?;
        let hangups = hangups();
        let mut told = pin!(serving.tell());
        let mut http = config.http.clone();
        http.allow_unauthenticated |= self.allow_unauthenticated;
        let listener = match self.http.or(http.listen) {
            Some(address) => {
                let listener = Listener::open(host.clone(), &http, address).await?;
                serving.listens_at(listener.url());
                Some(listener)
            }
            None => None,
        };
        let mut served = Box::pin(served(host.clone(), listener.as_ref()));
        let over = if listener.is_some() { "HTTP" } else { "stdio" };
        let mut loading = pin!(load(&host, &config, &gate, over));
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
            never = told.as_mut() => match never {},
            () = told_to_end() => return Ok(ExitCode::SUCCESS),
        }
        serving.loaded().await;
        tokio::select! {
            served = served.as_mut() => served?,
            () = told_to_end() => tracing::info!("told to end"),
            never = told.as_mut() => match never {},
            never = serving.keep_up(hangups, !self.no_watch) => match never {},
        }
        drop(served);
        if let Some(listener) = listener {
            tracing::info!("waiting for the calls that run; a second signal ends them");
            if listener.end(told_to_end()).await == Ended::Late {
                tracing::warn!("calls that still ran are ended");
            }
        }
        // The calls of a client that is not served any more are dropped, each with its receipt.
        host.finish().await;
        Ok(ExitCode::SUCCESS)
    }
}

/// What is served, where it comes from, and what may be.
pub(super) struct Serving {
    host: Arc<Host>,
    pub(super) sought: Sought,
    lock: LockArguments,
    /// Whether there was a lock, or none is wanted. One that is gone takes nothing back.
    is_locked: AtomicBool,
    reader: Reader,
    said: Mutex<Said>,
    server: Server,
}

impl Serving {
    /// What `host` serves.
    ///
    /// # Errors
    /// When there is no working directory.
    pub(super) fn new(
        host: Arc<Host>,
        sought: Sought,
        lock: LockArguments,
    ) -> anyhow::Result<Self> {
        let directory = std::env::current_dir().context("the current directory is gone")?;
        let server = Server {
            since: moment::text(moment::now()),
            directory: directory.display().to_string(),
            arguments: sought.words(),
            url: OnceLock::new(),
        };
        let said = Mutex::new(Said::nothing(sought.approving(lock.words())));
        let (is_locked, reader) = (AtomicBool::new(false), Reader::default());
        Ok(Self { host, sought, lock, is_locked, reader, said, server })
    }

    /// Where it listens, which its owner is told.
    fn listens_at(&self, url: String) {
        // It listens once.
        let _ = self.server.url.set(url);
    }

    /// What may be served of `config` now.
    ///
    /// # Errors
    /// When the lock is no good, or is gone.
    pub(super) fn gate(&self, config: &Config) -> anyhow::Result<Gate> {
        let file = self.sought.config_file();
        match self.lock.gate(file.as_deref(), config, &self.reader)? {
            Some(gate) => {
                self.is_locked.store(true, Ordering::Relaxed);
                Ok(gate)
            }
            None if self.is_locked.load(Ordering::Relaxed) => anyhow::bail!(
                "the lock `{}` is gone; restore it, or start the server anew",
                self.lock.path(file.as_deref()).display()
            ),
            None => Ok(Gate::open()),
        }
    }

    /// Says what is wrong with what was loaded for the first time, and what is missing.
    async fn loaded(&self) {
        self.said.lock().await.first(&self.host.standings());
        if !self.is_locked.load(Ordering::Relaxed) {
            let words: String = self
                .sought
                .words()
                .iter()
                .map(|word| format!(" {}", terminal::quoted(word)))
                .collect();
            tracing::info!(
                "there is no {}: a component may change without being approved; `portcullis \
                 approve{words}` makes one",
                crate::lock::FILE_NAME
            );
        }
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
            self.renew_but(&watch.busy()).await;
        }
    }

    /// Serves what is there now, when everyone who asked for it before is done.
    pub(super) async fn renew(&self) {
        self.renew_but(&Busy::new()).await;
    }

    /// The same, without files that somebody is writing to.
    async fn renew_but(&self, busy: &Busy) {
        let mut said = self.said.lock().await;
        let config = match self.sought.config_again() {
            Ok(config) => config,
            Err(error) => return said.refused(&self.host, "config", &format!("{error:#}")),
        };
        match self.gate(&config) {
            Ok(gate) => said.renew(&self.host, Round { config: &config, gate: &gate, busy }).await,
            Err(error) => said.refused(&self.host, "lock", &format!("{error:#}")),
        }
    }

    /// Watches what is served, what the command was told to serve, and the lock.
    fn follow(&self, watch: &mut Watch) {
        let (directories, files): (BTreeSet<_>, BTreeSet<_>) =
            self.sought.places().into_iter().partition(|path| path.is_dir());
        let lock = self.lock.path(self.sought.config_file().as_deref());
        let standings = self.host.standings();
        let served = standings.iter().map(|standing| standing.path.clone());
        watch.follow(files.into_iter().chain([lock]).chain(served).collect(), directories);
    }

    /// Tells its owner what is served, where that can be done.
    #[cfg(unix)]
    pub(super) async fn tell(&self) -> Infallible {
        use crate::status::{Report, Socket};
        match Socket::open() {
            Ok(socket) => socket.answer(|| Report::of(&self.host, &self.server)).await,
            Err(error) => {
                tracing::warn!("`portcullis status` does not see this server: {error:#}");
                std::future::pending().await
            }
        }
    }

    #[cfg(not(unix))]
    pub(super) async fn tell(&self) -> Infallible {
        std::future::pending().await
    }
}

/// Serves clients over HTTP, or the one over stdio until it ends.
async fn served(host: Arc<Host>, listener: Option<&Listener>) -> anyhow::Result<()> {
    match listener {
        None => mcp::serve_stdio(host).await,
        Some(listener) => {
            tracing::info!("listening at {}", listener.url());
            match listener.serve().await {}
        }
    }
}

/// For how long loading goes on when there is no client any more.
const LATE_MAX: Duration = Duration::from_secs(1);

/// Loads what is to be served, and says how much it is.
async fn load(host: &Host, config: &Config, gate: &Gate, over: &str) -> anyhow::Result<()> {
    let progress = terminal::Progress::start("Loading");
    let filled = host.fill(config, gate, |id| progress.at(id)).await;
    drop(progress);
    filled?;
    let catalog = host.catalog();
    let tools = many(catalog.entries().len(), "tool");
    let components = many(catalog.components().len(), "component");
    tracing::info!("serving {tools} of {components} over {over}");
    Ok(())
}

fn open_audit(path: &Path) -> anyhow::Result<Audit> {
    Audit::to(path).with_context(|| {
        format!("cannot add to `{}`; name a file in a directory that is there", path.display())
    })
}
