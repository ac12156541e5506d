//! Rust guests, built with cargo.
//!
//! A guest is built in a target directory that no other cargo holds: a cargo inside a cargo
//! would wait for the outer one's lock.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::program::{output, tool};
use super::{BuildError, Sources, metadata};

/// How an author gets Rust.
pub(super) const RUST: &str = "install Rust from https://rustup.rs";

/// The target that makes components.
pub const TARGET: &str = "wasm32-wasip2";

/// A Rust project that builds to a component.
#[derive(Clone, Debug)]
pub struct RustGuest {
    /// Where its Cargo.toml is.
    pub directory: PathBuf,
    /// Where cargo puts what it builds.
    pub target_directory: PathBuf,
    /// A cargo profile that the project has; `release` always is one.
    pub profile: String,
}

impl RustGuest {
    /// Builds the component and returns its file, as [`RustGuest::built`] does, for those who wait
    /// for nothing else meanwhile.
    ///
    /// # Errors
    /// When there is no project, no Rust, or the code does not compile to a component.
    pub fn build(&self) -> Result<PathBuf, BuildError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime
            .map_err(|error| BuildError::Missing { program: "cargo".to_owned(), error, get: RUST })?
            .block_on(self.built())
    }

    /// Builds the component and returns its file. Adds the compilation target if it is missing.
    /// What the compiler says goes to stderr; progress too, when that is a terminal. When this is
    /// dropped, cargo ends.
    ///
    /// # Errors
    /// When there is no project, no Rust, or the code does not compile to a component.
    pub async fn built(&self) -> Result<PathBuf, BuildError> {
        self.is_there()?;
        ensure_target(&self.directory).await?;
        let mut cargo = tool("cargo", &self.directory);
        cargo
            .args([
                "build",
                "--lib",
                "--message-format=json-render-diagnostics",
                "--target",
                TARGET,
            ])
            .args(["--profile", &self.profile])
            .arg("--target-dir")
            .arg(&self.target_directory)
            .stderr(Stdio::inherit());
        if !std::io::stderr().is_terminal() {
            cargo.arg("--quiet");
        }
        let output = output(cargo).await.map_err(|error| BuildError::Missing {
            program: "cargo".to_owned(),
            error,
            get: RUST,
        })?;
        if !output.status.success() {
            return Err(BuildError::Failed {
                command: format!("cargo build --lib --target {TARGET} --profile {}", self.profile),
                directory: self.directory.clone(),
            });
        }
        component(&output.stdout).ok_or_else(|| BuildError::NoComponent(self.directory.clone()))
    }

    fn is_there(&self) -> Result<(), BuildError> {
        match self.directory.join("Cargo.toml").is_file() {
            true => Ok(()),
            false => Err(BuildError::NoProject(self.directory.clone())),
        }
    }
}

/// A Rust project, and what cargo says of it.
#[derive(Debug)]
pub(crate) struct RustProject {
    guest: RustGuest,
    /// Where the component is once it is built.
    pub(super) component: PathBuf,
    /// What is known of its sources before anything was built.
    own: Sources,
}

impl RustProject {
    /// The project in `directory`, built with `profile`.
    pub(super) async fn find(directory: &Path, profile: &str) -> Result<Self, BuildError> {
        let mut guest = RustGuest {
            directory: directory.to_owned(),
            target_directory: PathBuf::new(),
            profile: profile.to_owned(),
        };
        guest.is_there()?;
        let said = metadata::package(directory).await?;
        guest.target_directory = said.target_directory.clone();
        // These two profiles are older than the rule that a directory has the profile's name.
        let profile = match profile {
            "dev" | "test" => "debug",
            "bench" => "release",
            named => named,
        };
        let file = format!("{}.wasm", said.library);
        let component = said.target_directory.join(TARGET).join(profile).join(file);
        Ok(Self { guest, component, own: said.sources })
    }

    pub(super) async fn build(&self) -> Result<(), BuildError> {
        let built = self.guest.built().await?;
        let [is, was] = [&built, &self.component].map(|at| crate::files::resolved(at).ok());
        match is == was {
            true => Ok(()),
            false => Err(BuildError::Elsewhere { built, expected: self.component.clone() }),
        }
    }

    /// Where its sources are, those of the local packages that it depends on included.
    pub(super) async fn sources(&self) -> Result<Sources, BuildError> {
        let mut sources = self.own.clone();
        sources.add(metadata::dependencies(&self.guest.directory).await?);
        Ok(sources)
    }

    /// Where its sources are as far as it is known without what it depends on.
    pub(super) fn own_sources(&self) -> Sources {
        self.own.clone()
    }
}

/// The last .wasm that cargo reports: dependencies come before what depends on them.
fn component(messages: &[u8]) -> Option<PathBuf> {
    messages
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact")
        .filter_map(|message| {
            let files = message["filenames"].as_array()?;
            let wasm = files.iter().filter_map(|file| file.as_str()).find(|f| f.ends_with(".wasm"));
            wasm.map(PathBuf::from)
        })
        .next_back()
}

/// Adds [`TARGET`] to the toolchain that serves `directory`, unless it is there.
async fn ensure_target(directory: &Path) -> Result<(), BuildError> {
    let mut rustc = tool("rustc", directory);
    rustc.args(["--print", "sysroot"]);
    let sysroot = output(rustc).await.map_err(|error| BuildError::Missing {
        program: "rustc".to_owned(),
        error,
        get: RUST,
    })?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim());
    if sysroot.join("lib/rustlib").join(TARGET).join("lib").is_dir() {
        return Ok(());
    }
    let mut rustup = tool("rustup", directory);
    rustup.args(["target", "add", TARGET]);
    let added = output(rustup).await.map_err(|error| BuildError::Target(error.to_string()))?;
    if !added.status.success() {
        let words = String::from_utf8_lossy(&added.stderr);
        return Err(BuildError::Target(words.trim().replace('\n', " ")));
    }
    Ok(())
}
