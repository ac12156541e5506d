//! A receipt for every call: what it took, what it reached and how it ended.
//!
//! No argument, result or secret is in it. A call that is dropped on its way has one as well.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::ledger::Ledger;
use super::{Caller, Errand};
use crate::component::Calls;
use crate::grants::{Access, Lack};
use crate::host::Host;
use crate::present::clean;
use crate::sandbox::{Tallied, Tally};

/// What one call did. Its JSON form is a line of an audit file.
#[derive(Clone, Debug, Default, Serialize)]
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
    ledger: Arc<Ledger>,
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
            ledger: host.ledger.clone(),
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

impl Drop for Open {
    fn drop(&mut self) {
        self.calls.ended.fetch_add(1, Ordering::Release);
        let Tallied { reached, denied, guest_time, peak_bytes, changed: _ } = self.tally.seen();
        let mut receipt = std::mem::take(&mut self.receipt);
        receipt.hosts = reached.iter().map(ToString::to_string).collect();
        receipt.denied.extend(denied.iter().map(|denied| denied.what()));
        receipt.guest_us = microseconds(guest_time);
        receipt.peak_memory_bytes = peak_bytes;
        receipt.wall_us = microseconds(self.started.elapsed());
        self.ledger.write(receipt);
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
