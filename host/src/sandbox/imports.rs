//! What a guest can import: WASI 0.2, of which nothing is granted by this, and progress, log and
//! changed.
//!
//! Each of ours is safe to call without need: what nobody wants is dropped.

use wasmtime::Engine;
use wasmtime::component::{HasSelf, Linker};
use wasmtime_wasi::WasiView as _;
use wasmtime_wasi::p2::bindings::random::random;

use super::bindings::Everything;
use super::bindings::portcullis::guest::{changed, log, progress, types};
use super::directories::CountedFiles;
use super::lines::Level;
use super::store::Guest;
use super::tally::{Change, Denied};
use crate::grants::Lack;
use crate::present::URI_BYTES_MAX;

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
    Everything::add_to_linker::<_, HasSelf<Guest>>(&mut linker, |guest| guest)?;
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
        let level = Level::from(level);
        self.listened.write(level, logger.as_deref(), &message);
        let logger = logger.map(|name| format!("{name}: ")).unwrap_or_default();
        self.logged.push(format!("{}: {logger}{message}\n", level.word()).as_bytes());
    }
}

/// What is announced waits until the call has ended; one that is cancelled announces nothing.
impl changed::Host for Guest {
    fn tool_list(&mut self) {
        self.tally.changed(Change::Tools);
    }

    fn resource_list(&mut self) {
        self.tally.changed(Change::Resources);
    }

    fn prompt_list(&mut self) {
        self.tally.changed(Change::Prompts);
    }

    fn resource_contents(&mut self, uri: String) {
        if uri.len() <= URI_BYTES_MAX {
            self.tally.changed(Change::Contents(uri));
        }
    }
}

impl From<types::LogLevel> for Level {
    fn from(level: types::LogLevel) -> Self {
        match level {
            types::LogLevel::Debug => Self::Debug,
            types::LogLevel::Info => Self::Info,
            types::LogLevel::Notice => Self::Notice,
            types::LogLevel::Warning => Self::Warning,
            types::LogLevel::Error => Self::Error,
            types::LogLevel::Critical => Self::Critical,
            types::LogLevel::Alert => Self::Alert,
            types::LogLevel::Emergency => Self::Emergency,
        }
    }
}
