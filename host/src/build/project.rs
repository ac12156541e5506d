//! A project, whatever its language: what is in a directory, where its sources are, and how it is
//! built.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::BuildError;
use super::javascript::{self, JavaScriptProject};
use super::native::NativeProject;
use super::python::{self, PythonProject};
use super::rust::RustProject;

/// What a component is built from.
#[derive(Debug)]
pub(crate) enum Project {
    /// With cargo.
    Rust(RustProject),
    /// With npm and Node.js.
    JavaScript(JavaScriptProject),
    /// With componentize-py.
    Python(PythonProject),
    /// In C, C++, Zig or Go, without an SDK.
    Native(NativeProject),
}

impl Project {
    /// The project in `directory`, to be built with `profile` where its language has profiles.
    ///
    /// # Errors
    /// When there is none, or its own toolchain does not understand it.
    pub(crate) async fn find(directory: &Path, profile: &str) -> Result<Self, BuildError> {
        if directory.join("Cargo.toml").is_file() {
            return RustProject::find(directory, profile).await.map(Self::Rust);
        }
        if directory.join(javascript::MANIFEST).is_file() {
            return JavaScriptProject::find(directory).map(Self::JavaScript);
        }
        if directory.join(python::MANIFEST).is_file() {
            return PythonProject::find(directory).map(Self::Python);
        }
        let native = NativeProject::find(directory)?;
        native.map(Self::Native).ok_or_else(|| BuildError::NoProject(directory.to_owned()))
    }

    /// Where the component is once it is built.
    pub(crate) fn component(&self) -> &Path {
        match self {
            Self::Rust(project) => &project.component,
            Self::JavaScript(project) => &project.component,
            Self::Python(project) => &project.component,
            Self::Native(project) => &project.component,
        }
    }

    /// Builds the component; `tell` is how the author is told what a compiler does not say. When this
    /// is dropped, the compiler ends.
    ///
    /// # Errors
    /// When it does not build to a component.
    pub(crate) async fn build(&self, tell: impl AsyncFn(String)) -> Result<(), BuildError> {
        match self {
            Self::Rust(project) => project.build().await,
            Self::JavaScript(project) => project.build().await,
            Self::Python(project) => project.build().await,
            Self::Native(project) => project.build(tell).await,
        }
    }

    /// Where its sources are, before anything is known of what it depends on.
    pub(crate) fn own_sources(&self) -> Sources {
        match self {
            Self::Rust(project) => project.own_sources(),
            Self::JavaScript(project) => project.sources(),
            Self::Python(project) => project.sources(),
            Self::Native(project) => project.sources(),
        }
    }

    /// Where its sources are, those of what it depends on included, as far as they are local.
    ///
    /// # Errors
    /// When its own toolchain does not understand it any more.
    pub(crate) async fn sources(&self) -> Result<Sources, BuildError> {
        match self {
            Self::Rust(project) => project.sources().await,
            Self::JavaScript(project) => Ok(project.sources()),
            Self::Python(project) => Ok(project.sources()),
            Self::Native(project) => Ok(project.sources()),
        }
    }
}

/// What a project is built from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sources {
    /// Directories, with all that is below them, hidden files aside.
    pub(crate) directories: BTreeSet<PathBuf>,
    /// Single files.
    pub(crate) files: BTreeSet<PathBuf>,
    /// Files and directories in those directories that are no source.
    pub(crate) aside: BTreeSet<PathBuf>,
    /// Sources that the build itself may write to.
    pub(crate) written: BTreeSet<PathBuf>,
}

impl Sources {
    /// Adds those of a project that is depended on.
    pub(super) fn add(&mut self, other: Self) {
        self.directories.extend(other.directories);
        self.files.extend(other.files);
        self.aside.extend(other.aside);
        self.written.extend(other.written);
    }

    /// Whether a file at `path` is one of them.
    pub(crate) fn have(&self, path: &Path) -> bool {
        let is_aside = |root: &Path| {
            self.aside.iter().any(|aside| aside.starts_with(root) && path.starts_with(aside))
        };
        let is_below = |root: &PathBuf| {
            let below = path.strip_prefix(root).ok();
            below.is_some_and(|below| !below.components().any(|part| is_hidden(part.as_os_str())))
                && !is_aside(root)
        };
        self.files.contains(path) || self.directories.iter().any(is_below)
    }
}

/// Hidden files and directories, and those that editors leave beside what they edit.
fn is_hidden(name: &std::ffi::OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") || name.starts_with(b"#") || name.ends_with(b"~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_built_or_elsewhere_is_no_source() {
        let set = |paths: &[&str]| paths.iter().map(PathBuf::from).collect();
        let sources = Sources {
            directories: set(&["/.work/tool", "/.work/tool/.vendor/dep", "/.work/tool/target/in"]),
            files: set(&["/.work/Cargo.toml"]),
            aside: set(&["/.work/tool/target", "/.work/tool/portcullis.toml"]),
            written: BTreeSet::new(),
        };
        for (path, is_one) in [
            ("/.work/tool/src/lib.rs", true),
            ("/.work/tool/src/target/mod.rs", true),
            ("/.work/tool/words.txt", true),
            ("/.work/tool/.vendor/dep/src/lib.rs", true),
            ("/.work/tool/target/in/lib.rs", true),
            ("/.work/Cargo.toml", true),
            ("/.work/README.md", false),
            ("/.work/tool/target", false),
            ("/.work/tool/target/debug/x.d", false),
            ("/.work/tool/portcullis.toml", false),
            ("/.work/tool/.git/index", false),
            ("/.work/tool/src/.lib.rs.swp", false),
            ("/.work/tool/src/lib.rs~", false),
            ("/.work/tool/src/#lib.rs#", false),
            ("/.work/toolbox/lib.rs", false),
        ] {
            assert_eq!(sources.have(Path::new(path)), is_one, "{path}");
        }
    }
}
