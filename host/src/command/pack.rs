//! `portcullis pack`.

use std::path::PathBuf;
use std::process::ExitCode;

use super::terminal;
use crate::component::LoadError;
use crate::config::Config;
use crate::files::{self, Capped};
use crate::pack::{self, OverlayFile, PackError, Packed, Source};

/// Write docs, titles and constraints into a component of typed exports
///
/// Docs come from the .wit source, which no compiler keeps; what WIT cannot say comes from an
/// overlay file, which docs/overlay.md describes. What was packed before is replaced. Nothing is
/// written when anything is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  portcullis pack shop.wasm --wit wit
  portcullis pack shop.wasm --wit wit --world shop --overlay shop.overlay.toml -o tools/shop.wasm")]
pub(super) struct Arguments {
    /// The component
    component: PathBuf,

    /// The WIT package that it was built from: a directory, or a file
    #[arg(long, value_name = "DIR")]
    wit: PathBuf,

    /// The world that it is of; may be left out if the package has one alone
    #[arg(long, value_name = "NAME")]
    world: Option<String>,

    /// What WIT cannot say, in TOML
    #[arg(long, value_name = "FILE")]
    overlay: Option<PathBuf>,

    /// Where to write; the component itself, if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let component = self.component()?;
        let source = Source::read(&self.wit, self.world.as_deref())?;
        let overlay = self.overlay.as_deref().map(OverlayFile::read).transpose()?;
        let packed = pack::pack(&self.component, &component, &source, overlay.as_ref())?;
        let output = self.output.as_ref().unwrap_or(&self.component);
        files::replace(output, &packed.component)
            .map_err(|error| PackError::Unwritable { path: output.clone(), error })?;
        for line in lines(&output.display().to_string(), &packed) {
            terminal::say(&line)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn component(&self) -> Result<Vec<u8>, PackError> {
        let bytes_max = Config::default().host.component_bytes_max;
        let fault = match files::read(&self.component, bytes_max) {
            Ok(Capped::Whole(bytes)) => return Ok(bytes),
            Ok(Capped::TooLarge) => LoadError::TooLarge { bytes_max },
            Err(error) => LoadError::Unreadable(error),
        };
        Err(PackError::Component { path: self.component.clone(), fault })
    }
}

/// What was written, for a person.
fn lines(output: &str, packed: &Packed) -> Vec<String> {
    let documented = packed.documented.len();
    let tools = documented + packed.undocumented.len();
    let mut lines = vec![format!(
        "{output}: {documented} of {tools} tools documented, a descriptor of {} bytes",
        packed.descriptor_bytes
    )];
    for (what, names) in [("undocumented", &packed.undocumented), ("left out", &packed.left_out)] {
        lines.extend(names.iter().map(|name| format!("  {what}: {name}")));
    }
    let refused = packed.refused.iter();
    lines.extend(refused.map(|refusal| format!("  refused: {}: {}", refusal.tool, refusal.reason)));
    lines
}
