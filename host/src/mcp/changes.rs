//! Telling clients that what they can see has changed, and nothing else.

use std::collections::VecDeque;
use std::sync::Arc;

use rmcp::model::{Prompt, Resource, ResourceTemplate, Tool};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};

use super::{convert, prompts, resources};
use crate::call::Allowed;
use crate::catalog::Catalog;
use crate::host::{Announced, Host};

/// What one client was last told of.
pub(super) struct Changes {
    catalogs: watch::Receiver<Arc<Catalog>>,
    announced: broadcast::Receiver<Announced>,
    allowed: Allowed,
    known: Known,
    due: VecDeque<Told>,
}

/// What a client is told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Tools,
    Resources,
    Prompts,
    /// The contents of the resource of this URI are others.
    Contents(Arc<str>),
    /// The contents of any resource may be others.
    AllContents,
}

/// The definitions that a client can have seen.
struct Known {
    tools: Vec<Tool>,
    resources: (Vec<Resource>, Vec<ResourceTemplate>),
    prompts: Vec<Prompt>,
}

impl Known {
    fn of(catalog: &Catalog, allowed: &Allowed) -> Self {
        let visible = catalog.entries().iter().filter(|entry| allowed.has(entry));
        Self {
            tools: visible.map(convert::tool).collect(),
            resources: (
                resources::resources(catalog, allowed),
                resources::templates(catalog, allowed),
            ),
            prompts: prompts::prompts(catalog, allowed),
        }
    }
}

impl Changes {
    /// From what is served now on.
    pub(super) fn from_now(host: &Host, allowed: Allowed) -> Self {
        let (mut catalogs, announced) = (host.catalogs(), host.announcements());
        let known = Known::of(&catalogs.borrow_and_update(), &allowed);
        Self { catalogs, announced, allowed, known, due: VecDeque::new() }
    }

    /// Whether the client may know of the resource at `uri`.
    pub(super) fn shows(&self, uri: &str) -> bool {
        let catalog = self.catalogs.borrow();
        catalog.resource(uri).is_some_and(|component| self.allowed.has_all_of(component))
    }

    /// Waits until something is another. None: there is no host any more.
    pub(super) async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some(told) = self.due.pop_front() {
                return Some(told);
            }
            tokio::select! {
                changed = self.catalogs.changed() => {
                    changed.ok()?;
                    self.compare();
                }
                announced = self.announced.recv() => match announced {
                    Ok(Announced::Tools) => self.due.push_back(Told::Tools),
                    Ok(Announced::Resources) => self.due.push_back(Told::Resources),
                    Ok(Announced::Prompts) => self.due.push_back(Told::Prompts),
                    Ok(Announced::Contents(uri)) if self.shows(&uri) => {
                        self.due.push_back(Told::Contents(uri));
                    }
                    Ok(Announced::Contents(_)) => {}
                    // Nobody knows what was missed.
                    Err(RecvError::Lagged(_)) => {
                        let all = [Told::Tools, Told::Resources, Told::Prompts, Told::AllContents];
                        self.due.extend(all);
                    }
                    Err(RecvError::Closed) => return None,
                },
            }
        }
    }

    fn compare(&mut self) {
        let now = Known::of(&self.catalogs.borrow_and_update(), &self.allowed);
        let before = std::mem::replace(&mut self.known, now);
        let now = &self.known;
        self.due.extend((before.tools != now.tools).then_some(Told::Tools));
        self.due.extend((before.resources != now.resources).then_some(Told::Resources));
        self.due.extend((before.prompts != now.prompts).then_some(Told::Prompts));
    }
}
