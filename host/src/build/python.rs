//! Python guests, built with componentize-py and the SDK of a checkout.
//!
//! guest-sdk/python/README.md has the same commands for those who run them by hand.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::program::is_on_path;
use super::step::Step;
use super::{BuildError, Sources, merge, template};
use crate::files::{self, Capped};

/// The file that says that a directory is a project.
pub(super) const MANIFEST: &str = "pyproject.toml";
/// How an author gets Python.
const PYTHON: &str = "install Python 3.11 or newer, with venv and pip";
/// The program that makes components, and its version.
const BUILDER: &str = "componentize-py";
const VERSION: &str = "componentize-py==0.25.1";
const PIP: [&str; 5] = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
/// Only what runs on any machine, as the component is none that pip knows.
const PURE: [&str; 11] = [
    "--target",
    DEPENDENCIES,
    "--only-binary=:all:",
    "--platform",
    "any",
    "--implementation",
    "py",
    "--abi",
    "none",
    "--python-version",
    "3.14",
];
/// What interfaces are called where two would have one name.
const NAMES: [&str; 2] = ["portcullis:guest/types@0.1.0=types", "wasi:http/types@0.2.6=http_types"];
/// Where the packages are that the tools depend on.
const DEPENDENCIES: &str = "deps";
/// What is looked through for imports.
const DIRECTORIES_MAX: usize = 1000;
const MODULE_BYTES_MAX: u64 = 4 << 20;
/// Packages of an environment that is active would come first.
const WITHOUT: [&str; 2] = ["VIRTUAL_ENV", "RUST_BACKTRACE"];
/// What it makes, whose core modules are merged then: the most bytes that it may have.
const LINKED: &str = "build/linked.wasm";
const LINKED_BYTES_MAX: u64 = 1 << 30;
/// The module that is built, which imports the author's. No world has its name.
const ENTRY: &str = "portcullis_component";
/// The file of the world that is built, and what every component has of it.
const WORLD: &str = "component.wit";
const WORLD_BEGIN: &str = "package portcullis:python-component;\n\nworld component {\n  include portcullis:python-sdk/sdk;\n";

/// What only those components have that use it: an import or export of a world is in every component
/// of it.
struct Part {
    /// Its name in `portcullis`; a module that imports it uses it.
    name: &'static str,
    /// What stands in the world.
    item: &'static str,
}

const HTTP: Part = Part { name: "http", item: "import wasi:http/outgoing-handler@0.2.6" };
const PARTS: [Part; 5] = [
    HTTP,
    Part { name: "changed", item: "include portcullis:guest/change-announcer@0.1.0" },
    Part { name: "resource", item: "include portcullis:guest/resource-provider@0.1.0" },
    Part { name: "prompt", item: "include portcullis:guest/prompt-provider@0.1.0" },
    Part { name: "complete", item: "include portcullis:guest/completion-provider@0.1.0" },
];

/// A project, and what its manifest says of it.
#[derive(Debug)]
pub(crate) struct PythonProject {
    /// Without links, so that whoever watches it sees the same paths.
    directory: PathBuf,
    name: String,
    version: String,
    /// What it depends on beside the SDK, as pip takes it.
    dependencies: Vec<String>,
    /// Where the component is once it is built.
    pub(super) component: PathBuf,
}

#[derive(Deserialize)]
struct Manifest {
    project: About,
}

#[derive(Deserialize)]
struct About {
    name: String,
    version: String,
    #[serde(default)]
    dependencies: Vec<String>,
}

/// The name of the module that has the tools of a project.
pub(super) fn module(project: &str) -> String {
    project.replace('-', "_")
}

/// Whether a dependency is the SDK, which is that of this program.
fn is_sdk(dependency: &str) -> bool {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let rest = dependency.trim_start().trim_start_matches(is_of_name);
    dependency.trim_start().strip_suffix(rest) == Some("portcullis")
}

