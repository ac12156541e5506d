//! Where receipts go: the log, and a file where the operator wants one.
//!
//! A thread of its own writes them. It is woken once for many, so that a call does not pay for it.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use tracing::{Level, Span};

use super::receipt::Receipt;
use crate::files::{self, Stamp};
use crate::moment;

/// What receipts are called in the log, for filters.
pub(crate) const TARGET: &str = "portcullis::receipt";

/// Receipts that wait to be written; beyond that, calls wait.
const WAITING_MAX: usize = 10_000;
/// For how long nobody looks for further receipts after some were written.
const PAUSE: Duration = Duration::from_millis(10);

/// Writes receipts. Dropping it waits until all are written.
#[derive(Debug)]
pub(crate) struct Ledger {
    lines: Mutex<Option<SyncSender<Box<Line>>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    has_file: bool,
}

/// A receipt of which nobody knows yet.
struct Line {
    receipt: Receipt,
    ended: SystemTime,
    /// Where in the log it belongs.
    span: Span,
}

/// A file of receipts, a line of JSON each.
#[derive(Debug)]
pub struct Audit {
    path: PathBuf,
    file: File,
    stamp: Option<Stamp>,
    failed: bool,
}

impl Ledger {
    /// Writes to the log, and to `audit`.
    ///
    /// # Errors
    /// When there is no thread for it.
    pub(crate) fn start(mut audit: Option<Audit>) -> std::io::Result<Self> {
        let has_file = audit.is_some();
        let (lines, waiting) = sync_channel(WAITING_MAX);
        let write = move || write_all(&waiting, audit.as_mut());
        let writer = std::thread::Builder::new().name("receipts".to_owned()).spawn(write)?;
        let (lines, writer) = (Mutex::new(Some(lines)), Mutex::new(Some(writer)));
        Ok(Self { lines, writer, has_file })
    }

    /// Has `receipt` written.
    pub(super) fn write(&self, receipt: Receipt) {
        if !self.has_file && !tracing::enabled!(target: TARGET, Level::INFO) {
            return;
        }
        let line = Line { receipt, ended: moment::now(), span: Span::current() };
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.as_ref().is_none_or(|lines| lines.send(Box::new(line)).is_err()) {
            tracing::error!("receipts are not written any more");
        }
    }

    /// Waits until all receipts are written; there are none after this.
    pub(crate) fn finish(&self) {
        drop(self.lines.lock().unwrap_or_else(PoisonError::into_inner).take());
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            let _ = writer.join();
        }
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Writes what comes until nothing can come any more. Whoever sends wakes whoever waits, so nobody waits
/// while many are sent.
fn write_all(waiting: &Receiver<Box<Line>>, mut audit: Option<&mut Audit>) {
    while let Ok(first) = waiting.recv() {
        first.write(audit.as_deref_mut());
        loop {
            std::thread::sleep(PAUSE);
            let mut further = waiting.try_iter().peekable();
            if further.peek().is_none() {
                break;
            }
            further.for_each(|line| line.write(audit.as_deref_mut()));
        }
    }
}

impl Line {
    fn write(self, audit: Option<&mut Audit>) {
        let Self { mut receipt, ended, span } = self;
        span.in_scope(|| log(&receipt));
        if let Some(audit) = audit {
            receipt.time = moment::text(ended);
            audit.add(&receipt);
        }
    }
}

fn log(receipt: &Receipt) {
    tracing::info!(
        target: TARGET,
        kind = receipt.kind,
        tool = receipt.tool,
        call = receipt.call,
        component = receipt.component,
        digest = &receipt.digest[..receipt.digest.len().min(12)],
        principal = receipt.principal,
        outcome = receipt.outcome,
        wall_us = receipt.wall_us,
        guest_us = receipt.guest_us,
        peak_memory_bytes = receipt.peak_memory_bytes,
        argument_bytes = receipt.argument_bytes,
        result_bytes = receipt.result_bytes,
        hosts = receipt.hosts.join(" "),
        directories = receipt.directories.join(" "),
        denied = receipt.denied.join(", "),
        trace = receipt.trace,
        "receipt"
    );
}

impl Audit {
    /// Adds to the file at `path`, which is made if it is not there, for its owner alone.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn to(path: &Path) -> std::io::Result<Self> {
        let file = files::append_to(path)?;
        Ok(Self { path: path.to_owned(), file, stamp: Stamp::of(path).ok(), failed: false })
    }

    fn add(&mut self, receipt: &Receipt) {
        let Ok(mut line) = serde_json::to_string(receipt) else { return };
        line.push('\n');
        match self.write(line.as_bytes()) {
            Ok(()) => self.failed = false,
            // Once for each time that it begins to fail.
            Err(error) if !std::mem::replace(&mut self.failed, true) => {
                tracing::error!("receipts are lost: cannot write to the audit file: {error}");
            }
            Err(_) => {}
        }
    }

    /// Writes to the file that is at the path now: it may have been moved away, and a new one is
    /// made then.
    fn write(&mut self, line: &[u8]) -> std::io::Result<()> {
        let is_there = self.stamp.as_ref().zip(Stamp::of(&self.path).ok());
        if !is_there.is_some_and(|(opened, now)| opened.is_same_file(&now)) {
            *self = Self { failed: self.failed, ..Self::to(&self.path)? };
        }
        self.file.write_all(line)
    }
}
