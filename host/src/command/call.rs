//! `portcullis call`.

use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use serde_json::{Map, Value};

use super::terminal;
use crate::call::Asked;
use crate::mcp;
use crate::present::{Block, Body, Reply};

/// Call one tool, as an agent would, and print what it says
///
/// Prints the text that a model would read; with --json the whole result, structured content
/// included. Exit status 1 when the tool fails.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  portcullis call weather.wasm get_temperature '{\"city\": \"London\"}'
  echo '{\"city\": \"London\"}' | portcullis call weather.wasm get_weather - --json")]
pub(super) struct Arguments {
    /// A component, or a directory of components
    path: PathBuf,

    /// The tool's name; `portcullis list PATH` shows them
    tool: String,

    /// The arguments, a JSON object; `-` reads them from stdin
    #[arg(default_value = "{}", value_name = "JSON")]
    arguments: String,

    /// Print the whole result as JSON
    #[arg(long)]
    json: bool,

    /// A config file with limits; its components are loaded as well
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The most that is read of stdin, which is more than any call may take.
const STDIN_BYTES_MAX: u64 = 64 << 20;

impl Arguments {
    pub(super) async fn run(self) -> anyhow::Result<ExitCode> {
        let arguments = self.arguments()?;
        let host = super::load(std::slice::from_ref(&self.path), self.config.as_ref()).await?;
        let asked = Asked::new(self.tool.clone(), arguments);
        let reply = host.call(asked).await.map_err(|unknown| {
            let end = if unknown.nearest.is_some() { "" } else { ";" };
            anyhow::anyhow!(
                "{unknown}{end} `portcullis list {}` shows the names",
                self.path.display()
            )
        })?;
        print(&reply, self.json)?;
        Ok(if reply.is_error { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }

    fn arguments(&self) -> anyhow::Result<Map<String, Value>> {
        let mut text = self.arguments.clone();
        if text == "-" {
            text.clear();
            let stdin = std::io::stdin().lock().take(STDIN_BYTES_MAX + 1);
            { stdin }.read_to_string(&mut text).context("cannot read stdin")?;
            anyhow::ensure!(
                text.len() as u64 <= STDIN_BYTES_MAX,
                "stdin has more than {STDIN_BYTES_MAX} bytes; send less"
            );
        }
        object(&self.tool, &text, "quote them for the shell, such as ", "'")
    }
}

/// The arguments of a tool, as somebody wrote them. Where they are not JSON, the error ends with
/// `advice` and an example in `quotes`.
pub(super) fn object(
    tool: &str,
    text: &str,
    advice: &str,
    quotes: &str,
) -> anyhow::Result<Map<String, Value>> {
    const EXAMPLE: &str = "{\"city\": \"London\"}";
    match crate::schema::strict_json(text) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => anyhow::bail!(
            "the arguments of `{tool}` must be a JSON object, such as {quotes}{EXAMPLE}{quotes}"
        ),
        Err(fault) => anyhow::bail!(
            "the arguments of `{tool}` are not JSON: {fault}; {advice}{quotes}{EXAMPLE}{quotes}"
        ),
    }
}

/// Prints a reply: what a model would read, or with `json` the whole result.
pub(super) fn print(reply: &Reply, json: bool) -> anyhow::Result<()> {
    if json {
        return terminal::say(&serde_json::to_string_pretty(&mcp::result_json(reply))?);
    }
    for block in &reply.content {
        let text = shown(block);
        if reply.is_error { terminal::complain(&text) } else { terminal::say(&text)? }
    }
    Ok(())
}

/// What a person sees of a block.
fn shown(block: &Block) -> String {
    match &block.body {
        Body::Text(text) => text.clone(),
        Body::Image(media) | Body::Audio(media) => {
            format!(
                "[{}, {} bytes in base64; --json shows them]",
                media.mime_type,
                media.data.len()
            )
        }
        Body::Link(link) => format!("[{}: {}]", link.name, link.uri),
        Body::Embedded(resource) => format!("[{}; --json shows it]", resource.uri),
    }
}
