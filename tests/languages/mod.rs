//! The same tools in every language: what they say and what they give is equal, or in the table of
//! what a language cannot express.

mod begun;
mod clang;
pub(crate) mod compilers;
mod errors;
mod python;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::{Value, json};

use crate::harness::{
    Run, Server, checkout, ended, path_with, program, python_builder, run, skipped, state, weather,
};

/// A language, and how its guest differs.
struct Language {
    name: &'static str,
    /// Programs that it needs beside the command, each with what it is got by.
    needs: &'static [(&'static str, &'static str)],
    /// Sees to it that a command finds what the tests bring, or says what this machine lacks for it.
    brings: fn(&mut Command) -> Result<&mut Command, String>,
    /// Whether its compiler is one of [`compilers`], of which one runs at a time.
    is_compiled: bool,
    /// What it cannot express.
    deviations: &'static [Deviation],
}

/// What a language cannot express.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Deviation {
    /// It has no integers of 64 bits: their bounds are not in its schemas.
    NoBoundsOf64Bits,
    /// What stops a Rust guest is an exception, and the guest goes on: the failure is told in other
    /// words. So is memory that it did not get, of which the host cannot know that it was the cause.
    ExceptionsAreCaught,
    /// Its tools are plain functions. They cannot break their own schemas nor have meta, are listed
    /// interface by interface, and give an error where Rust's panic.
    PlainFunctions,
}

const LANGUAGES: [Language; 6] = [
    Language {
        name: "typescript",
        needs: &[("node", "install Node.js 20 or newer"), ("npm", "install Node.js 20 or newer")],
        brings: |command| Ok(command),
        is_compiled: false,
        deviations: &[Deviation::NoBoundsOf64Bits, Deviation::ExceptionsAreCaught],
    },
    Language {
        name: "python",
        needs: &[],
        brings: |command| Ok(command.env("PATH", path_with(&python_builder()?))),
        is_compiled: false,
        deviations: &[Deviation::NoBoundsOf64Bits, Deviation::ExceptionsAreCaught],
    },
    Language::of_plain_functions("c"),
    Language::of_plain_functions("cpp"),
    Language::of_plain_functions("zig"),
    Language::of_plain_functions("go"),
];

/// What is said when a guest stops, as Rust's does of a city that it does not know.
const TRAPPED: &str = "the tool stopped unexpectedly and gave no result";
/// What is said when a guest stops because there was no more memory for it.
const NO_MEMORY: &str = "bytes of memory and was stopped";
/// The tools that plain functions cannot be.
const NOT_PLAIN: [&str; 2] = ["get_weather_bad", "get_weather_with_meta"];

