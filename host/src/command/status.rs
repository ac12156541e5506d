//! `portcullis status`.

use std::process::ExitCode;

use super::terminal::{self, Ink, bold, inked};
use crate::difference::Difference;
use crate::present::clean;
use crate::status::{self, ComponentReport, Report};

/// Show what running servers serve
///
/// Asks every server of this user, over a socket that nobody else can open: which version of each
/// component is served and since when, its calls, what became of the last change, and what waits to
/// be approved.
///
/// Exit status 1 when no server runs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  portcullis status
  portcullis status 4711                                   the server with this process number
  portcullis status --json | jq '.[].components[] | select(.waiting != [])'")]
pub(super) struct Arguments {
    /// The process number of one server
    #[arg(value_name = "PROCESS")]
    process: Option<u32>,

    /// Print the reports as a JSON array
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) async fn run(self) -> anyhow::Result<ExitCode> {
        let reports = status::ask(self.process).await;
        if self.json {
            terminal::say(&clean::json(serde_json::to_string_pretty(&reports)?))?;
        } else {
            let texts: Vec<String> = reports.iter().map(text).collect();
            if !texts.is_empty() {
                terminal::say(&texts.join("\n\n"))?;
            }
        }
        if reports.is_empty() {
            terminal::complain(&match self.process {
                Some(process) => format!("portcullis: no server of yours has process {process}"),
                None => "portcullis: no server of yours runs".to_owned(),
            });
            return Ok(ExitCode::from(1));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn text(report: &Report) -> String {
    let Report { process, since, version, mode, directory, .. } = report;
    let arguments: Vec<String> =
        report.arguments.iter().map(|word| terminal::quoted(word)).collect();
    let title = bold(&format!("server {process}"));
    let mut lines = vec![
        format!("{title}, version {version}, since {since}, mode {mode}"),
        format!("  serves {} in {}", shown(&arguments.join(" ")), shown(directory)),
    ];
    if let Some(url) = &report.url {
        lines.push(format!("  listens at {}", shown(url)));
    }
    if !report.ready {
        lines.push(inked(Ink::Yellow, "  components are still being loaded"));
    }
    lines.extend(report.components.iter().flat_map(component));
    if let Some(reload) = &report.last_reload {
        let ink = if reload.ok { Ink::Green } else { Ink::Red };
        lines.push(format!("  last change {}", reload.at));
        lines.extend(reload.outcome.iter().map(|line| format!("    {}", inked(ink, &shown(line)))));
    }
    lines.join("\n")
}

fn component(component: &ComponentReport) -> Vec<String> {
    let id = bold(&component.id);
    let mut lines = match &component.serves {
        Some(serves) => vec![
            format!(
                "  {id} {} ({}), generation {}, since {}",
                shown(&serves.version),
                &serves.digest.get(..12).unwrap_or_default(),
                serves.generation,
                serves.since
            ),
            format!(
                "    {} of {} calls in flight; tools: {}",
                serves.calls_in_flight,
                serves.calls_total,
                shown(&serves.tools.join(", "))
            ),
        ],
        None => vec![format!("  {id} {}", inked(Ink::Red, "is not served"))],
    };
    if let Some(fault) = &component.fault {
        let file = shown(&component.file);
        lines.push(inked(Ink::Red, &format!("    {file}: {}", shown(fault))));
    }
    if !component.waiting.is_empty() {
        let what = Difference::summary(&component.waiting);
        lines.push(inked(Ink::Yellow, &format!("    waits to be approved: {}", shown(&what))));
    }
    lines
}

/// Text on one line in which nothing is hidden.
fn shown(text: &str) -> String {
    clean::text(text.replace('\n', " "))
}
