//! What a guest can ask of the host besides WASI: progress, log, changed.
//!
//! Each of these is safe to call without need: what nobody wants is dropped.

use wasmtime::component::{HasSelf, Linker};

use super::bindings::portcullis::guest::{changed, log, progress, types};
use super::bindings::{Everything, LinkOptions};
use super::store::Guest;

/// Adds the imports of `portcullis:guest` to `linker`.
pub(super) fn add_to_linker(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    Everything::add_to_linker::<_, HasSelf<Guest>>(
        linker,
        LinkOptions::default().guest(true),
        |guest| guest,
    )
}

impl types::Host for Guest {}

impl progress::Host for Guest {
    /// Requests say that nobody wants progress, so there is nobody to tell.
    fn report(&mut self, _done: f64, _total: Option<f64>, _message: Option<String>) {}
}

impl log::Host for Guest {
    fn write(&mut self, level: types::LogLevel, logger: Option<String>, message: String) {
        let logger = logger.map(|name| format!("{name}: ")).unwrap_or_default();
        self.logged.push(format!("{}: {logger}{message}\n", level_name(level)).as_bytes());
    }
}

impl changed::Host for Guest {
    fn tool_list(&mut self) {
        self.not_announced("tool list");
    }

    fn resource_list(&mut self) {
        self.not_announced("resource list");
    }

    fn prompt_list(&mut self) {
        self.not_announced("prompt list");
    }

    fn resource_contents(&mut self, _uri: String) {
        self.not_announced("resource");
    }
}

impl Guest {
    fn not_announced(&mut self, what: &str) {
        let line = format!("warning: host: a changed {what} is not announced by this version\n");
        self.logged.push(line.as_bytes());
    }
}

fn level_name(level: types::LogLevel) -> &'static str {
    match level {
        types::LogLevel::Debug => "debug",
        types::LogLevel::Info => "info",
        types::LogLevel::Notice => "notice",
        types::LogLevel::Warning => "warning",
        types::LogLevel::Error => "error",
        types::LogLevel::Critical => "critical",
        types::LogLevel::Alert => "alert",
        types::LogLevel::Emergency => "emergency",
    }
}
