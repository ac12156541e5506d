//! A receipt for every call: what it took, what it reached and how it ended.
//!
//! No argument, result or secret is in it. A call that is dropped on its way has one as well.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::{Caller, Errand};
use crate::component::Calls;
use crate::files::{self, Stamp};
use crate::grants::{Access, Lack};
use crate::host::Host;
use crate::moment;
use crate::present::clean;
use crate::sandbox::{Tallied, Tally};

/// What one call did. Its JSON form is a line of an audit file.
#[derive(Clone, Debug, Serialize)]
pub struct Receipt {
    /// When it ended, in UTC (RFC 3339).
    pub time: String,
    /// The name that error texts and the log have for it, unique for this process.
    pub call: String,
    /// What was asked for: `tool`, `resource`, `prompt` or `completion`.
    pub kind: &'static str,
    /// Its name, as clients know it; of a resource, its URI.
    pub tool: String,
    /// The id of its component.
    pub component: String,
    /// SHA-256 of the component.
    pub digest: String,
    /// Who asked for it; none: nobody had to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    /// `ok`, `asks` (a round that ended with questions), `tool-error`, `invalid-arguments`, `broken-contract`, `result-too-large`, `exited`,
    /// `trapped`, `deadline`, `memory`, `busy`, `lacks-grant`, `secret`, `unsupported`,
    /// `unable-client` or `cancelled`.
    pub outcome: &'static str,
    /// Microseconds from its start to its end, waiting included.
    pub wall_us: u64,
    /// Microseconds for which the guest had a processor, host calls included.
    pub guest_us: u64,
    /// The most memory that it had, in bytes.
    pub peak_memory_bytes: usize,
    /// Bytes of the arguments as JSON.
    pub argument_bytes: usize,
    /// Bytes of what the guest returned.
    pub result_bytes: usize,
    /// Hosts that requests were sent to.
    pub hosts: Vec<String>,
    /// Directories that it could reach, as the guest sees them, with their access.
    pub directories: Vec<String>,
    /// What it wanted and was not granted.
    pub denied: Vec<String>,
    /// The id of the distributed trace that it is part of (W3C Trace Context).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

/// Bytes of a name in a receipt.
const NAME_BYTES_MAX: usize = 256;

/// The receipt of a call that goes on. Dropping it writes it: as cancelled, if it was not closed.
#[derive(Debug)]
pub(super) struct Open {
    started: Instant,
    receipt: Receipt,
    tally: Tally,
    audit: Option<Arc<Audit>>,
    calls: Arc<Calls>,
    _running: Arc<()>,
}

impl Open {
    pub(super) fn new(errand: Errand<'_>, caller: &Caller, call_id: String, host: &Host) -> Self {
        let component = errand.component;
        let calls = component.calls.clone();
        calls.begun.fetch_add(1, Ordering::Release);
        let directories = component.effective.dirs.iter().map(|dir| match dir.access {
            Access::ReadOnly => format!("{} (ro)", dir.guest),
            Access::ReadWrite => format!("{} (rw)", dir.guest),
        });
        Self {
            started: Instant::now(),
            receipt: Receipt {
                time: String::new(),
                call: call_id,
                kind: errand.kind.word(),
                tool: clean::bounded(errand.name, NAME_BYTES_MAX),
                component: component.id.to_string(),
                digest: component.digest.clone(),
                principal: caller.identity.principal.as_deref().map(str::to_owned),
                outcome: "cancelled",
                wall_us: 0,
                guest_us: 0,
                peak_memory_bytes: 0,
                argument_bytes: 0,
                result_bytes: 0,
                hosts: Vec::new(),
                directories: directories.collect(),
                denied: Vec::new(),
                trace: caller.trace.as_ref().map(|trace| trace.id().to_owned()),
            },
            tally: Tally::default(),
            audit: host.audit.clone(),
            calls,
            _running: host.running.clone(),
        }
    }

    pub(super) fn call_id(&self) -> &str {
        &self.receipt.call
    }

