//! What a running server serves, as it tells its owner.
//!
//! Nobody else is told: the socket is in a directory that only its owner enters, and whoever asks
//! is asked who they are.

#[cfg(unix)]
mod socket;

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::difference::Difference;
use crate::host::Host;
use crate::loading::{Standing, Trouble};
use crate::moment;

#[cfg(unix)]
pub(crate) use socket::{Socket, ask};

/// How it stands with a server.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The number of its process.
    pub(crate) process: u32,
    /// The version of the host.
    pub(crate) version: String,
    /// Since when it runs, in UTC (RFC 3339).
    pub(crate) since: String,
    /// Its working directory, and what it was told to serve.
    pub(crate) directory: String,
    pub(crate) arguments: Vec<String>,
    /// Where it listens; none: it serves one client, over stdio.
    pub(crate) url: Option<String>,
    /// `locked`, `compatible` or `open`.
    pub(crate) mode: String,
    /// Whether its components have been loaded for the first time.
    pub(crate) ready: bool,
    pub(crate) components: Vec<ComponentReport>,
    /// None: nothing has changed since its start.
    pub(crate) last_reload: Option<ReloadReport>,
}

/// How it stands with one component.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ComponentReport {
    pub(crate) id: String,
    pub(crate) file: String,
    /// None: nothing of it is served.
    pub(crate) serves: Option<ServesReport>,
    /// Why its file does not load.
    pub(crate) fault: Option<String>,
    /// What its file differs in from what was approved, and what it is granted beyond that.
    pub(crate) waiting: Vec<Difference>,
}

/// The version of a component that is served.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ServesReport {
    /// SHA-256 of its bytes.
    pub(crate) digest: String,
    /// The author's version.
    pub(crate) version: String,
    /// Counts what was served of it since the start of the server, from 1.
    pub(crate) generation: u64,
    /// Since when it is served, in UTC (RFC 3339).
    pub(crate) since: String,
    /// The names of its tools, as clients know them.
    pub(crate) tools: Vec<String>,
    /// Calls that go on, those of earlier versions included.
    pub(crate) calls_in_flight: u64,
    /// All calls that have begun, those of earlier versions included.
    pub(crate) calls_total: u64,
}

/// The last time that something changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ReloadReport {
    /// When, in UTC (RFC 3339).
    pub(crate) at: String,
    /// Whether nothing was wrong.
    pub(crate) ok: bool,
    /// What was said about it, a line each.
    pub(crate) outcome: Vec<String>,
}

/// What of a report does not change while a server runs.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) since: String,
    pub(crate) directory: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) url: OnceLock<String>,
}

impl Report {
    /// That of `host`, which is run by `server`.
    pub(crate) fn of(host: &Host, server: &Server) -> Self {
        let standings = host.standings();
        Self {
            process: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            since: server.since.clone(),
            directory: server.directory.clone(),
            arguments: server.arguments.clone(),
            url: server.url.get().cloned(),
            mode: host.mode().word().to_owned(),
            ready: host.is_ready(),
            components: standings.iter().map(|standing| component(standing, host)).collect(),
            last_reload: host.last_reload(),
        }
    }
}

fn component(standing: &Standing, host: &Host) -> ComponentReport {
    let catalog = host.catalog();
    let serves = standing.serves.as_ref().map(|serves| {
        let component = &serves.component;
        let entries = catalog.entries().iter();
        let tools = entries.filter(|entry| entry.component().id == component.id);
        let (calls_in_flight, calls_total) = component.calls.seen();
        ServesReport {
            digest: component.digest.clone(),
            version: component.version.clone(),
            generation: serves.generation,
            since: moment::text(serves.since),
            tools: tools.map(|entry| entry.name.clone()).collect(),
            calls_in_flight,
            calls_total,
        }
    });
    let waits = match &standing.trouble {
        Some(Trouble::Waits(differences)) => differences.clone(),
        Some(Trouble::Fault(_)) | None => Vec::new(),
    };
    let unapproved = standing.serves.iter().flat_map(|serves| serves.unapproved.clone());
    ComponentReport {
        id: standing.id.to_string(),
        file: standing.path.display().to_string(),
        serves,
        fault: standing.not_loaded().map(|fault| fault.fault.to_string()),
        waiting: waits.into_iter().chain(unapproved).collect(),
    }
}
