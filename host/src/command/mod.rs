//! The command line: from arguments to what they mean, and from outcomes to exit statuses.
//!
//! Exit status 0: done. 1: the tool failed, or one is refused (`check`). 2: the command could not
//! be carried out, with one line on stderr that says what, where and what to do.

mod call;
mod check;
mod demo;
mod list;
mod logging;
mod pack;
mod serve;
mod terminal;

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::config::{self, Config, ConfigError};
use crate::host::Host;
use crate::present::clean;
use crate::sandbox::Cache;
use logging::Usual;

/// Runs tools that are WebAssembly components in a sandbox, checks what they return, and serves
/// them to agents over MCP.
#[derive(Debug, Parser)]
#[command(name = "portcullis", version, max_term_width = 100, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,

    /// How much to log to stderr: off, error, warn, info, debug, or a filter such as
    /// `portcullis=debug`
    #[arg(long, global = true, value_name = "FILTER")]
    log: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  portcullis demo                                  see what it does
  portcullis list weather.wasm                     what tools does a component have?
  portcullis call weather.wasm get_temperature '{\"city\": \"London\"}'
  portcullis check weather.wasm tools/             what is wrong, or will hurt in some client?
  portcullis pack shop.wasm --wit wit              docs of plain functions into a component
  portcullis serve weather.wasm tools/             serve a component and a directory over stdio";

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Arguments),
    Call(call::Arguments),
    List(list::Arguments),
    Check(check::Arguments),
    Pack(pack::Arguments),
    Demo(demo::Arguments),
}

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let usual = match arguments.command {
        Command::Serve(_) => Usual::Serve,
        Command::Call(_) | Command::Pack(_) => Usual::Call,
        Command::List(_) | Command::Check(_) | Command::Demo(_) => Usual::Quiet,
    };
    if let Err(error) = logging::start(arguments.log.as_deref(), usual) {
        return failed(&error);
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        // Timers and the transport are looked at after every slice of a guest, not after many.
        .event_interval(1)
        .global_queue_interval(1)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.into()),
    };
    let done = runtime.block_on(async {
        match arguments.command {
            Command::Serve(serve) => serve.run().await,
            Command::Call(call) => call.run().await,
            Command::List(list) => list.run().await,
            Command::Check(check) => check.run().await,
            Command::Pack(pack) => pack.run(),
            Command::Demo(demo) => demo.run().await,
        }
    });
    // A read of stdin may still be pending in the background, and nothing waits for it.
    runtime.shutdown_background();
    done.unwrap_or_else(|error| failed(&error))
}

/// Says why on one line of stderr.
fn failed(error: &anyhow::Error) -> ExitCode {
    if !terminal::is_broken_pipe(error) {
        // Paths and keys may hold anything; the line shows it, and stays one line.
        let line = format!("portcullis: {error:#}").replace('\n', " ");
        terminal::complain(&clean::text(&line));
    }
    ExitCode::from(2)
}

/// Loads the components in `paths`, or those of the config.
async fn load(paths: &[PathBuf], config: Option<&PathBuf>) -> anyhow::Result<Host> {
    let config = configured(paths, config)?;
    let progress = terminal::Progress::start("Loading");
    let host = Host::load(&config, Cache::for_user(), |id| progress.at(id)).await?;
    Ok(host)
}

/// The config that `paths` and the config file mean, with at least one component.
fn configured(paths: &[PathBuf], config: Option<&PathBuf>) -> anyhow::Result<Config> {
    let config = match config {
        Some(file) => Config::read(file, paths)?,
        None if paths.is_empty() => in_this_directory()?,
        None => Config::from_paths(paths)?,
    };
    if config.components.is_empty() {
        anyhow::bail!(
            "there is no component to load; name one, or add `[components.NAME]` with its `path` to the config"
        );
    }
    Ok(config)
}

/// The config that is read when nothing is named.
fn in_this_directory() -> anyhow::Result<Config> {
    match Config::read(std::path::Path::new(config::FILE_NAME), &[]) {
        Err(ConfigError::NoConfig { error, .. }) if error.kind() == ErrorKind::NotFound => {
            anyhow::bail!(
                "no component is named, and there is no `{}` here; name a component (.wasm) or a \
                 directory of them",
                config::FILE_NAME
            )
        }
        read => Ok(read?),
    }
}
