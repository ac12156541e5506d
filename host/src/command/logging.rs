//! The log: stderr, in lines, with colours on a terminal alone.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use tracing_subscriber::EnvFilter;

use crate::call;

/// What the log shows where no filter is given.
#[derive(Clone, Copy, Debug)]
pub(super) enum Usual {
    /// Warnings.
    Quiet,
    /// And what a guest prints.
    Call,
    /// And a receipt of every call: what a server's operator wants to see.
    Serve,
}

/// Starts the log.
pub(super) fn start(filter: Option<&str>, usual: Usual) -> anyhow::Result<()> {
    let usual = match usual {
        Usual::Quiet => "warn".to_owned(),
        Usual::Call => format!("warn,portcullis=info,{}=warn", call::RECEIPTS),
        Usual::Serve => "warn,portcullis=info".to_owned(),
    };
    let filter = EnvFilter::try_new(filter.unwrap_or(&usual)).context(
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