/// Calls of every tool: right, wrong, and at the edges.
const CALLS: [(&str, &str); 30] = [
    ("get_temperature", r#"{"city":"London"}"#),
    ("get_temperature", r#"{"city":5}"#),
    ("get_temperature", "{}"),
    ("get_temperature", r#"{"city":"Oz"}"#),
    ("get_weather", r#"{"city":"London"}"#),
    ("get_weather", r#"{"city":"London","town":"x"}"#),
    ("get_weather_td", r#"{"city":"London"}"#),
    ("get_weather_dc", r#"{"city":"London"}"#),
    ("get_forecast", r#"{"city":"London","days":3}"#),
    ("get_forecast", r#"{"city":"London","days":"2"}"#),
    ("get_forecast", r#"{"city":"London","days":0}"#),
    ("get_forecast", r#"{"city":"London","days":1.5}"#),
    ("get_forecast", r#"{"city":"London","days":2.0}"#),
    ("get_forecast", r#"{"city":"London","days":-0.0}"#),
    ("get_forecast", r#"{"city":"London","days":-1}"#),
    ("get_forecast", r#"{"city":"London","days":-9223372036854775808}"#),
    ("get_forecast", r#"{"city":"London","days":true}"#),
    ("get_forecast", r#"{"city":"London","days":null}"#),
    // More than a result may have, and more than a call's memory.
    ("get_forecast", r#"{"city":"London","days":100000}"#),
    ("get_forecast", r#"{"city":"London","days":4000000}"#),
    ("get_temperatures", r#"{"cities":["Reykjavik","London"]}"#),
    ("get_temperatures", r#"{"cities":[]}"#),
    ("get_temperatures", r#"{"cities":["Cairo","London","Cairo"]}"#),
    ("get_temperatures", r#"{"cities":"[\"London\"]"}"#),
    ("get_weather_bad", r#"{"city":"London"}"#),
    ("weather_report", r#"{"city":"London"}"#),
    ("weather_report", r#"{"city":""}"#),
    ("weather_report", r#"{"city":"a\u0000b\n\t\r"}"#),
    ("weather_report", r#"{"city":"Zürich e\u0301 \ud83d\ude00 \u202e \uffff"}"#),
    ("get_weather_with_meta", r#"{"city":"London"}"#),
];

/// Bytes of a string that is longer than what an allocator has at hand.
const LONG: usize = 100_000;

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |language: &'static Language| {
        Trial::ignorable_test(format!("languages::weather_in_{}", language.name), move || {
            given(language.name, "weather", |theirs| is_the_same_as_rusts(language, theirs))
        })
    };
    let beside = [begun::trials(), errors::trials(), python::trials()].into_iter().flatten();
    LANGUAGES.iter().map(trial).chain(beside).collect()
}

/// Tests a guest of a language, unless this machine lacks something for it.
pub(crate) fn given(
    language: &str,
    guest: &str,
    test: impl FnOnce(&Path),
) -> Result<Completion, Failed> {
    for (program, get) in known(language).needs {
        if !starts(program) {
            return skipped(language, &format!("`{program}` does not start; {get}"));
        }
    }
    match built(language, guest) {
        Ok(component) => {
            test(&component);
            Ok(Completion::Completed)
        }
        Err(why) => skipped(language, &why),
    }
}

fn known(language: &str) -> &'static Language {
    let known = LANGUAGES.iter().find(|known| known.name == language);
    known.expect("it is in the table")
}

fn starts(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn is_the_same_as_rusts(language: &Language, theirs: &Path) {
    let directory = theirs.parent().expect("it is in a directory");
    // Of one name, since a component's id is part of what is said of it.
    let rusts = tempfile::tempdir().expect("the temporary directory can be written");
    fs::copy(weather(), rusts.path().join("weather.wasm")).expect("it can be copied");
    let both = |arguments: &[&str]| -> [Run; 2] {
        [rusts.path(), directory].map(|place| run(place, arguments))
    };
    let [expected, listed] = both(&["list", "weather.wasm", "--json"]).map(|run| {
        assert_eq!(run.status, 0, "{}", run.stderr);
        serde_json::from_str::<Value>(&run.stdout).expect("it prints JSON")
    });
    assert_eq!(listed, language.definitions(expected), "{}", language.name);
    // A component exports no more than its project has. It is compiled by now.
    let server = Server::start(&[theirs]);
    let can = &server.greeting()["result"]["capabilities"];
    for beside in ["resources", "prompts", "completions"] {
        assert!(can["tools"].is_object() && can[beside].is_null(), "{}: {can}", language.name);
    }
    let long = json!({ "city": "x".repeat(LONG) }).to_string();
    let calls = CALLS.into_iter().chain([("weather_report", long.as_str())]);
    for (tool, arguments) in calls.filter(|(tool, _)| language.has(tool)) {
        let [expected, called] =
            both(&["call", "weather.wasm", tool, arguments, "--json"]).map(|run| {
                let result: Value = serde_json::from_str(&run.stdout).expect("it prints JSON");
                (run.status, result)
            });
        let expected = (expected.0, language.expected(expected.1));
        let called = (called.0, language.result(called.1));
        assert_eq!(called, expected, "{}: {tool} {arguments}", language.name);
    }
}

/// A guest of a language, built by the command in a directory of its own, or what this
/// machine lacks for it.
pub(crate) fn built(language: &str, guest: &str) -> Result<PathBuf, String> {
    let language = known(language);
    let place = state("languages").join(language.name).join(guest);
    let component = place.join(guest).with_extension("wasm");
    let guest = checkout().join("guests").join(language.name).join(guest);
    let project = place.join("project");
    // Three levels up, as in the checkout.
    let sdks = state("languages/guest-sdk");
    let _ = fs::remove_dir(&sdks)
        .and_then(|()| std::os::unix::fs::symlink(checkout().join("guest-sdk"), &sdks));
    copied(&guest, &project);
    let mut build = program();
    build.args(["build", "project", "-o"]).arg(&component).arg("--json").current_dir(&place);
    (language.brings)(&mut build)?;
    let _one = language.is_compiled.then(compilers::alone);
    let run = ended(&mut build);
    assert_eq!(run.status, 0, "{}", run.stderr);
    Ok(component)
}

/// Copies what is in a directory, but not what was built in it.
fn copied(from: &Path, to: &Path) {
    const BUILT: [&str; 7] =
        ["node_modules", "dist", "target", "build", "deps", ".venv", "__pycache__"];
    fs::create_dir_all(to).expect("target can be written");
    for entry in fs::read_dir(from).expect("a guest is a directory") {
        let entry = entry.expect("it can be read");
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            if !BUILT.iter().any(|built| name == *built) {
                copied(&path, &to.join(name));
            }
            continue;
        }
        // What is as it was is not built again.
        let (bytes, place) = (fs::read(&path).expect("it can be read"), to.join(name));
        if fs::read(&place).ok().as_ref() != Some(&bytes) {
            fs::write(place, bytes).expect("target can be written");
        }
    }
}

impl Language {
    const fn of_plain_functions(name: &'static str) -> Self {
        Self {
            name,
            needs: &[],
            brings: compilers::find_them,
            is_compiled: true,
            deviations: &[Deviation::PlainFunctions],
        }
    }

    fn is_of_plain_functions(&self) -> bool {
        self.deviations.contains(&Deviation::PlainFunctions)
    }

    /// Whether it has the tool.
    fn has(&self, tool: &str) -> bool {
        !(self.is_of_plain_functions() && NOT_PLAIN.contains(&tool))
    }

    /// Rust's definitions as this language can say them.
    fn definitions(&self, mut definitions: Value) -> Value {
        if self.deviations.contains(&Deviation::NoBoundsOf64Bits) {
            without_bounds_of_64_bits(&mut definitions);
        }
        if self.is_of_plain_functions()
            && let Some(tools) = definitions.as_array_mut()
        {
            let name = |tool: &Value| tool["name"].as_str().unwrap_or_default().to_owned();
            tools.retain(|tool| self.has(&name(tool)));
            // The only one of the interface that comes last.
            tools.sort_by_key(|tool| name(tool) == "get_weather");
        }
        definitions
    }

    /// Rust's result as this language gives it.
    fn expected(&self, mut result: Value) -> Value {
        const UNKNOWN: &str = "Error executing tool get_temperature: no reading for Oz";
        if self.is_of_plain_functions()
            && let Some(text) = result["content"][0]["text"].as_str()
            && text.starts_with("Error executing tool get_temperature: ")
            && text.contains(TRAPPED)
        {
            result["content"][0]["text"] = UNKNOWN.into();
        }
        self.result(result)
    }

    /// A result in words that all languages have.
    fn result(&self, mut result: Value) -> Value {
        const CAUGHT: &str = "the tool failed";
        if self.deviations.contains(&Deviation::ExceptionsAreCaught)
            && result["isError"] == true
            && let Some(text) = result["content"][0]["text"].as_str()
            && [TRAPPED, NO_MEMORY, "internal fault"].iter().any(|said| text.contains(said))
        {
            result["content"][0]["text"] = CAUGHT.into();
        }
        result
    }
}

fn without_bounds_of_64_bits(value: &mut Value) {
    match value {
        Value::Object(object) => {
            if object.get("minimum") == Some(&json!(i64::MIN))
                && object.get("maximum") == Some(&json!(i64::MAX))
            {
                object.shift_remove("minimum");
                object.shift_remove("maximum");
            }
            object.values_mut().for_each(without_bounds_of_64_bits);
        }
        Value::Array(array) => array.iter_mut().for_each(without_bounds_of_64_bits),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
