//! The way of a call: find, check, enclose, invoke, verify, present.
//!
//! Each stage takes what the stage before it returns, so none can be left out; whatever goes
//! wrong on the way is one `Failure`, and one reply.

#[cfg(feature = "benching")]
#[doc(hidden)]
pub mod benching;
mod beside;
mod caller;
mod content;
mod errand;
mod failure;
mod identity;
mod leak;
mod ledger;
mod questions;
mod receipt;
mod verify;

use serde_json::{Map, Value};
use tracing::Instrument as _;
use tracing::instrument::Instrumented;

use crate::catalog::Entry;
use crate::component::Outcome;
use crate::config::Rules;
use crate::grants::Ability;
use crate::host::Host;
use crate::present::{self, Reply, clean};
use crate::schema::Arguments;

pub(crate) use beside::Completed;
pub use caller::Caller;
pub(crate) use caller::Trace;
use errand::returned;
pub(crate) use errand::{Came, Errand, Kind, Rejected, Why};
pub(crate) use failure::Failure;
pub(crate) use identity::{Allowed, Identity};
pub use ledger::Audit;
pub(crate) use ledger::{Ledger, TARGET as RECEIPTS};
pub(crate) use questions::{Question, Questions, Sampling};
use receipt::Open;
pub use receipt::Receipt;
pub(crate) use verify::Output;

/// A call as it was asked for.
#[derive(Debug)]
pub struct Asked {
    /// The name of the tool, as clients know it.
    pub tool: String,
    /// Its arguments; none is the same as an empty object.
    pub arguments: Map<String, Value>,
    caller: Caller,
}

impl Asked {
    /// A call of which nobody wants to know how far it has come, by a client that can do nothing.
    #[must_use]
    pub fn new(tool: String, arguments: Map<String, Value>) -> Self {
        Self { tool, arguments, caller: Caller::default() }
    }

    /// By `caller`.
    #[must_use]
    pub(crate) fn by(self, caller: Caller) -> Self {
        Self { caller, ..self }
    }
}

/// What a call came to.
#[derive(Debug)]
pub(crate) enum Called {
    Reply(Reply),
    /// It cannot go on without answers.
    Asks(Questions),
    /// The client cannot do what it needs, as the reply says.
    Unable(Reply, Vec<Ability>),
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
    /// drops the guest where it stands. A caller that can do nothing is asked nothing.
    ///
    /// # Errors
    /// When there is no such tool.
    pub async fn call(&self, asked: Asked) -> Result<Reply, UnknownTool> {
        let name = asked.tool.clone();
        Ok(match self.run(asked).await? {
            Called::Reply(reply) | Called::Unable(reply, _) => reply,
            Called::Asks(_) => present::error(format!("Error executing tool {name}: it asks")),
        })
    }

    /// Runs one round of a call.
    ///
    /// # Errors
    /// When there is no such tool.
    pub(crate) async fn run(&self, asked: Asked) -> Result<Called, UnknownTool> {
        let catalog = self.catalog();
        let allowed = &asked.caller.identity.allowed;
        let find = |name| catalog.find(name).filter(|entry| allowed.has(entry));
        let Some(entry) = find(&asked.tool) else {
            let nearest = catalog.nearest(&asked.tool).and_then(find);
            return Err(UnknownTool {
                name: clean::bounded(&asked.tool, 100),
                nearest: nearest.map(|entry| entry.name.clone()),
            });
        };
        let trace = asked.caller.trace.clone();
        let errand = Errand { component: entry.component(), kind: Kind::Tool, name: &entry.name };
        let mut receipt = Open::new(errand, &asked.caller, self.next_call_id(), self);
        let work = async {
            let attempted = self.attempt(catalog.rules(), entry, asked, &mut receipt).await;
            let came = attempted.and_then(|came| match came {
                Came::Given(output) => {
                    let reply = present::output(entry, output)?;
                    let secrets = &entry.component().effective.secrets;
                    leak::check(reply, secrets).map(Came::Given)
                }
                Came::Asks(questions) => Ok(Came::Asks(questions)),
            });
            let word = match &came {
                Ok(Came::Given(reply)) if reply.is_error => "tool-error",
                Ok(Came::Asks(_)) => "asks",
                Ok(Came::Given(_)) | Err(_) => "ok",
            };
            match self.conclude(errand, came, receipt, word).await {
                Ok(Came::Given(reply)) => Called::Reply(reply),
                Ok(Came::Asks(questions)) => Called::Asks(questions),
                Err(Rejected { why: Why::Unable(abilities), text }) => {
                    Called::Unable(present::error(text), abilities)
                }
                Err(rejected) => Called::Reply(present::error(rejected.text)),
            }
        };
        Ok(traced(work, trace.as_ref()).await)
    }

    async fn attempt(
        &self,
        rules: &Rules,
        entry: &Entry,
        asked: Asked,
        receipt: &mut Open,
    ) -> Result<Came<Output>, Failure> {
        let component = entry.component();
        let errand = Errand { component, kind: Kind::Tool, name: &entry.name };
        let Asked { arguments, mut caller, .. } = asked;
        self.admit(errand, &caller, receipt)?;
        let arguments = check(entry, arguments, receipt)?;
        let tool = &entry.tool().name;
        let prepared = component.adapter.prepare(tool, &arguments).map_err(Failure::Arguments)?;
        let fuel = component.adapter.fuel(tool, &component.limits);
        let enclosure = self.enclose(errand, fuel, &caller, receipt).await?;
        let facts = caller.facts(receipt.call_id());
        let answer = prepared.call(enclosure, tool, facts).await;
        match returned(errand, answer, receipt)? {
            Outcome::InputRequired(asks) => {
                questions::check(asks, &caller, component, rules).map(Came::Asks)
            }
            outcome => verify::outcome(entry, rules, outcome).map(Came::Given),
        }
    }
}

/// Runs `work` in a span of its own where it is part of a trace, so that every line of the log that
/// it writes says so.
fn traced<F: Future>(work: F, trace: Option<&Trace>) -> Instrumented<F> {
    let span = match trace {
        Some(trace) => tracing::info_span!("call", trace = trace.id(), parent = trace.span()),
        None => tracing::Span::none(),
    };
    work.instrument(span)
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
