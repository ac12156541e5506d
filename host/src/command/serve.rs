//! `portcullis serve`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use crate::mcp;

/// Serve tools to an agent over stdio
///
/// An MCP client starts this command and speaks the protocol over its stdin and stdout; the log
/// goes to stderr. Every call runs in a fresh sandbox, with nothing of this machine granted.
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
}

impl Arguments {
    pub(super) async fn run(self) -> anyhow::Result<ExitCode> {
        let host = super::load(&self.paths, self.config.as_ref()).await?;
        let tools = host.catalog().entries().len();
        let components = host.catalog().components().len();
        let many = |count: usize, what: &str| {
            format!("{count} {what}{}", if count == 1 { "" } else { "s" })
        };
        let (tools, components) = (many(tools, "tool"), many(components, "component"));
        tracing::info!("serving {tools} of {components} over stdio");
        mcp::serve_stdio(Arc::new(host)).await?;
        Ok(ExitCode::SUCCESS)
    }
}
