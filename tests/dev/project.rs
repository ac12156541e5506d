//! Projects in directories of their own.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Once;

use tempfile::TempDir;

use crate::harness::{Era, Server, checkout, program, state};

/// A project of one library.
pub(super) struct Project {
    directory: TempDir,
    /// Whether its dependencies are built where those of other trials are.
    shares: bool,
}

impl Project {
    /// One with the SDK of this checkout. What it depends on is built once for all of them; each has
    /// a name of its own, since the place of what is built is known by it.
    pub(super) fn new(name: &str, source: &str) -> Self {
        let sdk = toml_string(&checkout().join("guest-sdk/rust"));
        let manifest = format!(
            "{}\n[dependencies]\nportcullis-guest = {{ path = {sdk} }}\n\n[profile.release]\n\
             opt-level = 0\n",
            manifest(name)
        );
        let project = Self::of(&manifest, source, true);
        // The versions that the checkout has, wherever they come from.
        let lock = fs::read_to_string(checkout().join("Cargo.lock")).expect("it can be read");
        project.file("Cargo.lock", &lock);
        project
    }

    /// One that needs nothing.
    pub(super) fn without_dependencies(name: &str, source: &str) -> Self {
        Self::of(&manifest(name), source, false)
    }

    fn of(manifest: &str, source: &str, shares: bool) -> Self {
        let directory = tempfile::tempdir().expect("the temporary directory can be written");
        let project = Self { directory, shares };
        let toolchain = fs::read_to_string(checkout().join("rust-toolchain.toml"));
        project.file("rust-toolchain.toml", &toolchain.expect("it can be read"));
        project.file("Cargo.toml", manifest);
        fs::create_dir(project.path().join("src")).expect("it can be made");
        project.save(source);
        project
    }

    pub(super) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Writes a file.
    pub(super) fn file(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).expect("it can be written");
    }

    /// Replaces the source, as editors do.
    pub(super) fn save(&self, source: &str) {
        self.file("src/.lib.rs.new", source);
        let [from, to] = [".lib.rs.new", "lib.rs"].map(|name| self.path().join("src").join(name));
        fs::rename(from, to).expect("it can be put in place");
    }

    /// `portcullis dev` of it.
    pub(super) fn command(&self, options: &[&str]) -> Command {
        let mut command = program();
        command.arg("dev").args(options).arg(self.path());
        if self.shares {
            // Not the one that `cargo test` holds the lock of.
            command.env("CARGO_TARGET_DIR", state("dev"));
        }
        command
    }

    /// Serves it over stdio. What it depends on was built before: a client waits for a first build, but
    /// not for ever.
    pub(super) fn serve(&self, options: &[&str]) -> Server {
        static BUILT: Once = Once::new();
        BUILT.call_once(|| {
            let first =
                Self::new("first", "#[portcullis_guest::tool]\nfn one() -> u32 {\n    1\n}\n");
            let mut build = program();
            build.arg("build").arg(first.path()).env("CARGO_TARGET_DIR", state("dev"));
            let output = build.output().expect("the command starts");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        });
        Server::of(Era::Handshake, &mut self.command(options))
    }
}

fn manifest(name: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\n\
         crate-type = [\"cdylib\"]\n"
    )
}

fn toml_string(path: &Path) -> String {
    serde_json::to_string(path.to_str().expect("the checkout has a name in UTF-8"))
        .expect("a text is JSON, and TOML as well")
}
