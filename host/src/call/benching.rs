//! The stages of a call one by one, for the benchmarks; only they have it (feature `benching`).
//!
//! Each takes what the stage before it returns, as in [`Host::call`](crate::Host::call).

use std::sync::Arc;

use serde_json::{Map, Value};

use super::errand::returned;
use super::receipt::Open;
use super::{Caller, Errand, Failure, Kind, check, leak, verify};
use crate::catalog::{Catalog, Entry};
use crate::component::Outcome;
use crate::host::Host;
use crate::present::{self, Reply};
use crate::sandbox::Enclosure;
use crate::schema::Arguments;

/// A tool of a host, with arguments.
pub struct Staged<'a> {
    host: &'a Host,
    catalog: Arc<Catalog>,
    tool: String,
    arguments: Map<String, Value>,
}

/// Arguments that were checked.
pub struct Checked(Arguments);
/// A store, and the receipt of its call.
pub struct Enclosed(Enclosure, Open);
/// What the guest gave.
pub struct Invoked(Outcome);
/// What keeps the contract.
pub struct Kept(super::Output);

impl<'a> Staged<'a> {
    /// Calls of the tool that clients know as `tool`.
    #[must_use]
    pub fn new(host: &'a Host, tool: &str, arguments: Map<String, Value>) -> Self {
        Self { host, catalog: host.catalog(), tool: tool.to_owned(), arguments }
    }

    fn entry(&self) -> &Entry {
        let Some(entry) = self.catalog.find(&self.tool) else {
            panic!("there is no tool `{}`", self.tool)
        };
        entry
    }

    fn errand(&self) -> Errand<'_> {
        let entry = self.entry();
        Errand { component: entry.component(), kind: Kind::Tool, name: &entry.name }
    }

    fn receipt(&self) -> Open {
        Open::new(self.errand(), &Caller::default(), self.host.next_call_id(), self.host)
    }

    /// Checks the arguments.
    ///
    /// # Panics
    /// As every stage does, when the call ends here.
    #[must_use]
    pub fn check(&self) -> Checked {
        Checked(went(check(self.entry(), self.arguments.clone(), &mut self.receipt())))
    }

    /// Makes a store, under the limits and with the grants of the component.
    pub async fn enclose(&self) -> Enclosed {
        let (entry, receipt) = (self.entry(), self.receipt());
        let component = entry.component();
        let fuel = component.adapter.fuel(&entry.tool().name, &component.limits);
        let enclosure = self.host.enclose(self.errand(), fuel, &Caller::default(), &receipt).await;
        Enclosed(went(enclosure), receipt)
    }

    /// Calls the tool on an instance of its own.
    pub async fn invoke(&self, Checked(arguments): &Checked, enclosed: Enclosed) -> Invoked {
        let Enclosed(enclosure, mut receipt) = enclosed;
        let adapter = &self.entry().component().adapter;
        let tool = &self.entry().tool().name;
        let prepared = went(adapter.prepare(tool, arguments).map_err(Failure::Arguments));
        let facts = Caller::default().facts(receipt.call_id());
        let answer = prepared.call(enclosure, tool, facts).await;
        let outcome = went(returned(self.errand(), answer, &mut receipt));
        receipt.close("ok");
        Invoked(outcome)
    }

    /// Checks what the guest gave against the tool's contract.
    #[must_use]
    pub fn verify(&self, Invoked(outcome): Invoked) -> Kept {
        Kept(went(verify::outcome(self.entry(), self.catalog.rules(), outcome)))
    }

    /// Writes the reply, in which no secret is.
    #[must_use]
    pub fn present(&self, Kept(output): Kept) -> Reply {
        let reply = present::output(self.entry(), output);
        went(
            reply.and_then(|reply| leak::check(reply, &self.entry().component().effective.secrets)),
        )
    }
}

/// What a stage gave. A benchmark measures calls that go well.
fn went<T>(stage: Result<T, Failure>) -> T {
    match stage {
        Ok(given) => given,
        Err(failure) => panic!("{}", failure.for_model("")),
    }
}