    /// The size of the arguments.
    pub(super) fn took(&mut self, bytes: usize) {
        self.receipt.argument_bytes = bytes;
    }

    /// What the guest gave.
    pub(super) fn ran(&mut self, bytes: usize) {
        self.receipt.result_bytes = bytes;
    }

    /// What it needs and was not granted.
    pub(super) fn lacks(&mut self, lacks: &[Lack]) {
        self.receipt.denied = lacks.iter().map(Lack::what).collect();
    }

    /// What the guest does is counted here.
    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What it was denied, each with what to do about it.
    pub(super) fn denied(&self, component: &str) -> Vec<String> {
        self.tally.seen().denied.iter().map(|denied| denied.sentence(component)).collect()
    }

    pub(super) fn close(&mut self, outcome: &'static str) {
        self.receipt.outcome = outcome;
    }
}

/// What receipts are called in the log, for filters.
pub(crate) const TARGET: &str = "portcullis::receipt";

impl Drop for Open {
    fn drop(&mut self) {
        self.calls.ended.fetch_add(1, Ordering::Release);
        let Tallied { reached, denied, guest_time, peak_bytes, changed: _ } = self.tally.seen();
        let receipt = &mut self.receipt;
        receipt.hosts = reached.iter().map(ToString::to_string).collect();
        receipt.denied.extend(denied.iter().map(|denied| denied.what()));
        receipt.guest_us = microseconds(guest_time);
        receipt.peak_memory_bytes = peak_bytes;
        receipt.wall_us = microseconds(self.started.elapsed());
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
        if let Some(audit) = &self.audit {
            audit.write(receipt.clone());
        }
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// A file of receipts, a line of JSON each. It is written to by a thread of its own; dropping this
/// waits for it.
#[derive(Debug)]
pub struct Audit {
    lines: Mutex<Option<SyncSender<Receipt>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl Audit {
    /// Receipts that wait to be written; beyond that, calls wait.
    const WAITING_MAX: usize = 10_000;

    /// Adds to the file at `path`, which is made if it is not there, for its owner alone.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn to(path: &Path) -> std::io::Result<Self> {
        let file = AuditFile::open(path)?;
        let (lines, receipts) = sync_channel(Self::WAITING_MAX);
        let write = move || file.write_all(receipts.into_iter());
        let writer = std::thread::Builder::new().name("audit".to_owned()).spawn(write)?;
        Ok(Self { lines: Mutex::new(Some(lines)), writer: Mutex::new(Some(writer)) })
    }

    fn write(&self, receipt: Receipt) {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if lines.is_none_or(|lines| lines.send(receipt).is_err()) {
            tracing::error!("the audit file is not written to any more");
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

/// The file as it was opened, and where.
struct AuditFile {
    path: PathBuf,
    file: File,
    stamp: Option<Stamp>,
    failed: bool,
}

impl AuditFile {
    fn open(path: &Path) -> std::io::Result<Self> {
        let file = files::append_to(path)?;
        Ok(Self { path: path.to_owned(), file, stamp: Stamp::of(path).ok(), failed: false })
    }

    fn write_all(mut self, receipts: impl Iterator<Item = Receipt>) {
        for mut receipt in receipts {
            receipt.time = moment::text(moment::now());
            let Ok(mut line) = serde_json::to_string(&receipt) else { continue };
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
    }

    /// Writes to the file that is at the path now: it may have been moved away, and a new one is
    /// made then.
    fn write(&mut self, line: &[u8]) -> std::io::Result<()> {
        let is_there = self.stamp.as_ref().zip(Stamp::of(&self.path).ok());
        if !is_there.is_some_and(|(opened, now)| opened.is_same_file(&now)) {
            *self = Self { failed: self.failed, ..Self::open(&self.path)? };
        }
        self.file.write_all(line)
    }
}

impl Drop for Audit {
    fn drop(&mut self) {
        self.finish();
    }
}