/// Whether a Python text uses what is called `name` in `portcullis`: imports it, or decorates with a
/// method of that name, as those of a server are.
fn uses(text: &str, name: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let names = |text: &str| text.split(|c| !is_of_name(c)).any(|word| word == name);
    let begins =
        |text: &str| text.strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_of_name));
    let imports = text.match_indices("portcullis").any(|(at, word)| {
        let rest = text[at + word.len()..].trim_start();
        if let Some(module) = rest.strip_prefix('.') {
            return begins(module);
        }
        let Some(imported) = rest.strip_prefix("import") else { return false };
        let end = if imported.trim_start().starts_with('(') { ')' } else { '\n' };
        names(imported.split(end).next().unwrap_or_default())
    });
    let decorates = |line: &str| {
        let called = line.trim_start().strip_prefix('@').and_then(|it| it.split_once('.'));
        called.is_some_and(|(of, method)| of.chars().all(is_of_name) && begins(method))
    };
    imports || text.lines().any(decorates)
}

impl PythonProject {
    /// The project in `directory`.
    pub(super) fn find(directory: &Path) -> Result<Self, BuildError> {
        let file = directory.join(MANIFEST);
        let unreadable = |error: String| BuildError::Manifest { file: file.clone(), error };
        let text = files::read_config(&file).map_err(|error| unreadable(error.to_string()))?;
        let Manifest { project: About { name, version, mut dependencies } } = toml::from_str(&text)
            .map_err(|error| {
                unreadable(format!("it needs [project] with name and version: {}", error.message()))
            })?;
        // What a module's name is made of, but for the dashes that become underscores.
        let is_legal = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(is_legal) {
            return Err(unreadable(format!("{name:?} is no name of a module")));
        }
        dependencies.retain(|dependency| !is_sdk(dependency));
        let directory =
            files::resolved(directory).map_err(|error| unreadable(error.to_string()))?;
        let component = directory.join("dist").join(format!("{name}.wasm"));
        Ok(Self { directory, name, version, dependencies, component })
    }

    pub(super) async fn build(&self) -> Result<(), BuildError> {
        let module = module(&self.name);
        let file = self.directory.join(format!("{module}.py"));
        if !file.is_file() {
            let error =
                format!("its tools are looked for in `{}`, which is not there", file.display());
            return Err(BuildError::Manifest { file: self.directory.join(MANIFEST), error });
        }
        let sdks = template::sdks().ok_or(BuildError::NoSdk)?;
        let build = self.directory.join("build");
        let [name, version] =
            [&self.name, &self.version].map(|text| serde_json::Value::from(text.as_str()));
        let entry = format!(
            "from portcullis.provider import *\nimport {module}\nready({name}, {version}, {module})\n"
        );
        let parts = self.parts();
        let items = parts.iter().map(|part| format!("  {};\n", part.item));
        let world = format!("{WORLD_BEGIN}{}}}\n", items.collect::<String>());
        let written = files::make_directories(&build)
            .and_then(|()| files::make_directories(&self.directory.join("dist")))
            .and_then(|()| files::replace(&build.join(format!("{ENTRY}.py")), entry.as_bytes()))
            .and_then(|()| files::replace(&build.join(WORLD), world.as_bytes()));
        written.map_err(|error| BuildError::Manifest {
            file: build.clone(),
            error: error.to_string(),
        })?;
        for step in self.installs() {
            step.run(&self.directory).await?;
        }
        self.step(&sdks, &build, &parts).run(&self.directory).await?;
        let linked = self.directory.join(LINKED);
        let Ok(Capped::Whole(component)) = files::read(&linked, LINKED_BYTES_MAX) else {
            return Err(BuildError::NotBuilt(linked));
        };
        files::replace(&self.component, &merge::merged(component))
            .map_err(|error| BuildError::Unwritable { path: self.component.clone(), error })
    }

    /// What is got from PyPI before the first build: the builder, unless PATH leads to one, and what
    /// the tools depend on.
    fn installs(&self) -> Vec<Step> {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let step = |program: PathBuf, arguments, unless| Step {
            program,
            get: PYTHON,
            arguments,
            without: &WITHOUT,
            unless: Some(unless),
            ..Step::default()
        };
        let own = self.directory.join(".venv/bin/python");
        let mut steps = Vec::new();
        if !is_on_path(BUILDER) {
            let pip = [&PIP[..], &[VERSION]].concat();
            let venv = words(&["-m", "venv", ".venv"]);
            steps.push(step("python3".into(), venv, own.clone()));
            steps.push(step(
                own.clone(),
                words(&pip),
                self.directory.join(".venv/bin").join(BUILDER),
            ));
        }
        if !self.dependencies.is_empty() {
            let python = if is_on_path(BUILDER) && !own.is_file() { "python3".into() } else { own };
            let mut pip: Vec<String> = words(&[&PIP[..], &PURE[..]].concat());
            pip.extend(self.dependencies.iter().cloned());
            steps.push(step(python, pip, self.directory.join(DEPENDENCIES)));
        }
        steps
    }

