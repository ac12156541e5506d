//! `portcullis new`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::terminal;
use crate::build::{Language, sdks};
use crate::files;

/// Begin a project of tools
///
/// Makes a directory with two tools in it, calls that show what they give, and a README. It builds,
/// tests and serves as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  portcullis new rust words
  portcullis new c words
  portcullis new python words && portcullis dev words")]
pub(super) struct Arguments {
    /// The language
    #[arg(value_parser = language())]
    language: Language,

    /// The project's directory, which must not be there; its last part is the project's name
    #[arg(value_name = "NAME")]
    directory: PathBuf,
}

/// The longest name of a project.
const NAME_CHARS_MAX: usize = 64;

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let shown = self.directory.display();
        let name = self.directory.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.filter(|name| is_name(name)).with_context(|| {
            format!(
                "`{shown}` does not end in a name of a project: a letter a-z, then up to \
                 {NAME_CHARS_MAX} of a-z 0-9 -"
            )
        })?;
        files::make_new(&self.directory).with_context(|| {
            format!("cannot make `{shown}`; name a directory that is not there yet")
        })?;
        for (path, text) in self.language.files(&name, sdks().as_deref()) {
            let file = self.directory.join(path);
            files::write_new(&file, &text)
                .with_context(|| format!("cannot write `{}`", file.display()))?;
        }
        terminal::say(&format!("made {shown}; go on with"))?;
        let word = terminal::quoted(&self.directory.to_string_lossy());
        for next in ["dev", "test", "build"] {
            terminal::say(&format!("  portcullis {next} {word}"))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What every language takes for the name of a package.
fn is_name(name: &str) -> bool {
    let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    name.len() <= NAME_CHARS_MAX
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('-')
        && name.chars().all(legal)
}

/// Reads the name of a language.
fn language() -> impl TypedValueParser<Value = Language> {
    PossibleValuesParser::new(Language::ALL.map(Language::name)).try_map(|name| {
        let named = Language::ALL.into_iter().find(|language| language.name() == name);
        named.ok_or("there is no such language")
    })
}
