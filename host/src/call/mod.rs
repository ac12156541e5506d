//! The way of a call: find, check, enclose, invoke, verify, present.
//!
//! Each stage takes what the stage before it returns, so none can be left out; whatever goes
//! wrong on the way is one `Failure`, and one reply.

mod caller;
mod content;
mod failure;
mod leak;
mod receipt;
mod verify;

use std::time::Instant;

use serde_json::{Map, Value};

use crate::catalog::Entry;
use crate::component::{Answer, Facts, Outcome};
use crate::config::Rules;
use crate::host::Host;
use crate::present::{self, Reply, clean};
use crate::sandbox::{Ending, NoRoom, Notes, Purpose, Terms};
use crate::schema::Arguments;

pub(crate) use caller::{Allowed, Caller};
pub(crate) use failure::Failure;
use receipt::Open;
pub(crate) use receipt::TARGET as RECEIPTS;
pub use receipt::{Audit, Receipt};
pub(crate) use verify::Output;

/// A call as it was asked for.
#[derive(Debug)]
pub struct Asked {
    /// The name of the tool, as clients know it.
    pub tool: String,
    /// Its arguments; none is the same as an empty object.
    pub arguments: Map<String, Value>,
    progress: Option<Notes>,
    caller: Caller,
}

impl Asked {
    /// A call by whoever started this program, who does not want to know how far it has come.
    #[must_use]
    pub fn new(tool: String, arguments: Map<String, Value>) -> Self {
        Self { tool, arguments, progress: None, caller: Caller::owner() }
    }

    /// By someone else.
    #[must_use]
    pub(crate) fn by(self, caller: Caller) -> Self {
        Self { caller, ..self }
    }

    /// With notes of progress to `notes`.
    #[must_use]
    pub(crate) fn with_progress(self, notes: Option<Notes>) -> Self {
        Self { progress: notes, ..self }
    }
}

/// There is no tool of this name (MCP: error -32602).
#[derive(Debug, thiserror::Error)]
#[error("Unknown tool: {name}{}", hint(.nearest.as_deref()))]
pub struct UnknownTool {
    /// The name that was asked for, cleaned and bounded.
    pub name: String,
    /// The nearest name that exists.
    pub nearest: Option<String>,
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map(|name| format!("; did you mean {name}?")).unwrap_or_default()
}

impl Host {
    /// Runs one call to its end, which is a reply whatever the guest does. Dropping the future
    /// drops the guest where it stands.
    ///
    /// # Errors
    /// When there is no such tool.
    pub async fn call(&self, asked: Asked) -> Result<Reply, UnknownTool> {
        let catalog = self.catalog();
        let allowed = &asked.caller.allowed;
        let Some(entry) = catalog.find(&asked.tool).filter(|entry| allowed.has(&entry.name)) else {
            let nearest = catalog.nearest(&asked.tool).filter(|name| allowed.has(name));
            return Err(UnknownTool {
                name: clean::bounded(&asked.tool, 100),
                nearest: nearest.map(str::to_owned),
            });
        };
        let mut receipt = Open::new(entry, self.next_call_id(), self);
        receipt.asked_by(asked.caller.principal.as_deref());
        let attempted = self.attempt(catalog.rules(), entry, asked, &mut receipt).await;
        let reply = attempted
            .and_then(|output| present::output(entry, output))
            .and_then(|reply| leak::check(reply, &entry.component().effective.secrets));
        Ok(match reply {
            Ok(reply) => {
                receipt.close(if reply.is_error { "tool-error" } else { "ok" });
                reply
            }
            Err(failure) => {
                let denied = receipt.denied(&entry.component().id);
                let secrets = &entry.component().effective.secrets;
                if let Some(details) = failure.for_log(|text| leak::redacted(text, secrets)) {
                    tracing::info!(tool = entry.name, call = receipt.call_id(), "{details}");
                }
                let told = |failure: &Failure| {
                    present::failure(&entry.name, failure, receipt.call_id(), &denied)
                };
                // What a guest says of its failure leaves as well.
                let (reply, word) = match leak::check(told(&failure), secrets) {
                    Ok(reply) => (reply, failure.word()),
                    Err(leaked) => (told(&leaked), leaked.word()),
                };
                receipt.close(word);
                reply
            }
        })
    }

