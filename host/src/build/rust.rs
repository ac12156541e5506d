//! Rust guests, built with cargo.
//!
//! A guest is built in a target directory that no other cargo holds: a cargo inside a cargo
//! would wait for the outer one's lock.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::BuildError;

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
    /// Builds the component and returns its file. Adds the compilation target if it is missing.
    /// What the compiler says goes to stderr; progress too, when that is a terminal.
    ///
    /// # Errors
    /// When there is no project, no Rust, or the code does not compile to a component.
    pub fn build(&self) -> Result<PathBuf, BuildError> {
        if !self.directory.join("Cargo.toml").is_file() {
            return Err(BuildError::NoProject(self.directory.clone()));
        }
        ensure_target(&self.directory)?;
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
        let output =
            cargo.output().map_err(|error| BuildError::Missing { program: "cargo", error })?;
        if !output.status.success() {
            return Err(BuildError::Failed {
                command: format!("cargo build --lib --target {TARGET} --profile {}", self.profile),
                directory: self.directory.clone(),
            });
        }
        component(&output.stdout).ok_or_else(|| BuildError::NoComponent(self.directory.clone()))
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
fn ensure_target(directory: &Path) -> Result<(), BuildError> {
    let sysroot = tool("rustc", directory)
        .args(["--print", "sysroot"])
        .output()
        .map_err(|error| BuildError::Missing { program: "rustc", error })?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim());
    if sysroot.join("lib/rustlib").join(TARGET).join("lib").is_dir() {
        return Ok(());
    }
    let added = tool("rustup", directory)
        .args(["target", "add", TARGET])
        .output()
        .map_err(|error| BuildError::Target(error.to_string()))?;
    if !added.status.success() {
        let words = String::from_utf8_lossy(&added.stderr);
        return Err(BuildError::Target(words.trim().replace('\n', " ")));
    }
    Ok(())
}

/// A program of the toolchain that `directory` asks for, whatever toolchain or build this
/// process was started from.
#[expect(clippy::disallowed_methods, reason = "this is the door for programs")]
fn tool(program: &str, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(directory).stdin(Stdio::null());
    for inherited in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"]
    {
        command.env_remove(inherited);
    }
    command
}
