//! Keeping up with files: when to look again, and what to say about it.
//!
//! One reload follows the other. What runs is never touched: a reload loads beside it and then swaps
//! one pointer.

mod places;
mod sources;
mod watch;

use std::collections::HashMap;
use std::sync::Arc;

use crate::difference::Difference;
use crate::host::{Host, report_refused};
use crate::loading::{Round, Standing, Trouble};
use crate::moment;
use crate::present::clean;
use crate::status::ReloadReport;

pub(crate) use sources::Saves;
pub(crate) use watch::Watch;

/// What is said once and not again as long as it stays so.
pub(crate) struct Said {
    /// The command that approves a component.
    approving: Approving,
    config: Option<String>,
    told: HashMap<Arc<str>, Vec<String>>,
}

type Approving = Box<dyn Fn(&Standing) -> String + Send + Sync>;

impl Said {
    /// Nothing was said yet. `approving` gives the command that approves a component.
    pub(crate) fn nothing(approving: impl Fn(&Standing) -> String + Send + Sync + 'static) -> Self {
        Self { approving: Box::new(approving), config: None, told: HashMap::new() }
    }

    /// Says what is wrong with components when they were loaded for the first time.
    pub(crate) fn first(&mut self, standings: &[Standing]) {
        self.told(standings, "it is passed over");
    }

    /// Serves what `round` says now, and says what has changed and what is wrong.
    pub(crate) async fn renew(&mut self, host: &Host, round: Round<'_>) {
        let was_wrong = self.is_wrong();
        self.config = None;
        let mut outcome = Vec::new();
        let before = host.standings();
        if host.look(round, |_| ()).await {
            report_refused(&host.catalog());
        }
        let after = host.standings();
        for standing in after.iter() {
            let known = before.iter().find(|known| known.id == standing.id);
            if known.is_some_and(|known| known.serves_as(standing)) {
                continue;
            }
            if let Some(component) = standing.component() {
                let (id, digest) = (&component.id, &component.digest[..12]);
                let version = &component.version;
                outcome.push(format!("component `{id}` is served in version {version} ({digest})"));
            }
        }
        for known in before.iter().filter(|known| known.serves.is_some()) {
            let stands = after.iter().find(|standing| standing.id == known.id);
            if stands.is_some_and(|stands| stands.serves.is_some() || stands.trouble.is_some()) {
                continue;
            }
            let why = match known.path.exists() {
                true => "the config does not name it any more",
                false => "its file is gone",
            };
            outcome.push(format!("component `{}` is not served any more: {why}", known.id));
        }
        for line in &outcome {
            tracing::info!("{line}");
        }
        let troubles = self.told(&after, "it is not served");
        if was_wrong && !self.is_wrong() {
            tracing::info!("nothing is wrong any more");
            outcome.push("nothing is wrong any more".to_owned());
        }
        let ok = troubles.is_empty();
        outcome.extend(troubles);
        if !outcome.is_empty() {
            note(host, ok, outcome);
        }
    }

    /// Says what is wrong with components, unless that was said already; `otherwise` follows where
    /// there is nothing to serve in their place. Gives what was said.
    fn told(&mut self, standings: &[Standing], otherwise: &str) -> Vec<String> {
        let mut told = HashMap::new();
        let mut new = Vec::new();
        for standing in standings {
            let known = self.told.get(&standing.id);
            let troubles = standing.troubles(otherwise, &self.approving);
            for line in troubles.iter().filter(|line| !known.is_some_and(|k| k.contains(line))) {
                match standing.trouble {
                    Some(Trouble::Fault(_)) => tracing::error!("{line}"),
                    Some(Trouble::Waits(_)) | None => tracing::warn!("{line}"),
                }
                new.push(line.clone());
            }
            told.insert(standing.id.clone(), troubles);
        }
        self.told = told;
        new
    }

    /// Whether something was said to be wrong, and still is.
    fn is_wrong(&self) -> bool {
        self.config.is_some() || self.told.values().any(|lines| !lines.is_empty())
    }

    /// Says why there is no `what` to go by, the config or the lock, and that the last one stays.
    pub(crate) fn refused(&mut self, host: &Host, what: &str, why: &str) {
        let line = clean::text(why.replace('\n', " "));
        if self.config.as_ref() != Some(&line) {
            let told = format!("the {what} is not reloaded, the last one stays: {line}");
            tracing::error!("{told}");
            note(host, false, vec![told]);
            self.config = Some(line);
        }
    }
}

/// Notes what became of a change, for whoever asks.
fn note(host: &Host, ok: bool, outcome: Vec<String>) {
    host.reloaded(ReloadReport { at: moment::text(moment::now()), ok, outcome });
}

impl Standing {
    /// All that is wrong with it, a line each.
    fn troubles(&self, otherwise: &str, approving: &Approving) -> Vec<String> {
        let texts = [self.fault(otherwise), self.waits(approving), self.unapproved(approving)];
        texts.iter().flatten().map(|text| clean::text(text.replace('\n', " "))).collect()
    }

    /// Why its file does not load, and what is done without it.
    fn fault(&self, otherwise: &str) -> Option<String> {
        let fault = self.not_loaded()?;
        let then = if self.serves.is_some() { "the last version stays" } else { otherwise };
        Some(format!("{fault}; {then}"))
    }

    /// What its file waits for, and what is done without it.
    fn waits(&self, approving: &Approving) -> Option<String> {
        let Some(Trouble::Waits(differences)) = &self.trouble else { return None };
        let then = match self.serves {
            Some(_) => "the approved version stays",
            None => "it is not served",
        };
        let (id, command) = (&self.id, approving(self));
        let what = match self.is_approved() {
            true => Difference::summary(differences),
            false => "it was never approved".to_owned(),
        };
        Some(format!(
            "component `{id}` waits to be approved: {what}; {then}; `{command}` shows all of it and \
             approves it"
        ))
    }

    /// What it is granted and does not get.
    fn unapproved(&self, approving: &Approving) -> Option<String> {
        let serves = self.serves.as_ref().filter(|serves| !serves.unapproved.is_empty())?;
        let (id, what) = (&self.id, Difference::summary(&serves.unapproved));
        let command = approving(self);
        Some(format!(
            "component `{id}` gets no more than was approved: {what}; `{command}` approves it"
        ))
    }
}
