//! The log: stderr, in lines, with colours on a terminal alone.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;

use crate::call;

/// What the log shows where no filter is given.
#[derive(Clone, Copy, Debug)]
pub(super) enum Usual {
    /// Warnings.
    Quiet,
    /// And what a guest prints.
    Call,
    /// The same, where what is served is told in another way.
    Prompt,
    /// And a receipt of every call: what a server's operator wants to see.
    Serve,
}

/// What keeps the log going; dropping it writes what is left, as far as somebody reads it.
pub(super) struct Log {
    _lines: Option<WorkerGuard>,
}

/// Starts the log. That of a server is written beside the calls: lines that nobody takes are dropped,
/// and no call waits for them.
pub(super) fn start(filter: Option<&str>, usual: Usual) -> anyhow::Result<Log> {
    let of_a_call = format!("warn,portcullis=info,{}=warn", call::RECEIPTS);
    let (shown, serves) = match usual {
        Usual::Quiet => ("warn".to_owned(), false),
        Usual::Call => (of_a_call, false),
        Usual::Prompt => (of_a_call + ",portcullis::reload=warn", false),
        Usual::Serve => ("warn,portcullis=info".to_owned(), true),
    };
    let filter = EnvFilter::try_new(filter.unwrap_or(&shown)).context(
        "`--log` takes off, error, warn, info, debug, trace or a filter such as portcullis=debug",
    )?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        // It would panic where stderr cannot be written to.
        .log_internal_errors(false);
    if !serves {
        log.with_writer(std::io::stderr).init();
        return Ok(Log { _lines: None });
    }
    let (lines, guard) = NonBlockingBuilder::default()
        .lossy(true)
        .buffered_lines_limit(LINES_MAX)
        .finish(std::io::stderr());
    log.with_writer(lines).init();
    Ok(Log { _lines: Some(guard) })
}

/// Lines that wait to be written.
const LINES_MAX: usize = 10_000;
