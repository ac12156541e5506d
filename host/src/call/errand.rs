//! What all that is asked of a component goes through, whatever it is: a tool, a resource, a
//! prompt, a completion.

use std::time::Instant;

use super::receipt::Open;
use super::{Caller, Failure, LINE_BYTES_MAX, leak};
use crate::component::{Component, GuestFailure, Weighed};
use crate::grants::Ability;
use crate::host::Host;
use crate::present::{self, clean};
use crate::sandbox::{Enclosure, Ending, NoRoom, Purpose, Ran, Terms};

/// What is asked of which component.
#[derive(Clone, Copy)]
pub(crate) struct Errand<'a> {
    pub(crate) component: &'a Component,
    pub(crate) kind: Kind,
    /// The name that clients know it by: a tool's, a prompt's, a URI.
    pub(crate) name: &'a str,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tool,
    Resource,
    Prompt,
    Completion,
}

impl Kind {
    /// What an error says was being done. Rule E1, for tools.
    pub(crate) fn doing(self) -> &'static str {
        match self {
            Self::Tool => "executing tool",
            Self::Resource => "reading resource",
            Self::Prompt => "getting prompt",
            Self::Completion => "completing",
        }
    }

    /// One word for receipts.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Resource => "resource",
            Self::Prompt => "prompt",
            Self::Completion => "completion",
        }
    }
}

/// What something that was asked for came to.
#[derive(Debug)]
pub(crate) enum Came<T> {
    /// It is there.
    Given(T),
    /// It cannot go on without answers.
    Asks(super::Questions),
}

/// Why something that was asked for is not there.
#[derive(Debug)]
pub(crate) struct Rejected {
    pub(crate) why: Why,
    /// For whoever asked, cleaned and bounded.
    pub(crate) text: String,
}

/// Who can act.
#[derive(Debug, PartialEq)]
pub(crate) enum Why {
    /// There is no such thing.
    NotFound,
    /// What was said with it is wrong.
    Arguments,
    /// The client cannot do this.
    Unable(Vec<Ability>),
    /// Anybody else.
    Internal,
}

impl Errand<'_> {
    /// What is counted together: a tool, a prompt, all completions of one; all resources of a component.
    fn share(self) -> String {
        match self.kind {
            Kind::Tool => self.name.to_owned(),
            Kind::Resource => format!("{}:resources", self.component.id),
            Kind::Prompt | Kind::Completion => format!("{}:{}", self.kind.word(), self.name),
        }
    }
}

impl Rejected {
    pub(crate) fn arguments(text: String) -> Self {
        Self { why: Why::Arguments, text }
    }

    pub(crate) fn not_found(text: String) -> Self {
        Self { why: Why::NotFound, text }
    }
}

impl Host {
    /// What no errand goes without: `caller` does not ask too often, the component has what it needs,
    /// and the client can do what it needs.
    pub(super) fn admit(
        &self,
        errand: Errand<'_>,
        caller: &Caller,
        receipt: &mut Open,
    ) -> Result<(), Failure> {
        let component = errand.component;
        let per_second = component.limits.calls_per_second_max;
        let share = (caller.identity.client.clone(), errand.share());
        let taken = self.rates.take(share, per_second, Instant::now());
        taken.map_err(|_| Failure::TooOften { per_second })?;
        if let Some(lack) = component.lacks().next() {
            receipt.lacks(&component.lacks);
            return Err(Failure::Lacks(lack));
        }
        let abilities = caller.lacks(component.needs.iter().copied());
        match abilities.is_empty() {
            true => Ok(()),
            false => Err(Failure::Unable { abilities }),
        }
    }

    /// A store for it, of which the guest may give `fuel` in one go.
    pub(super) async fn enclose(
        &self,
        errand: Errand<'_>,
        fuel: usize,
        caller: &Caller,
        receipt: &Open,
    ) -> Result<Enclosure, Failure> {
        let component = errand.component;
        let limits = &component.limits;
        let terms = Terms {
            component: &component.id,
            limits,
            effective: &component.effective,
            hostcall_fuel: fuel,
            purpose: Purpose::Call,
            progress: caller.progress.clone(),
            log: caller.log.clone(),
            tally: receipt.tally(),
        };
        self.sandbox.enclose(component.adapter.pre(), terms).await.map_err(
            |no_room| match no_room {
                NoRoom::Waited => Failure::Busy { waited_ms: limits.call_deadline_ms },
                NoRoom::QueueFull => Failure::QueueFull,
                NoRoom::Directory(dir) => Failure::Directory { guest: dir.guest },
            },
        )
    }

    /// Ends an errand: tells receipt, log and whoever asked what came of it, and announces what the
    /// guest says has changed. `word` is for the receipt of what is there.
    pub(super) async fn conclude<T>(
        &self,
        errand: Errand<'_>,
        attempted: Result<T, Failure>,
        mut receipt: Open,
        word: &'static str,
    ) -> Result<T, Rejected> {
        let concluded = match attempted {
            Ok(given) => {
                receipt.close(word);
                Ok(given)
            }
            Err(failure) => Err(failed(errand, &failure, &mut receipt)),
        };
        let changed = receipt.tally().seen().changed;
        drop(receipt);
        self.announce(errand.component, changed).await;
        concluded
    }
}

/// Tells log and receipt of a failure. What whoever asked is told of it.
pub(super) fn failed(errand: Errand<'_>, failure: &Failure, receipt: &mut Open) -> Rejected {
    let component = errand.component;
    let denied = receipt.denied(&component.id);
    let secrets = &component.effective.secrets;
    if let Some(details) = failure.for_log(|text| leak::redacted(text, secrets)) {
        tracing::info!(tool = errand.name, call = receipt.call_id(), "{details}");
    }
    let told = |failure: &Failure| present::failure(errand, failure, receipt.call_id(), &denied);
    // What a guest says of its failure leaves as well.
    let (text, told_of) = match leak::check_text(told(failure), secrets) {
        Ok(text) => (text, failure),
        Err(leaked) => {
            receipt.close(leaked.word());
            let text = present::failure(errand, &leaked, receipt.call_id(), &denied);
            return Rejected { why: Why::Internal, text };
        }
    };
    receipt.close(told_of.word());
    Rejected { why: told_of.why(), text }
}

/// What the guest gave, if it came to an end. What it wrote on the way goes to the log.
pub(super) fn returned<T: Weighed>(
    errand: Errand<'_>,
    answer: Ran<Result<T, GuestFailure>>,
    receipt: &mut Open,
) -> Result<T, Failure> {
    let limits = &errand.component.limits;
    let secrets = &errand.component.effective.secrets;
    receipt.ran(answer.result_bytes());
    let call_id = receipt.call_id();
    for (source, (text, dropped)) in [("printed", &answer.printed), ("logged", &answer.logged)] {
        if *dropped > 0 {
            tracing::info!(
                tool = errand.name,
                call = call_id,
                "{source}: {dropped} bytes before this, dropped"
            );
        }
        let whole = if *dropped > 0 { leak::beyond_cut(text, secrets) } else { text };
        for line in leak::redacted(whole, secrets).lines().filter(|line| !line.trim().is_empty()) {
            tracing::info!(
                tool = errand.name,
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
