//! What was approved goes on serving, and nothing else does.

mod approve;
mod held;
mod modes;
mod words;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::generated::{Gives, Package, wave};
use crate::harness::{Run, Server, run};

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = approve::trials();
    trials.extend(held::trials());
    trials.extend(modes::trials());
    trials.extend(words::trials());
    trials
}

/// A directory with a config, a lock and components.
struct Place(TempDir);

impl Place {
    /// One with the component `tool`, which is not approved.
    fn new(bytes: &[u8]) -> Self {
        Self::configured("[components.tool]\npath = \"my tool.wasm\"\n", bytes)
    }

    /// The same with this config.
    fn configured(config: &str, bytes: &[u8]) -> Self {
        let place = Self(tempfile::tempdir().expect("the temporary directory can be written"));
        place.write("portcullis.toml", config.as_bytes());
        place.write("my tool.wasm", bytes);
        place
    }

    /// One whose component was approved.
    fn approved(bytes: &[u8]) -> Self {
        let place = Self::new(bytes);
        place.approve();
        place
    }

    fn approve(&self) {
        let run = self.run(&["approve"]);
        assert_eq!(run.status, 0, "{} {}", run.stdout, run.stderr);
    }

    /// What differs, as JSON: each place with what it was and is.
    fn differs(&self) -> Vec<Value> {
        let run = self.run(&["approve", "--dry-run", "--json"]);
        let report: Value = serde_json::from_str(&run.stdout).expect("it prints JSON");
        let components = report["components"].as_array().expect("a list");
        let differences: Vec<Value> = components
            .iter()
            .flat_map(|component| component["differences"].as_array().expect("a list"))
            .cloned()
            .collect();
        assert_eq!(run.status, i32::from(!differences.is_empty()), "{}", run.stderr);
        differences
    }

    /// Where it differs, in words with dots between.
    fn differs_in(&self) -> Vec<String> {
        let place = |difference: &Value| {
            let path = difference["path"].as_array().expect("a list").iter();
            path.map(|word| word.as_str().expect("a word")).collect::<Vec<_>>().join(".")
        };
        self.differs().iter().map(place).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("the temporary directory can be written");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("it is there")
    }

    /// Puts another version of the component in place, at once.
    fn replace(&self, bytes: &[u8]) {
        self.write("aside", bytes);
        fs::rename(self.path("aside"), self.path("my tool.wasm")).expect("it can be put in place");
    }

    fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Run {
        run(self.0.path(), arguments)
    }

    fn serve(&self, arguments: &[&str]) -> Server {
        let config = self.path("portcullis.toml");
        let mut all = vec![OsStr::new("--config"), config.as_os_str()];
        all.extend(arguments.iter().map(OsStr::new));
        Server::start(&all)
    }
}

/// What `portcullis status` says of a server.
fn status(server: &Server) -> Value {
    let pid = server.pid().to_string();
    let run = run(Path::new("/"), &["status", "--json", &pid]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let reports: Value = serde_json::from_str(&run.stdout).expect("it prints JSON");
    assert_eq!(reports.as_array().map(Vec::len), Some(1), "{reports}");
    reports[0].clone()
}

/// A component of one function, `version`, that gives a number.
fn version(number: u32) -> Vec<u8> {
    functions("version: func() -> u32;", number)
}

/// A component of these functions, each of which gives a number.
fn functions(functions: &str, number: u32) -> Vec<u8> {
    let wit = format!(
        "package test:versions@1.0.0;\ninterface api {{\n{functions}\n}}\n\
         world w {{\nexport api;\n}}\n"
    );
    let package = Package::parse(&wit);
    package.component(|function| match package.result(function) {
        Some(ty) => Gives::Value(wave::parse(&ty, &number.to_string())),
        None => Gives::Nothing,
    })
}

/// What the tool `version` says.
fn asked(server: &mut Server) -> u64 {
    let result = server.call("version", json!({}));
    let number = result["structuredContent"]["result"].as_u64();
    number.unwrap_or_else(|| panic!("a call failed: {result}"))
}

/// The names of the tools that are listed.
fn listed(server: &mut Server) -> Vec<String> {
    let listed = server.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().expect("a list").iter();
    tools.map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}
