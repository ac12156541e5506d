//! `portcullis build`.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::terminal::{self, bold, many};
use crate::build::Project;
use crate::component::Loaded;
use crate::config::Config;
use crate::files::{self, Stamp};
use crate::host::Host;

/// Build a project of tools, and show what came of it
///
/// Builds with the project's own toolchain, whose words go to stderr as they are, and loads the
/// component as a server would: what a server would refuse is shown. Prints its file, size, digest,
/// imports and tools.
///
/// Exit status 1 when a tool is refused, 2 when it does not build or load.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  portcullis build
  portcullis build weather -o tools/weather.wasm
  portcullis build --json | jq -r .imports[]")]
pub(super) struct Arguments {
    /// The project's directory
    #[arg(default_value = ".", value_name = "DIR", hide_default_value = true)]
    directory: PathBuf,

    /// The cargo profile that it is built with
    #[arg(long, default_value = "release", value_name = "NAME")]
    profile: String,

    /// Also write the component here
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print what was built as JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) async fn run(self) -> anyhow::Result<ExitCode> {
        let project = Project::find(&self.directory, &self.profile).await?;
        project.build(terminal::tell).await?;
        let mut file = project.component().to_owned();
        if let Some(output) = self.output {
            files::copy(&file, &output).map_err(|error| {
                anyhow::anyhow!(
                    "cannot write `{}`: {error}; name a file in a directory that is there",
                    output.display()
                )
            })?;
            file = output;
        }
        let config = Config::for_component(&file, None)?;
        let progress = terminal::Progress::start("Loading");
        let host = Host::load(&config, super::compiler()?, |id| progress.at(id)).await?;
        drop(progress);
        let catalog = host.catalog();
        let [component] = catalog.components() else {
            anyhow::bail!("`{}` is not loaded", file.display())
        };
        let bytes = Stamp::of(&file)?.bytes();
        let built = Built { file, bytes, component: component.clone() };
        if self.json {
            terminal::say(&serde_json::to_string_pretty(&built.json())?)?;
        } else {
            terminal::say(&built.text())?;
        }
        Ok(ExitCode::from(u8::from(!component.refused.is_empty())))
    }
}

/// A component that was built.
struct Built {
    file: PathBuf,
    bytes: u64,
    component: Loaded,
}

impl Built {
    fn text(&self) -> String {
        let Self { file, bytes, component } = self;
        let size = bytes.div_ceil(1000);
        let mut lines = vec![
            format!("{}  {size} KB", bold(&file.display().to_string())),
            format!("  sha256:{}", component.digest),
            format!("  {}", many(component.tools.len(), "tool")),
        ];
        lines.extend(component.tools.iter().map(|tool| format!("    {}", tool.name)));
        let refused = component.refused.iter();
        lines.extend(
            refused.map(|refused| format!("    {} refused: {}", refused.tool, refused.reason)),
        );
        lines.push(format!("  {}", many(component.imports.len(), "import")));
        lines.extend(component.imports.iter().map(|import| format!("    {import}")));
        lines.extend(component.lacks().map(|lack| format!("  needs {lack}")));
        lines.join("\n")
    }

    fn json(&self) -> Value {
        let Self { file, bytes, component } = self;
        let refused = component.refused.iter();
        let refused =
            refused.map(|refused| json!({ "tool": refused.tool, "reason": refused.reason }));
        json!({
            "file": file,
            "bytes": bytes,
            "digest": format!("sha256:{}", component.digest),
            "tools": component.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(),
            "refused": refused.collect::<Vec<_>>(),
            "imports": component.imports,
            "lacks": component.lacks().collect::<Vec<_>>(),
        })
    }
}
