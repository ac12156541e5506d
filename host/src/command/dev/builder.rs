//! Builds, one after the other, and what is said of each.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::prompt;
use crate::build::{Project, Sources};
use crate::command::serve::Serving;
use crate::command::terminal::{many, tell};
use crate::component::Component;
use crate::files::Stamp;
use crate::host::Host;
use crate::mcp;
use crate::present::clean;
use crate::reload::Saves;

/// Builds a project and has what came of it served.
pub(super) struct Builder<'a> {
    project: Project,
    host: &'a Host,
    serving: &'a Serving,
    sources: Sources,
    saves: Saves,
    /// Whether the tools are shown after each build.
    shows_tools: bool,
    /// Definitions that were served after the last build, by name; none: nothing was.
    known: Option<BTreeMap<String, Value>>,
}

impl<'a> Builder<'a> {
    /// Watches the sources from now on.
    pub(super) fn new(
        project: Project,
        host: &'a Host,
        serving: &'a Serving,
        shows_tools: bool,
    ) -> Self {
        let sources = project.own_sources();
        let saves = Saves::of(alone(&sources, serving));
        Self { project, host, serving, sources, saves, shows_tools, known: None }
    }

    /// Builds until something was built.
    pub(super) async fn first(&mut self) {
        let mut built = self.build().await;
        // Without a component, clients learn that there is none, and later that there is one.
        self.host.wait_no_more();
        self.look_for_sources().await;
        while !built {
            self.saved().await;
            built = self.build().await;
        }
    }

    /// Builds whenever something is saved.
    pub(super) async fn go_on(&mut self) -> Infallible {
        loop {
            self.saved().await;
            self.build().await;
        }
    }

    /// Waits until something is saved.
    async fn saved(&mut self) {
        // Since the last time the config may have granted another directory.
        self.saves.follow(alone(&self.sources, self.serving));
        let saved = self.saves.next().await;
        let leads_to_others = |path: &PathBuf| {
            path.ends_with("Cargo.toml") || path.extension().is_some_and(|e| e == "wit")
        };
        if saved.iter().any(leads_to_others) {
            self.look_for_sources().await;
        }
    }

    /// Where the sources are may have changed. What cannot be read now is said by the next build.
    async fn look_for_sources(&mut self) {
        if let Ok(sources) = self.project.sources().await {
            self.sources = sources;
        }
    }

    /// Builds once. Whether there is a component.
    async fn build(&mut self) -> bool {
        let file = self.project.component().to_owned();
        let name = file.file_stem().unwrap_or_default().display().to_string();
        tell(format!("building {name} …")).await;
        let began = Instant::now();
        if let Err(error) = self.project.build(tell).await {
            let then = match self.known {
                Some(_) => "the last version stays",
                None => "nothing is served yet",
            };
            tell(clean::text(format!("the build failed; {then}: {error}"))).await;
            return false;
        }
        let took = began.elapsed();
        self.serving.renew().await;
        let Ok(stamp) = Stamp::of(&file) else { return false };
        tell(self.said(&file, &stamp, took)).await;
        if self.shows_tools {
            // Whoever reads no more has ended the prompt as well.
            let _ = prompt::list(&self.host.catalog());
        }
        true
    }

    /// What was built, and what has changed for clients.
    fn said(&mut self, file: &Path, stamp: &Stamp, took: Duration) -> String {
        let name = file.file_name().unwrap_or_default().display();
        let mut said = format!(
            "built in {:.1} s: {name}, {} KB",
            took.as_secs_f64(),
            stamp.bytes().div_ceil(1000)
        );
        let standings = self.host.standings();
        let Some(served) = standings.iter().find_map(|standing| standing.serves_file(stamp)) else {
            return said + "; it is not served, and the log says why";
        };
        said += &format!(", {}", many(served.tools.len(), "tool"));
        let now = definitions(self.host, served);
        if let Some(changes) = self.known.as_ref().and_then(|before| changes(before, &now)) {
            said += &format!("; {changes}");
        }
        self.known = Some(now);
        clean::text(&said)
    }
}

/// The sources without what may change beside them.
fn alone(sources: &Sources, serving: &Serving) -> Sources {
    let mut sources = sources.clone();
    sources.aside.extend(serving.sought.beside_sources());
    sources
}

/// The definitions of a component's tools.
fn definitions(host: &Host, component: &Component) -> BTreeMap<String, Value> {
    let catalog = host.catalog();
    let all = mcp::definitions(&catalog);
    let is_its =
        |name: &str| catalog.find(name).is_some_and(|entry| entry.component().id == component.id);
    let named = all.as_array().into_iter().flatten().filter_map(|definition| {
        let name = definition["name"].as_str().filter(|name| is_its(name))?;
        Some((name.to_owned(), definition.clone()))
    });
    named.collect()
}

/// Which tools are there, gone, or defined in another way, by name.
fn changes(before: &BTreeMap<String, Value>, now: &BTreeMap<String, Value>) -> Option<String> {
    let names = |of: &BTreeMap<String, Value>, is_meant: &dyn Fn(&String, &Value) -> bool| {
        let meant = of.iter().filter(|(name, definition)| is_meant(name, definition));
        meant.map(|(name, _)| name.clone()).collect::<BTreeSet<_>>()
    };
    let changes = [
        ("added", names(now, &|name, _| !before.contains_key(name))),
        ("removed", names(before, &|name, _| !now.contains_key(name))),
        (
            "changed",
            names(now, &|name, definition| {
                before.get(name).is_some_and(|earlier| earlier != definition)
            }),
        ),
    ];
    let said = changes.into_iter().filter(|(_, names)| !names.is_empty());
    let said = said.map(|(what, names)| {
        format!("{what} {}", names.into_iter().collect::<Vec<_>>().join(", "))
    });
    let said = said.collect::<Vec<_>>().join("; ");
    (!said.is_empty()).then_some(said)
}