    fn step(&self, sdks: &Path, build: &Path, parts: &[Part]) -> Step {
        let own = self.directory.join(".venv/bin").join(BUILDER);
        let program = if own.is_file() { own } else { PathBuf::from(BUILDER) };
        let wit = sdks.parent().unwrap_or(sdks).join("wit");
        let python = sdks.join("python");
        let mut arguments: Vec<String> = vec!["--quiet".to_owned()];
        let mut add = |option: &str, value: &Path| {
            arguments.extend([option.to_owned(), value.display().to_string()]);
        };
        // In this order: the later one refers to the earlier one.
        add("--wit-path", &wit);
        add("--wit-path", &python.join("wit"));
        add("--wit-path", &build.join(WORLD));
        add("--world", Path::new("portcullis:python-component/component"));
        if parts.iter().any(|part| part.name == HTTP.name) {
            for name in NAMES {
                add("--import-interface-name", Path::new(name));
            }
        }
        arguments.extend(["componentize", ENTRY].map(str::to_owned));
        let mut add = |option: &str, value: &Path| {
            arguments.extend([option.to_owned(), value.display().to_string()]);
        };
        add("--python-path", build);
        add("--python-path", &self.directory);
        add("--python-path", &python.join("src"));
        let dependencies = self.directory.join(DEPENDENCIES);
        if dependencies.is_dir() {
            add("--python-path", &dependencies);
        }
        add("--output", &self.directory.join(LINKED));
        Step { program, get: PYTHON, arguments, without: &WITHOUT, ..Step::default() }
    }

    /// What its modules use of the SDK beyond what every component has.
    fn parts(&self) -> Vec<Part> {
        let sources = self.sources();
        let enter = |path: &Path| sources.have(path);
        let directories = files::directories(&self.directory, enter, DIRECTORIES_MAX);
        let modules = directories.iter().flat_map(|directory| files::named(directory, ".py"));
        let texts: Vec<String> = modules
            .filter_map(|module| match files::read(&module, MODULE_BYTES_MAX) {
                Ok(Capped::Whole(text)) => Some(String::from_utf8_lossy(&text).into_owned()),
                Ok(_) | Err(_) => None,
            })
            .collect();
        let is_used = |part: &Part| texts.iter().any(|text| uses(text, part.name));
        PARTS.into_iter().filter(is_used).collect()
    }

    /// Where its sources are.
    pub(super) fn sources(&self) -> Sources {
        let in_it = |name: &str| self.directory.join(name);
        Sources {
            directories: [self.directory.clone()].into(),
            aside: ["build", "dist", DEPENDENCIES, "__pycache__"].map(in_it).into(),
            ..Sources::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sdk_is_told_from_what_else_is_depended_on() {
        for (dependency, is_one) in [
            ("portcullis", true),
            ("portcullis==0.1.0", true),
            ("portcullis @ file:///a/portcullis", true),
            (" portcullis[x] >= 1", true),
            ("portcullis-more", false),
            ("portcullis_more", false),
            ("idna==3.20", false),
        ] {
            assert_eq!(is_sdk(dependency), is_one, "{dependency}");
        }
    }
    #[test]
    fn what_is_used_of_the_sdk_is_seen_in_each_form() {
        for (text, is_one) in [
            ("from portcullis import http\n", true),
            ("from portcullis import (\n    Field,\n    http,\n)\n", true),
            ("from portcullis import tool, http as web\n", true),
            ("import portcullis.http\n", true),
            ("from portcullis.http import get\n", true),
            ("    from portcullis import http", true),
            ("from portcullis import tool\nimport http\n", false),
            ("from portcullis import tool\nrequires(http=[])\n", false),
            ("from portcullis import (\n    tool,\n)\nrequires(http=[])\n", false),
            ("from portcullis.https import a\n", false),
            ("# portcullis speaks http\n", false),
            ("import portcullis\n@portcullis.http(\"a\")\n", true),
            ("@server.http(\n    \"a\"\n)\n", true),
            ("@server.https(\"a\")\nserver.http()\n", false),
            ("# http of @server.http\nhttp = 1\n", false),
        ] {
            assert_eq!(uses(text, "http"), is_one, "{text}");
        }
    }
}
