//! JavaScript and TypeScript guests, built with what their package.json asks for.
//!
//! The SDK's own builder makes the component; a project brings it with `@portcullis/guest`.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::step::Step;
use super::{BuildError, Sources};
use crate::files;

/// The file that says that a directory is a project.
pub(super) const MANIFEST: &str = "package.json";
/// Where a project's dependencies are.
const MODULES: &str = "node_modules";
/// How an author gets Node.js.
const NODE: &str = "install Node.js 20 or newer from https://nodejs.org";

/// A project, and what its manifest says of it.
#[derive(Debug)]
pub(crate) struct JavaScriptProject {
    /// Without links, so that whoever watches it sees the same paths.
    directory: PathBuf,
    /// Where the component is once it is built.
    pub(super) component: PathBuf,
}

#[derive(Deserialize)]
struct Manifest {
    name: String,
}

impl JavaScriptProject {
    /// The project in `directory`.
    pub(super) fn find(directory: &Path) -> Result<Self, BuildError> {
        let unreadable =
            |error: String| BuildError::Manifest { file: directory.join(MANIFEST), error };
        let text = files::read_config(&directory.join(MANIFEST))
            .map_err(|error| unreadable(error.to_string()))?;
        let manifest: Manifest =
            serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
        // A scope is no part of the name (npm: package.json, name).
        let name = manifest.name.rsplit('/').next().unwrap_or_default();
        if name.is_empty() || name.starts_with('.') {
            return Err(unreadable(format!("`{name}` is no name of a package")));
        }
        let directory =
            files::resolved(directory).map_err(|error| unreadable(error.to_string()))?;
        let component = directory.join("dist").join(format!("{name}.wasm"));
        Ok(Self { directory, component })
    }

    pub(super) async fn build(&self) -> Result<(), BuildError> {
        // Where it cannot be made, the builder says so.
        let _ = self.component.parent().map(files::make_directories);
        for step in self.steps() {
            step.run(&self.directory).await?;
        }
        match self.component.is_file() {
            true => Ok(()),
            false => Err(BuildError::NotBuilt(self.component.clone())),
        }
    }

    fn steps(&self) -> Vec<Step> {
        let modules = self.directory.join(MODULES);
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let install = match self.directory.join("package-lock.json").is_file() {
            true => "ci",
            false => "install",
        };
        let install = Step {
            program: "npm".into(),
            get: NODE,
            arguments: words(&[install, "--no-fund", "--no-audit"]),
            unless: Some(modules),
            ..Step::default()
        };
        let node =
            |arguments| Step { program: "node".into(), get: NODE, arguments, ..Step::default() };
        let mut steps = vec![install];
        if self.directory.join("tsconfig.json").is_file() {
            steps.push(node(words(&["node_modules/typescript/bin/tsc", "--noEmit"])));
        }
        let component = self.component.display().to_string();
        let builder = "node_modules/@portcullis/guest/build/main.mjs";
        steps.push(node(words(&[builder, "-o", &component])));
        steps
    }

    /// Where its sources are.
    pub(super) fn sources(&self) -> Sources {
        let in_it = |name: &str| self.directory.join(name);
        Sources {
            directories: [self.directory.clone()].into(),
            aside: [in_it(MODULES), in_it("dist")].into(),
            written: [in_it("package-lock.json")].into(),
            ..Sources::default()
        }
    }
}
