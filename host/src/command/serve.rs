//! `portcullis serve`.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;

use crate::call::Audit;
use crate::host::Host;
use crate::mcp;
use crate::present::clean;

/// Serve tools to an agent over stdio
///
/// An MCP client starts this command and speaks the protocol over its stdin and stdout; the log
/// goes to stderr. Every call runs in a fresh sandbox, with nothing of this machine granted but what
/// the config says. SIGHUP reads the config and the components anew.
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
            never = self.reload_when_asked(&host) => match never {},
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Reads the config and the components anew at each SIGHUP. What is wrong with them is logged,
    /// and what was served goes on.
    #[cfg(unix)]
    async fn reload_when_asked(&self, host: &Host) -> Infallible {
        use tokio::signal::unix::{SignalKind, signal};
        let mut asked = match signal(SignalKind::hangup()) {
            Ok(asked) => asked,
            Err(error) => {
                tracing::warn!("SIGHUP is not listened to: {error}");
                return std::future::pending().await;
            }
        };
        loop {
            if asked.recv().await.is_none() {
                return std::future::pending().await;
            }
            match self.reload(host).await {
                Ok(()) => tracing::info!("the config was reloaded"),
                Err(error) => {
                    let line = clean::text(&format!("{error:#}").replace('\n', " "));
                    tracing::error!("the config is not reloaded, the last one stays: {line}");
                }
            }
        }
    }

    #[cfg(not(unix))]
    async fn reload_when_asked(&self, _host: &Host) -> Infallible {
        std::future::pending().await
    }

    async fn reload(&self, host: &Host) -> anyhow::Result<()> {
        let config = super::configured(&self.paths, self.config.as_ref())?;
        host.reload(&config).await?;
        Ok(())
    }
}

fn open_audit(path: &Path) -> anyhow::Result<Audit> {
    Audit::to(path).with_context(|| {
        format!("cannot add to `{}`; name a file in a directory that is there", path.display())
    })
}
