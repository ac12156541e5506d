//! `portcullis demo`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use super::terminal::{self, bold};
use crate::build::RustGuest;
use crate::call::Asked;
use crate::config::Config;
use crate::host::Host;
use crate::mcp;

/// Build the weather tools, call each of them, and show how to add them to a client
///
/// Needs a checkout of the project, and Rust, which it has if it came by `cargo run`. What is
/// built stays under target/guests.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cargo run --release -- demo")]
pub(super) struct Arguments {}

/// What is shown: what it is about, the tool, and its arguments.
const CASES: &[(&str, &str, &str)] = &[
    ("A number: wrapped, since MCP wants an object", "get_temperature", r#"{"city": "London"}"#),
    ("A record: its fields are the object", "get_weather", r#"{"city": "London"}"#),
    ("The same without descriptions", "get_weather_td", r#"{"city": "London"}"#),
    ("And in a third spelling", "get_weather_dc", r#"{"city": "London"}"#),
    ("A list: one text for each element", "get_forecast", r#"{"city": "London", "days": 2}"#),
    ("An empty list says so", "get_forecast", r#"{"city": "London", "days": 0}"#),
    ("A map with string keys", "get_temperatures", r#"{"cities": ["London", "Reykjavik"]}"#),
    ("Text alone: a tool that opts out", "weather_report", r#"{"city": "London"}"#),
    ("A full result: data, and meta for the app", "get_weather_with_meta", r#"{"city": "London"}"#),
    ("Refused: the upstream forgot `humidity`", "get_weather_bad", r#"{"city": "London"}"#),
    (
        "Refused: an argument of the wrong type",
        "get_forecast",
        r#"{"city": "London", "days": "two"}"#,
    ),
    ("A crash: the sandbox is gone, the host is not", "get_temperature", r#"{"city": "Oz"}"#),
];

impl Arguments {
    pub(super) async fn run(self) -> anyhow::Result<ExitCode> {
        let checkout = checkout()?;
        terminal::complain("Building guests/rust/weather …");
        let guest = RustGuest {
            directory: checkout.join("guests/rust/weather"),
            target_directory: checkout.join("target/guests"),
            profile: "guest".to_owned(),
        };
        let component = guest.built().await?;
        let progress = terminal::Progress::start("Loading");
        let config = Config::from_paths(std::slice::from_ref(&component))?;
        let host = Host::load(&config, super::compiler()?, |id| progress.at(id)).await?;
        drop(progress);
        let definitions = mcp::definitions(&host.catalog());
        for (about, tool, arguments) in CASES {
            show(&host, &definitions, about, tool, arguments).await?;
        }
        terminal::say(&clients(&component)?)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The project's directory: the nearest one above that has the guest, or the one that this
/// program was built in.
fn checkout() -> anyhow::Result<PathBuf> {
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned);
    let here = std::env::current_dir().context("the current directory is gone")?;
    here.ancestors()
        .map(Path::to_owned)
        .chain(built_in)
        .find(|directory| directory.join("guests/rust/weather/Cargo.toml").is_file())
        .context("the demo builds guests/rust/weather; run it in a checkout of the project")
}

async fn show(
    host: &Host,
    definitions: &Value,
    about: &str,
    tool: &str,
    arguments: &str,
) -> anyhow::Result<()> {
    let object: Map<String, Value> = serde_json::from_str(arguments)?;
    let reply = host.call(Asked::new(tool.to_owned(), object)).await?;
    let result = mcp::result_json(&reply);
    let definition = definitions.as_array().into_iter().flatten().find(|d| d["name"] == tool);
    let schema = definition.map_or(&Value::Null, |definition| &definition["outputSchema"]);
    terminal::say(&format!("\n{}\n  {tool}({arguments})", bold(about)))?;
    if !schema.is_null() {
        terminal::say(&format!("  outputSchema       {schema}"))?;
    }
    for block in result["content"].as_array().into_iter().flatten() {
        let text =
            block["text"].as_str().unwrap_or_default().replace('\n', "\n                     ");
        terminal::say(&format!("  content            {text}"))?;
    }
    for key in ["structuredContent", "_meta", "isError"] {
        if let Some(value) = result.get(key) {
            terminal::say(&format!("  {key:<18} {value}"))?;
        }
    }
    Ok(())
}

/// How to add the component to the usual clients.
fn clients(component: &Path) -> anyhow::Result<String> {
    let program = super::this_program()?;
    let (program, component) = (program.display().to_string(), component.display().to_string());
    let arguments = ["serve", &component];
    let server = json!({ "command": program, "args": arguments });
    let vscode = json!({ "servers": { "weather": server } });
    let cursor = json!({ "mcpServers": { "weather": server } });
    let mut codex = toml::Table::new();
    codex.insert("command".to_owned(), program.clone().into());
    codex.insert("args".to_owned(), arguments.map(toml::Value::from).to_vec().into());
    Ok(format!(
        "\n{}\n\n\
         Claude Code:\n  claude mcp add weather -- {} serve {}\n\n\
         VS Code, .vscode/mcp.json:\n{}\n\n\
         Cursor, .cursor/mcp.json:\n{}\n\n\
         Codex, ~/.codex/config.toml:\n[mcp_servers.weather]\n{}",
        bold("Add these tools to a client"),
        terminal::quoted(&program),
        terminal::quoted(&component),
        serde_json::to_string_pretty(&vscode)?,
        serde_json::to_string_pretty(&cursor)?,
        toml::to_string(&codex)?.trim_end(),
    ))
}
