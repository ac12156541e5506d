//! `portcullis serve`.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;

use super::locking::LockArguments;
use super::terminal;
use crate::call::Audit;
use crate::config::Config;
use crate::host::Host;
use crate::loading::Standing;
use crate::lock::Gate;
use crate::mcp;
use crate::moment;
use crate::reload::{Said, Watch};
use crate::status::Server;

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

    #[command(flatten)]
    lock: LockArguments,

    /// Serve what is there now, and look at it again at SIGHUP only
    #[arg(long)]
    no_watch: bool,
}

impl Arguments {
    pub(super) async fn run(self) -> anyhow::Result<ExitCode> {
        let audit = self.audit.as_deref().map(open_audit).transpose()?;
        let config = super::configured(&self.paths, self.config.as_ref())?;
        let gate = self.lock.gate(self.config_file().as_deref(), &config)?;
        let is_locked = gate.is_some();
        let gate = gate.unwrap_or_else(Gate::open);
        let host = Host::empty(&config, super::compiler()?)?.with_audit(audit);
        let host = Arc::new(host);
        let mut said = Said::nothing(self.approving());
        let hangups = hangups();
        let mut told = pin!(tell(&host, self.server()?));
        let mut served = Box::pin(mcp::serve_stdio(host.clone()));
        let mut loading = pin!(load(&host, &config, &gate));
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
        said.first(&host.standings());
        if !is_locked {
            tracing::info!("{}", self.no_lock());
        }
        tokio::select! {
            served = served.as_mut() => served?,
            () = told_to_end() => tracing::info!("told to end"),
            never = told.as_mut() => match never {},
            never = self.keep_up(&host, hangups, said, is_locked) => match never {},
        }
        // The calls of a client that is not served any more are dropped, each with its receipt.
        drop(served);
        host.finish().await;
        Ok(ExitCode::SUCCESS)
    }

    /// Looks at the config and the components again whenever they change, and at each SIGHUP. What
    /// is wrong with them is logged, and what was served goes on.
    async fn keep_up(
        &self,
        host: &Host,
        mut hangups: Hangups,
        mut said: Said,
        mut is_locked: bool,
    ) -> Infallible {
        let mut watch = Watch::new();
        loop {
            if !self.no_watch {
                self.follow(&mut watch, host);
            }
            tokio::select! {
                () = watch.changed(), if !self.no_watch => {}
                () = hangups.heard() => tracing::info!("reloading"),
            }
            match self.wanted(is_locked) {
                Ok((config, gate)) => {
                    is_locked |= gate.is_some();
                    let gate = gate.unwrap_or_else(Gate::open);
                    said.renew(host, &config, &gate).await;
                }
                Err(error) => said.refused(host, &format!("{error:#}")),
            }
        }
    }

    /// The config and the lock as they are now. A lock that is gone takes nothing back.
    fn wanted(&self, is_locked: bool) -> anyhow::Result<(Config, Option<Gate>)> {
        let config = super::configured(&self.paths, self.config.as_ref())?;
        let gate = self.lock.gate(self.config_file().as_deref(), &config)?;
        if is_locked && gate.is_none() {
            let path = self.lock.path(self.config_file().as_deref());
            anyhow::bail!(
                "the lock `{}` is gone; restore it, or start the server anew",
                path.display()
            );
        }
        Ok((config, gate))
    }

    /// What `portcullis status` says of this server.
    fn server(&self) -> anyhow::Result<Server> {
        let words = self.words();
        let directory = std::env::current_dir().context("the current directory is gone")?;
        Ok(Server {
            since: moment::text(moment::now()),
            directory: directory.display().to_string(),
            arguments: words.map(|word| word.display().to_string()).collect(),
        })
    }

    /// The config file that is read, whether it is there or not.
    fn config_file(&self) -> Option<PathBuf> {
        let usual = || self.paths.is_empty().then(|| PathBuf::from(crate::config::FILE_NAME));
        self.config.clone().or_else(usual)
    }

    /// The arguments that say what is served.
    fn words(&self) -> impl Iterator<Item = &Path> {
        let config = self.config.iter().flat_map(|file| [Path::new("--config"), file]);
        config.chain(self.paths.iter().map(PathBuf::as_path))
    }

    /// The command that approves a component of this server.
    fn approving(&self) -> impl Fn(&Standing) -> String + use<> {
        let paths = if self.config.is_none() { self.paths.clone() } else { Vec::new() };
        let words: String = self.words().map(word).collect();
        let lock = self.lock.words();
        move |standing| match paths.contains(&standing.path) {
            true => format!("portcullis approve{}{lock}", word(&standing.path)),
            false => format!("portcullis approve{words} {}{lock}", standing.id),
        }
    }

    /// What it means that there is no lock, and how to make one.
    fn no_lock(&self) -> String {
        let words: String = self.words().map(word).collect();
        format!(
            "there is no {}: a component may change without being approved; `portcullis \
             approve{}` makes one",
            crate::lock::FILE_NAME,
            words
        )
    }

    /// Watches what is served, and what the command was told to serve.
    fn follow(&self, watch: &mut Watch, host: &Host) {
        let config = self.config_file();
        let lock = self.lock.path(config.as_deref());
        let (directories, files): (BTreeSet<_>, BTreeSet<_>) =
            self.paths.iter().cloned().partition(|path| path.is_dir());
        let standings = host.standings();
        let served = standings.iter().map(|standing| standing.path.clone());
        watch.follow(
            files.into_iter().chain(config).chain([lock]).chain(served).collect(),
            directories,
        );
    }
}

/// Waits for SIGTERM or SIGINT.
#[cfg(unix)]
async fn told_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = [SignalKind::terminate(), SignalKind::interrupt()].map(signal);
    let [Ok(mut terminated), Ok(mut interrupted)] = signals else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminated.recv() => {}
        _ = interrupted.recv() => {}
    }
}

/// Waits for the user to end it.
#[cfg(not(unix))]
async fn told_to_end() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
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

/// Tells its owner what `host` serves, where that can be done.
#[cfg(unix)]
async fn tell(host: &Host, server: Server) -> Infallible {
    use crate::status::{Report, Socket};
    match Socket::open() {
        Ok(socket) => socket.answer(|| Report::of(host, &server)).await,
        Err(error) => {
            tracing::warn!("`portcullis status` does not see this server: {error:#}");
            std::future::pending().await
        }
    }
}

#[cfg(not(unix))]
async fn tell(_: &Host, _: Server) -> Infallible {
    std::future::pending().await
}

/// For how long loading goes on when there is no client any more.
const LATE_MAX: Duration = Duration::from_secs(1);

/// A word of a command line, after a space.
fn word(path: &Path) -> String {
    format!(" {}", terminal::quoted(&path.to_string_lossy()))
}

/// Loads what is to be served, and says how much it is.
async fn load(host: &Host, config: &Config, gate: &Gate) -> anyhow::Result<()> {
    let progress = terminal::Progress::start("Loading");
    let filled = host.fill(config, gate, |id| progress.at(id)).await;
    drop(progress);
    filled?;
    let many =
        |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
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
