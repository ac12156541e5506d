//! `portcullis check`.

mod json;
mod report;
mod text;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::terminal::{self, inked};
use crate::clients::Client;
use crate::host::Host;
use crate::present::clean;
use report::Report;

/// Show what is wrong with tools, and what will hurt in some client
///
/// Loads components as `serve` does and prints, tool by tool: refused tools and why, names that
/// collide, and what clients are known to reject or to do badly, each with a public report of it.
///
/// Exit status 1 when a tool is refused, 2 when a component that was named does not load; the
/// others are checked all the same. What clients do changes no status.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  portcullis check weather.wasm tools/
  portcullis check --client cursor --client vscode weather.wasm
  portcullis check --json | jq '.components[].tools[] | select(.verdict == \"rejected\")'")]
pub(super) struct Arguments {
    /// Components, and directories of components; without any, ./portcullis.toml says which
    paths: Vec<PathBuf>,

    /// A client that matters; may be given more than once. Without any, all do
    #[arg(long = "client", value_name = "NAME", value_parser = client())]
    clients: Vec<Client>,

    /// Print the report as JSON
    #[arg(long)]
    json: bool,

    /// A config file that says which components, their ids, prefixes and limits
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Arguments {
    pub(super) async fn run(self) -> anyhow::Result<ExitCode> {
        let config = super::configured(&self.paths, self.config.as_ref())?;
        let progress = terminal::Progress::start("Loading");
        let loading = Host::load_what_loads(&config, super::compiler()?, |id| progress.at(id));
        let (host, faults) = loading.await?;
        drop(progress);
        let asked = |client: &Client| self.clients.is_empty() || self.clients.contains(client);
        let clients = Client::ALL.into_iter().filter(asked).collect();
        let report = Report::of(&config, &host.catalog(), &faults, clients);
        if self.json {
            terminal::say(&clean::json(serde_json::to_string_pretty(&report.json())?))?;
        } else {
            terminal::say(&report.text(inked))?;
        }
        Ok(ExitCode::from(report.status()))
    }
}

/// Reads the name of a client.
fn client() -> impl TypedValueParser<Value = Client> {
    PossibleValuesParser::new(Client::ALL.map(Client::name))
        .try_map(|name| Client::named(&name).ok_or("there is no such client"))
}
