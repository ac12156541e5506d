//! The command line: from arguments to what they mean, and from outcomes to exit statuses.
//!
//! Exit status 0: done. 1: the tool failed, or one is refused (`check`). 2: the command could not
//! be carried out, with one line on stderr that says what, where and what to do.

mod approve;
mod build;
mod call;
mod check;
mod compile_component;
mod demo;
mod dev;
mod list;
mod locking;
mod logging;
mod new;
mod pack;
mod serve;
mod signals;
mod sought;
#[cfg(unix)]
mod status;
mod terminal;
mod test;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

use crate::config::{self, Config, ConfigError};
use crate::host::Host;
use crate::present::clean;
use crate::sandbox::{COMPILE_COMMAND, Cache, Compiler};
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
  portcullis new rust words                        begin a project of tools; then dev, test, build
  portcullis list weather.wasm                     what tools does a component have?
  portcullis call weather.wasm get_temperature '{\"city\": \"London\"}'
  portcullis check weather.wasm tools/             what is wrong, or will hurt in some client?
  portcullis dev weather                           build a project, and serve it as it changes
  portcullis pack shop.wasm --wit wit              docs of plain functions into a component
  portcullis approve                               what has changed in components? approve it
  portcullis serve weather.wasm tools/             serve a component and a directory over stdio
  portcullis status                                what do my servers serve?";

#[derive(Debug, Subcommand)]
enum Command {
    New(new::Arguments),
    Build(build::Arguments),
    Test(test::Arguments),
    Serve(serve::Arguments),
    Dev(dev::Arguments),
    Call(call::Arguments),
    List(list::Arguments),
    Check(check::Arguments),
    Approve(approve::Arguments),
    Pack(pack::Arguments),
    #[cfg(unix)]
    Status(status::Arguments),
    Demo(demo::Arguments),
    #[command(name = COMPILE_COMMAND)]
    CompileComponent(compile_component::Arguments),
}

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let usual = match &arguments.command {
        Command::Serve(_) => Usual::Serve,
        Command::Dev(dev) => dev.usual(),
        Command::Call(_) | Command::Pack(_) => Usual::Call,
        #[cfg(unix)]
        Command::Status(_) => Usual::Quiet,
        Command::New(_)
        | Command::Build(_)
        | Command::Test(_)
        | Command::List(_)
        | Command::Check(_)
        | Command::Approve(_)
        | Command::Demo(_)
        | Command::CompileComponent(_) => Usual::Quiet,
    };
    let _log = match logging::start(arguments.log.as_deref(), usual) {
        Ok(log) => log,
        Err(error) => return failed(&error),
    };
    let done = match arguments.command {
        Command::Serve(serve) => to_its_end(serve.run()),
        Command::Dev(dev) => to_its_end(dev.run()),
        Command::Call(call) => to_its_end(call.run()),
        Command::List(list) => to_its_end(list.run()),
        Command::Check(check) => to_its_end(check.run()),
        Command::New(new) => new.run(),
        Command::Build(build) => to_its_end(build.run()),
        Command::Test(test) => to_its_end(test.run()),
        Command::Approve(approve) => to_its_end(approve.run()),
        #[cfg(unix)]
        Command::Status(status) => to_its_end(status.run()),
        Command::Pack(pack) => pack.run(),
        Command::Demo(demo) => to_its_end(demo.run()),
        // No thread but this one may have begun when it confines itself.
        Command::CompileComponent(compile) => compile.run(),
    };
    done.unwrap_or_else(|error| failed(&error))
}

/// Runs a command that waits for others.
fn to_its_end(command: impl Future<Output = anyhow::Result<ExitCode>>) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        // Timers and the transport are looked at after every slice of a guest, not after many.
        .event_interval(1)
        .global_queue_interval(1)
        .enable_all()
        .build()?;
    let done = runtime.block_on(command);
    // Calls that still run end here, with their receipts. A read of stdin may be pending in the
    // background for ever, and nothing waits for it.
    runtime.shutdown_timeout(Duration::from_millis(200));
    done
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
    let host = Host::load(&config, compiler()?, |id| progress.at(id)).await?;
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
    match Config::read(Path::new(config::FILE_NAME), &[]) {
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

/// Compiles in a child that runs this program, and keeps the code in the user's cache.
fn compiler() -> anyhow::Result<Compiler> {
    /// Linux starts the program that runs, even where its file was replaced meanwhile.
    const RUNNING: &str = "/proc/self/exe";
    let running = Path::new(RUNNING);
    let program = if cfg!(target_os = "linux") && running.exists() {
        running.to_owned()
    } else {
        this_program()?
    };
    Ok(Compiler::in_child(program).with_cache(Cache::for_user()))
}

/// The path of this program.
#[expect(clippy::disallowed_methods, reason = "the door to the program's own path")]
fn this_program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("this program's own path is not known")
}
