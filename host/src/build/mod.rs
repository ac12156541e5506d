//! Building a guest: from its source directory to a component file.
//!
//! A guest's toolchain runs as its author would run it, and says what it says unchanged.

mod javascript;
mod merge;
mod metadata;
mod native;
mod program;
mod project;
mod python;
mod rust;
mod step;
mod template;

use std::path::PathBuf;

pub(crate) use project::{Project, Sources};
pub use rust::{RustGuest, TARGET};
pub(crate) use template::{Language, sdks};

/// Why there is no component. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The directory holds no project.
    #[error(
        "`{0}` is no project: there is no Cargo.toml (Rust), package.json (TypeScript, JavaScript), \
         pyproject.toml (Python), nor wit/ with go.mod (Go), src/root.zig (Zig), src/*.cpp (C++) or \
         src/*.c (C) in it; `portcullis new` begins one"
    )]
    NoProject(PathBuf),
    /// What says that it is a project is no good.
    #[error("`{}`: {error}", .file.display())]
    Manifest {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        error: String,
    },
    /// The directory holds a workspace, and no package.
    #[error("`{0}` is a workspace without a package of its own; name the directory of a package")]
    NoPackage(PathBuf),
    /// A program is not there or does not start.
    #[error("`{program}` does not start: {error}; {get}")]
    Missing {
        /// The program.
        program: String,
        /// What the system says.
        error: std::io::Error,
        /// How it is got.
        get: &'static str,
    },
    /// The target cannot be added.
    #[error(
        "the Rust target {TARGET} is missing and `rustup target add {TARGET}` failed: {0}; \
         add the target by hand"
    )]
    Target(String),
    /// The compiler refused.
    #[error("`{command}` failed in `{directory}`; its own words are above")]
    Failed {
        /// What was run.
        command: String,
        /// Where it was run.
        directory: PathBuf,
    },
    /// It compiled, and there is no component.
    #[error(
        "`{0}` built no component; its Cargo.toml needs `[lib]` with `crate-type = [\"cdylib\"]`"
    )]
    NoComponent(PathBuf),
    /// The SDK is not where this program was built.
    #[error(
        "the SDK for Python is not here; build this program in a checkout of the project, and keep \
         the checkout"
    )]
    NoSdk,
    /// There is no compiler, or none that can. The text says how one is got.
    #[error("{0}")]
    NoToolchain(String),
    /// What the project says does not go together.
    #[error("{0}")]
    Unfit(String),
    /// What belongs to a build cannot be written.
    #[error("cannot write `{}`: {error}; make it writable", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// It was built without a complaint, and there is no component.
    #[error("the build made no `{0}`; its own words are above")]
    NotBuilt(PathBuf),
    /// The project has another name now.
    #[error("it built `{built}`, and `{expected}` is served; start the command again")]
    Elsewhere {
        /// The component that was built.
        built: PathBuf,
        /// The component that is served.
        expected: PathBuf,
    },
}
