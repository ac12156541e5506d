//! What a guest can import: WASI 0.2, of which nothing is granted by this, and progress, log and
//! changed.
//!
//! Each of ours is safe to call without need: what nobody wants is dropped.

use wasmtime::Engine;
use wasmtime::component::{HasSelf, Linker};
use wasmtime_wasi::WasiView as _;
use wasmtime_wasi::p2::bindings::random::random;

use super::bindings::portcullis::guest::{changed, log, progress, types};
use super::bindings::{Everything, LinkOptions};
use super::directories::CountedFiles;
use super::store::Guest;
use super::tally::Denied;
use crate::grants::Lack;

/// All that the host offers.
///
/// # Errors
/// When the engine does not have what they need.
pub(super) fn linker(engine: &Engine) -> wasmtime::Result<Linker<Guest>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    wasmtime_wasi_http::p2::add_only_http_to_linker_async(&mut linker)?;
    linker.allow_shadowing(true);
    random::add_to_linker::<_, HasSelf<Guest>>(&mut linker, |guest| guest)?;
    CountedFiles::add_to_linker(&mut linker)?;
    linker.allow_shadowing(false);
    Everything::add_to_linker::<_, HasSelf<Guest>>(
        &mut linker,
        LinkOptions::default().guest(true),
        |guest| guest,
    )?;
    Ok(linker)
}

/// Random numbers that nobody can foresee, where they are granted. A guest that is not granted them
/// must not take others for them, so it stops.
impl random::Host for Guest {
    fn get_random_bytes(&mut self, length: u64) -> wasmtime::Result<Vec<u8>> {
        self.check_random()?;
        random::Host::get_random_bytes(self.ctx().ctx.random(), length)
    }

    fn get_random_u64(&mut self) -> wasmtime::Result<u64> {
        self.check_random()?;
        random::Host::get_random_u64(self.ctx().ctx.random())
    }
}

impl Guest {
    fn check_random(&self) -> wasmtime::Result<()> {
        if self.random {
            return Ok(());
        }
        self.tally.deny(Denied::Lack(Lack::Random));
        Err(wasmtime::Error::msg("random numbers are not granted"))
    }
}

impl types::Host for Guest {}

impl progress::Host for Guest {
    fn report(&mut self, done: f64, total: Option<f64>, message: Option<String>) {
        self.progress.report(done, total, message.as_deref());
    }
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
