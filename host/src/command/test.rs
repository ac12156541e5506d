//! `portcullis test`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::terminal::{self, Ink, field, inked, many};
use crate::build::Project;
use crate::call::Asked;
use crate::config::{self, Config};
use crate::difference::Difference;
use crate::files;
use crate::host::Host;
use crate::present::{Body, Reply, clean};
use crate::schema::strict_json;

/// Run a project's example calls, and show what differs
///
/// The calls are in calls.json beside the code, a list of objects: `tool`, `arguments`, and what is
/// expected of the call: `result` (the structured content), `text` (what a model reads), or `error`
/// (what a model reads of a call that fails). A call without any of them has to succeed.
///
/// Exit status 1 when something differs, 2 when the project does not build or load.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  portcullis test
  portcullis test weather --write          write what the calls give now; read it before you commit it
  [{ \"tool\": \"add\", \"arguments\": { \"a\": 1, \"b\": 2 }, \"result\": { \"result\": 3 } }]")]
pub(super) struct Arguments {
    /// The project's directory, or a component
    #[arg(default_value = ".", value_name = "DIR", hide_default_value = true)]
    directory: PathBuf,

    /// The cargo profile that it is built with
    #[arg(long, default_value = "release", value_name = "NAME")]
    profile: String,

    /// The calls; without it, calls.json in the directory
    #[arg(long, value_name = "FILE")]
    calls: Option<PathBuf>,

    /// A config file with grants and limits for the component; without it, portcullis.toml in the
    /// directory if that is there
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Write what the calls give now into the file
    #[arg(long)]
    write: bool,
}

/// A call, and what is expected of it.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Example {
    tool: String,
    #[serde(default)]
    arguments: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Arguments {
    pub(super) async fn run(self) -> anyhow::Result<ExitCode> {
        let is_component = self.directory.is_file();
        let beside = match is_component {
            true => self.directory.parent().unwrap_or(Path::new("")).to_owned(),
            false => self.directory.clone(),
        };
        let file = self.calls.clone().unwrap_or_else(|| beside.join("calls.json"));
        let mut examples = read(&file)?;
        let component = match is_component {
            true => self.directory.clone(),
            false => {
                let project = Project::find(&self.directory, &self.profile).await?;
                project.build(terminal::tell).await?;
                project.component().to_owned()
            }
        };
        let usual = beside.join(config::FILE_NAME);
        let config = self.config.or_else(|| usual.is_file().then_some(usual));
        let config = Config::for_component(&component, config.as_deref())?;
        let progress = terminal::Progress::start("Loading");
        let host = Host::load(&config, super::compiler()?, |id| progress.at(id)).await?;
        drop(progress);
        let mut failed = 0;
        for (index, example) in examples.iter_mut().enumerate() {
            let asked = Asked::new(example.tool.clone(), example.arguments.clone());
            let given = match host.call(asked).await {
                Ok(reply) => Given::of(&reply),
                Err(unknown) => Given::Error(unknown.to_string()),
            };
            if self.write {
                example.expect(given);
                continue;
            }
            let differences = example.differences(&given);
            terminal::say(&example.line(index, &differences))?;
            failed += usize::from(!differences.is_empty());
        }
        if self.write {
            let text = clean::json(serde_json::to_string_pretty(&examples)?) + "\n";
            files::replace(&file, text.as_bytes())
                .with_context(|| format!("cannot write `{}`", file.display()))?;
            terminal::say(&format!(
                "{} written to {}",
                many(examples.len(), "call"),
                file.display()
            ))?;
            return Ok(ExitCode::SUCCESS);
        }
        let passed = examples.len() - failed;
        terminal::say(&format!("{passed} of {} as expected", many(examples.len(), "call")))?;
        Ok(ExitCode::from(u8::from(failed > 0)))
    }
}

fn read(file: &Path) -> anyhow::Result<Vec<Example>> {
    let shown = file.display();
    let text = files::read_config(file).with_context(|| {
        format!(
            "cannot read `{shown}`; write a list of calls there, as `portcullis test --help` shows"
        )
    })?;
    let value = strict_json(&text).map_err(|fault| anyhow::anyhow!("{shown}: {fault}"))?;
    serde_json::from_value(value)
        .with_context(|| format!("{shown} is no list of calls; `portcullis test --help` shows one"))
}

/// What a call gave.
enum Given {
    Result(Map<String, Value>),
    Text(String),
    Error(String),
}

impl Given {
    fn of(reply: &Reply) -> Self {
        let texts = reply.content.iter().filter_map(|block| match &block.body {
            Body::Text(text) => Some(text.as_str()),
            Body::Image(_) | Body::Audio(_) | Body::Link(_) | Body::Embedded(_) => None,
        });
        let text = texts.collect::<Vec<_>>().join("\n");
        match (&reply.structured, reply.is_error) {
            (_, true) => Self::Error(text),
            (Some(structured), false) => Self::Result(structured.to_map()),
            (None, false) => Self::Text(text),
        }
    }
}

impl Example {
    /// What differs between what is expected and what was given.
    fn differences(&self, given: &Given) -> Vec<Difference> {
        let Self { tool: _, arguments: _, result, text, error } = self;
        let is_open = result.is_none() && text.is_none() && error.is_none();
        let expected = [
            result.clone().map(|result| ("result", Value::Object(result))),
            text.clone().map(|text| ("text", text.into())),
            error.clone().map(|error| ("error", error.into())),
        ];
        let expected: Map<String, Value> =
            expected.into_iter().flatten().map(|(key, value)| (key.to_owned(), value)).collect();
        let (key, value) = match given {
            Given::Result(result) => ("result", Value::Object(result.clone())),
            Given::Text(text) => ("text", text.as_str().into()),
            Given::Error(error) => ("error", error.as_str().into()),
        };
        if is_open && key != "error" {
            return Vec::new();
        }
        let given = Map::from_iter([(key.to_owned(), value)]);
        Difference::between(Some(&Value::Object(expected)), Some(&Value::Object(given)))
    }

    /// Expects what was given.
    fn expect(&mut self, given: Given) {
        (self.result, self.text, self.error) = match given {
            Given::Result(result) => (Some(result), None, None),
            Given::Text(text) => (None, Some(text), None),
            Given::Error(error) => (None, None, Some(error)),
        };
    }

    /// What a person sees of it.
    fn line(&self, index: usize, differences: &[Difference]) -> String {
        let arguments = Value::Object(self.arguments.clone()).to_string();
        let call = clean::text(format!("{}. {} {arguments}", index + 1, self.tool));
        if differences.is_empty() {
            return format!("{} {call}", inked(Ink::Green, "ok"));
        }
        let fields: Vec<String> = differences.iter().map(field).collect();
        format!("{} {call}\n{}", inked(Ink::Red, "differs"), fields.join("\n"))
    }
}
