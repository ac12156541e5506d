//! `portcullis dev`.

mod builder;
mod prompt;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use super::locking::LockArguments;
use super::logging::Usual;
use super::serve::Serving;
use super::signals::{hangups, told_to_end};
use super::sought::Sought;
use super::terminal;
use crate::build::Project;
use crate::config;
use crate::host::Host;
use crate::mcp;
use builder::Builder;

/// Build a project, serve it, and build it again whenever a source is saved
///
/// An MCP client starts this command as it starts `serve`: it is answered at once, and the next call
/// after a build gets the new version. On a terminal there is no client; lines are calls then. What
/// the compiler says goes to stderr unchanged, and as long as the code does not compile, the last
/// version that did is served.
///
/// Projects in Rust, TypeScript, JavaScript and Python are known. Those in Rust are watched with the local
/// packages that they depend on.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  portcullis dev                           the project in this directory; then, on a terminal:
    get_temperature {\"city\": \"London\"}
  portcullis dev --config my.toml weather  with what a config grants it
  claude mcp add weather -- portcullis dev \"$PWD/weather\"")]
pub(super) struct Arguments {
    /// The project's directory
    #[arg(default_value = ".", value_name = "DIR", hide_default_value = true)]
    directory: PathBuf,

    /// A config file with grants and limits for the component, which it knows by its id or its
    /// path; without it, DIR/portcullis.toml if that is there
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// The cargo profile that it is built with
    #[arg(long, default_value = "release", value_name = "NAME")]
    profile: String,

    #[command(flatten)]
    lock: LockArguments,

    /// Read calls from stdin rather than MCP, as on a terminal
    #[arg(long)]
    prompt: bool,
}

impl Arguments {
    /// What the log shows.
    pub(super) fn usual(&self) -> Usual {
        if self.has_prompt() { Usual::Prompt } else { Usual::Serve }
    }

    fn has_prompt(&self) -> bool {
        self.prompt || terminal::is_at_stdin()
    }

    pub(super) async fn run(self) -> anyhow::Result<ExitCode> {
        let has_prompt = self.has_prompt();
        let project = Project::find(&self.directory, &self.profile).await?;
        let named = self.config.is_some();
        let config = self.config.unwrap_or_else(|| self.directory.join(config::FILE_NAME));
        let component = project.component().to_owned();
        let sought = Sought::Built { component, config, named };
        let host = Arc::new(Host::empty(&sought.config()?, super::compiler()?)?);
        let hangups = hangups();
        let serving = Serving::new(host.clone(), sought, self.lock.or_open())?;
        let mut builder = Builder::new(project, &host, &serving, has_prompt);
        let answered = async {
            if has_prompt { prompt::run(&host).await } else { mcp::serve_stdio(host.clone()).await }
        };
        // What ends first ends the others: calls, each with its receipt, and a compiler.
        tokio::select! {
            answered = answered => answered?,
            () = told_to_end() => tracing::info!("told to end"),
            never = async {
                builder.first().await;
                tokio::select! {
                    never = serving.tell() => never,
                    never = builder.go_on() => never,
                    never = serving.keep_up(hangups, true) => never,
                }
            } => match never {},
        }
        host.finish().await;
        Ok(ExitCode::SUCCESS)
    }
}