    async fn attempt(
        &self,
        rules: &Rules,
        entry: &Entry,
        asked: Asked,
        receipt: &mut Open,
    ) -> Result<Output, Failure> {
        let component = entry.component();
        let per_second = component.limits.calls_per_second_max;
        let share = (asked.caller.client.clone(), entry.name.clone());
        self.rates
            .take(share, per_second, Instant::now())
            .map_err(|_| Failure::TooOften { per_second })?;
        if let Some(lack) = component.lacks().next() {
            receipt.lacks(&component.lacks);
            return Err(Failure::Lacks(lack));
        }
        let arguments = check(entry, asked.arguments, receipt)?;
        let answer = self.invoke(entry, &arguments, asked.progress, asked.caller, receipt).await?;
        verify::outcome(entry, rules, returned(entry, answer, receipt)?)
    }

    async fn invoke(
        &self,
        entry: &Entry,
        arguments: &Arguments,
        progress: Option<Notes>,
        caller: Caller,
        receipt: &mut Open,
    ) -> Result<Answer, Failure> {
        let (component, tool) = (entry.component(), &entry.tool().name);
        let limits = &component.limits;
        let prepared = component.adapter.prepare(tool, arguments).map_err(Failure::Arguments)?;
        let facts = Facts {
            call_id: receipt.call_id().to_owned(),
            wants_progress: progress.is_some(),
            principal: caller.principal.as_deref().map(str::to_owned),
        };
        let terms = Terms {
            component: &component.id,
            limits,
            effective: &component.effective,
            lift_bytes_max: component.adapter.lift_bytes_max(limits),
            purpose: Purpose::Call,
            progress,
            tally: receipt.tally(),
        };
        let enclosure =
            self.sandbox.enclose(component.adapter.pre(), terms).await.map_err(|no_room| {
                match no_room {
                    NoRoom::Waited => Failure::Busy { waited_ms: limits.call_deadline_ms },
                    NoRoom::QueueFull => Failure::QueueFull,
                    NoRoom::Directory(dir) => Failure::Directory { guest: dir.guest },
                }
            })?;
        Ok(prepared.call(enclosure, tool, facts).await)
    }
}

/// The size is looked at first, so that what is too large costs nothing more.
fn check(
    entry: &Entry,
    arguments: Map<String, Value>,
    receipt: &mut Open,
) -> Result<Arguments, Failure> {
    let bytes_max = entry.component().limits.argument_bytes_max;
    let bytes = json_bytes(&arguments);
    receipt.took(bytes);
    if bytes > bytes_max {
        return Err(Failure::ArgumentsTooLarge { bytes_max });
    }
    entry.tool().input.check(arguments).map_err(Failure::Arguments)
}

/// The size of the arguments as JSON text.
fn json_bytes(arguments: &Map<String, Value>) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, arguments) {
        Ok(()) => count.0,
        Err(_) => usize::MAX,
    }
}

/// Bytes of one line that a guest wrote which the log keeps.
const LINE_BYTES_MAX: usize = 1024;

/// The outcome, if the guest came to one. What it wrote on the way goes to the log.
fn returned(entry: &Entry, answer: Answer, receipt: &mut Open) -> Result<Outcome, Failure> {
    let limits = &entry.component().limits;
    let secrets = &entry.component().effective.secrets;
    receipt.ran(&answer);
    let call_id = receipt.call_id();
    for (source, (text, dropped)) in [("printed", &answer.printed), ("logged", &answer.logged)] {
        if *dropped > 0 {
            tracing::info!(
                tool = entry.name,
                call = call_id,
                "{source}: {dropped} bytes before this, dropped"
            );
        }
        let whole = if *dropped > 0 { leak::beyond_cut(text, secrets) } else { text };
        for line in leak::redacted(whole, secrets).lines().filter(|line| !line.trim().is_empty()) {
            tracing::info!(
                tool = entry.name,
                call = call_id,
                "{source}: {}",
                clean::bounded(line, LINE_BYTES_MAX)
            );
        }
    }
    match answer.ending {
        Ending::Returned(Ok(outcome)) => Ok(outcome),
        Ending::Returned(Err(failure)) => Err(Failure::Guest(failure)),
        Ending::Deadline => Err(Failure::Deadline { deadline_ms: limits.call_deadline_ms }),
        Ending::Memory => Err(Failure::Memory { bytes_max: limits.memory_bytes_max }),
        Ending::HostMemory => Err(Failure::HostMemory),
        Ending::TooLarge => Err(Failure::ResultTooLarge { bytes_max: limits.result_bytes_max }),
        Ending::Exited(status) => Err(Failure::Exited { status }),
        Ending::Trapped(trap) => Err(Failure::Trapped(trap)),
    }
}
