//! The way of a call: find, check, enclose, invoke, verify, present.
//!
//! Each stage takes what the stage before it returns, so none can be left out; whatever goes
//! wrong on the way is one `Failure`, and one reply.

mod content;
mod failure;
mod verify;

use serde_json::{Map, Value};

use crate::catalog::Entry;
use crate::component::{Answer, Facts, Outcome};
use crate::host::Host;
use crate::present::{self, Reply, clean};
use crate::sandbox::{Ending, Purpose};
use crate::schema::Arguments;

pub(crate) use failure::Failure;
pub(crate) use verify::Output;

/// A call as it was asked for.
#[derive(Debug)]
pub struct Asked {
    /// The name of the tool, as clients know it.
    pub tool: String,
    /// Its arguments; none is the same as an empty object.
    pub arguments: Map<String, Value>,
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
        let Some(entry) = catalog.find(&asked.tool) else {
            return Err(UnknownTool {
                name: clean::bounded(&asked.tool, 100),
                nearest: catalog.nearest(&asked.tool).map(str::to_owned),
            });
        };
        let call_id = self.next_call_id();
        let attempted = self.attempt(entry, asked.arguments, &call_id).await;
        Ok(match attempted.and_then(|output| present::output(entry, output)) {
            Ok(reply) => reply,
            Err(failure) => {
                match failure.for_log() {
                    Some(details) => tracing::info!(tool = entry.name, call = call_id, "{details}"),
                    None => tracing::debug!(tool = entry.name, call = call_id, "{failure:?}"),
                }
                present::failure(&entry.name, &failure, &call_id)
            }
        })
    }

    async fn attempt(
        &self,
        entry: &Entry,
        arguments: Map<String, Value>,
        call_id: &str,
    ) -> Result<Output, Failure> {
        let arguments = check(entry, arguments)?;
        let answer = self.invoke(entry, &arguments, call_id).await?;
        verify::outcome(entry, &self.rules, returned(entry, answer, call_id)?)
    }

    async fn invoke(
        &self,
        entry: &Entry,
        arguments: &Arguments,
        call_id: &str,
    ) -> Result<Answer, Failure> {
        let (component, tool) = (entry.component(), &entry.tool().name);
        let limits = &component.limits;
        let prepared = component.adapter.prepare(tool, arguments).map_err(Failure::Arguments)?;
        let lift_bytes_max = component.adapter.lift_bytes_max(limits);
        let enclosure = self
            .sandbox
            .enclose(component.adapter.pre(), limits, lift_bytes_max, Purpose::Call)
            .await
            .map_err(|_| Failure::Busy { waited_ms: limits.call_deadline_ms })?;
        Ok(prepared.call(enclosure, tool, Facts { call_id: call_id.to_owned() }).await)
    }
}

fn check(entry: &Entry, arguments: Map<String, Value>) -> Result<Arguments, Failure> {
    let arguments = entry.tool().input.check(arguments).map_err(Failure::Arguments)?;
    let bytes_max = entry.component().limits.argument_bytes_max;
    if arguments.to_json().len() > bytes_max {
        return Err(Failure::ArgumentsTooLarge { bytes_max });
    }
    Ok(arguments)
}

/// Bytes of one line that a guest wrote which the log keeps.
const LINE_BYTES_MAX: usize = 1024;

/// The outcome, if the guest came to one. What it wrote on the way goes to the log.
fn returned(entry: &Entry, answer: Answer, call_id: &str) -> Result<Outcome, Failure> {
    let limits = &entry.component().limits;
    for (source, (text, dropped)) in [("printed", &answer.printed), ("logged", &answer.logged)] {
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            tracing::info!(
                tool = entry.name,
                call = call_id,
                "{source}: {}",
                clean::bounded(line, LINE_BYTES_MAX)
            );
        }
        if *dropped > 0 {
            tracing::info!(
                tool = entry.name,
                call = call_id,
                "{source}: {dropped} bytes more, dropped"
            );
        }
    }
    match answer.ending {
        Ending::Returned(Ok(outcome)) => Ok(outcome),
        Ending::Returned(Err(failure)) => Err(Failure::Guest(failure)),
        Ending::Deadline => Err(Failure::Deadline { deadline_ms: limits.call_deadline_ms }),
        Ending::Memory => Err(Failure::Memory { bytes_max: limits.memory_bytes_max }),
        Ending::TooLarge => Err(Failure::ResultTooLarge { bytes_max: limits.result_bytes_max }),
        Ending::Exited(status) => Err(Failure::Exited { status }),
        Ending::Trapped(trap) => Err(Failure::Trapped(trap)),
    }
}
