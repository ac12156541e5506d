//! `portcullis list`.

use std::path::PathBuf;
use std::process::ExitCode;

use super::terminal;
use crate::mcp;

/// Show which tools components have
///
/// Prints one name a line, or with --json the definitions that clients get: description, input
/// and output schema. Tools that are left out are named on stderr, with the reason.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  portcullis list weather.wasm
  portcullis list --json tools/ | jq '.[].outputSchema'")]
pub(super) struct Arguments {
    /// Components, and directories of components; without any, ./portcullis.toml says which
    paths: Vec<PathBuf>,

    /// Print the full definitions as a JSON array
    #[arg(long)]
    json: bool,

    /// A config file that says which components, their ids, prefixes and limits
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Arguments {
    pub(super) async fn run(self) -> anyhow::Result<ExitCode> {
        let host = super::load(&self.paths, self.config.as_ref()).await?;
        let catalog = host.catalog();
        if self.json {
            terminal::say(&serde_json::to_string_pretty(&mcp::definitions(&catalog))?)?;
        } else {
            for entry in catalog.entries() {
                terminal::say(&entry.name)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
