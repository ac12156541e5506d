//! Python guests, built with componentize-py and the SDK of a checkout.
//!
//! guest-sdk/python/README.md has the same commands for those who run them by hand.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::step::Step;
use super::{BuildError, Sources, template};
use crate::files;

/// The file that says that a directory is a project.
pub(super) const MANIFEST: &str = "pyproject.toml";
/// How an author gets the builder.
const GET: &str =
    "run `pip install componentize-py==0.25.1`, in the project's .venv or where PATH leads";
/// The module that is built, which imports the author's. No world has its name.
const ENTRY: &str = "portcullis_component";

/// A project, and what its manifest says of it.
#[derive(Debug)]
pub(crate) struct PythonProject {
    /// Without links, so that whoever watches it sees the same paths.
    directory: PathBuf,
    name: String,
    version: String,
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
}

impl PythonProject {
    /// The project in `directory`.
    pub(super) fn find(directory: &Path) -> Result<Self, BuildError> {
        let file = directory.join(MANIFEST);
        let unreadable = |error: String| BuildError::Manifest { file: file.clone(), error };
        let text = files::read_config(&file).map_err(|error| unreadable(error.to_string()))?;
        let Manifest { project: About { name, version } } =
            toml::from_str(&text).map_err(|error| {
                unreadable(format!("it needs [project] with name and version: {}", error.message()))
            })?;
        // What a module's name is made of, but for the dashes that become underscores.
        let is_legal = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(is_legal) {
            return Err(unreadable(format!("{name:?} is no name of a module")));
        }
        let directory =
            files::resolved(directory).map_err(|error| unreadable(error.to_string()))?;
        let component = directory.join("dist").join(format!("{name}.wasm"));
        Ok(Self { directory, name, version, component })
    }

    pub(super) async fn build(&self) -> Result<(), BuildError> {
        let module = self.name.replace('-', "_");
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
            "from portcullis.provider import Tools, ready\nimport {module}\nready({name}, {version}, {module})\n"
        );
        let written = files::make_directories(&build)
            .and_then(|()| files::make_directories(&self.directory.join("dist")))
            .and_then(|()| files::replace(&build.join(format!("{ENTRY}.py")), entry.as_bytes()));
        written.map_err(|error| BuildError::Manifest {
            file: build.clone(),
            error: error.to_string(),
        })?;
        self.step(&sdks, &build).run(&self.directory).await?;
        match self.component.is_file() {
            true => Ok(()),
            false => Err(BuildError::NotBuilt(self.component.clone())),
        }
    }

    fn step(&self, sdks: &Path, build: &Path) -> Step {
        let own = self.directory.join(".venv/bin/componentize-py");
        let program = if own.is_file() { own } else { PathBuf::from("componentize-py") };
        let wit = sdks.parent().unwrap_or(sdks).join("wit");
        let python = sdks.join("python");
        let mut arguments: Vec<String> = vec!["--quiet".to_owned()];
        let mut add = |option: &str, value: &Path| {
            arguments.extend([option.to_owned(), value.display().to_string()]);
        };
        // In this order: the later one refers to the earlier one.
        add("--wit-path", &wit);
        add("--wit-path", &python.join("wit"));
        add("--world", Path::new("portcullis:python-sdk/sdk"));
        add("--features", Path::new("guest"));
        arguments.extend(["componentize", ENTRY].map(str::to_owned));
        let mut add = |option: &str, value: &Path| {
            arguments.extend([option.to_owned(), value.display().to_string()]);
        };
        add("--python-path", build);
        add("--python-path", &self.directory);
        add("--python-path", &python.join("src"));
        let dependencies = self.directory.join("deps");
        if dependencies.is_dir() {
            add("--python-path", &dependencies);
        }
        add("--output", &self.component);
        Step {
            program,
            get: GET,
            arguments,
            // Packages of an environment that is active would come first.
            without: &["VIRTUAL_ENV", "RUST_BACKTRACE"],
            ..Step::default()
        }
    }

    /// Where its sources are.
    pub(super) fn sources(&self) -> Sources {
        let in_it = |name: &str| self.directory.join(name);
        Sources {
            directories: [self.directory.clone()].into(),
            aside: ["build", "dist", "deps", "__pycache__"].map(in_it).into(),
            ..Sources::default()
        }
    }
}
