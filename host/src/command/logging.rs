//! The log: stderr, in lines, with colours on a terminal alone.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use tracing_subscriber::EnvFilter;

/// Starts the log. Without a filter, warnings are shown, and of portcullis itself what a server's
/// operator wants to see, unless `quiet`.
pub(super) fn start(filter: Option<&str>, quiet: bool) -> anyhow::Result<()> {
    let usual = if quiet { "warn" } else { "warn,portcullis=info" };
    let filter = EnvFilter::try_new(filter.unwrap_or(usual)).context(
        "`--log` takes off, error, warn, info, debug, trace or a filter such as portcullis=debug",
    )?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .init();
    Ok(())
}
