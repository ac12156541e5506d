//! Configs that are wrong, at the start and while a server runs.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::Place;
use super::bad_input::refusal;
use crate::harness::{Server, named, trials as named_trials, weather};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "cli",
        named![
            a_wrong_config_is_refused_at_the_start_with_line_and_key,
            a_wrong_config_is_refused_on_reload_and_the_last_one_stays,
            grants_of_a_component_on_the_command_line_need_no_path,
            what_a_component_lacks_is_listed_and_its_calls_say_so,
            an_audit_file_has_a_line_for_each_call,
            an_audit_file_that_cannot_be_written_is_named,
            a_server_that_is_terminated_writes_the_receipts_of_its_calls,
            a_call_is_answered_when_nobody_reads_the_log,
            a_component_cannot_write_to_what_says_what_it_may_do,
            grants_that_are_taken_away_are_gone_whatever_else_is_wrong,
        ],
    )
}

/// Lines that are wrong, and what is said of them at the place where they are.
const WRONG: [(&str, &str); 5] = [
    // A misspelt key.
    (
        "[components.weather.grants]\nhtpp = []\n",
        "5:1: unknown field `htpp`, expected one of `http`, `dirs`, `env`, `secrets`, `clocks`, \
         `random`; did you mean `http`?",
    ),
    // A wrong unit.
    (
        "[components.weather.limits]\ncall_deadline_s = 3\n",
        "5:1: unknown field `call_deadline_s`, expected one of `call_deadline_ms`, \
         `memory_bytes_max`, `table_elements_max`, `instances_max`, `handles_max`, \
         `result_bytes_max`, `argument_bytes_max`, `log_bytes_max`, \
         `progress_notes_per_second_max`, `http_requests_max`, `http_bytes_max`, `calls_per_second_max`; did you mean \
         `call_deadline_ms`?",
    ),
    // A number with a unit of its own.
    (
        "[components.weather.limits]\nmemory_bytes_max = \"64MB\"\n",
        "5:20: invalid type: string \"64MB\", expected u64",
    ),
    // A grant for a component that does not exist.
    (
        "[components.wether.grants]\nrandom = true\n",
        "4:13: there is no component `wether`; give it a `path`, or name its file on the command \
         line; did you mean `weather`?",
    ),
    // A directory that does not exist.
    (
        "[components.weather.grants]\ndirs = [{ host = \"gone\", guest = \"/d\", access = \"ro\" }]\n",
        "5:18: `gone`: No such file or directory (os error 2); make the directory first",
    ),
];

/// A config of the weather component and these lines.
fn config(lines: &str) -> String {
    format!("[components.weather]\npath = {}\n\n{lines}", json!(weather()))
}

fn a_wrong_config_is_refused_at_the_start_with_line_and_key() {
    for (lines, said) in WRONG {
        let place = Place::new().file("my.toml", config(lines).as_bytes());
        for command in ["serve", "list", "check"] {
            let run = place.run(&[command, "--config", "my.toml"]);
            assert_eq!(run, refusal(&format!("my.toml:{said}")), "{command}: {lines}");
        }
    }
}

fn a_wrong_config_is_refused_on_reload_and_the_last_one_stays() {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let file = directory.path().join("my.toml");
    let write = |text: &str| std::fs::write(&file, text).expect("it can be written");
    write(&config("[components.weather.limits]\nargument_bytes_max = 1024\n"));
    let mut server = Server::start(&["--config".as_ref(), file.as_os_str()]);
    let before = server.request("tools/list", json!({}))["result"].clone();
    let path = without_root(&file);
    for (lines, said) in WRONG {
        write(&config(lines));
        server.hang_up();
        let said = said.replace("`gone`", &format!("`{}`", path.replace("my.toml", "gone")));
        server.wait_for_log(&format!(
            "the config is not reloaded, the last one stays: {path}:{said}"
        ));
        assert_eq!(server.request("tools/list", json!({}))["result"], before, "{lines}");
        let large = json!({ "city": "x".repeat(2000) });
        let refused = server.call("weather_report", large);
        assert_eq!(refused["isError"], true, "the limit is still there");
        assert_eq!(server.call("get_temperature", json!({ "city": "London" }))["isError"], false);
    }
    // What is right is taken.
    write(&config("").replace("\n\n", "\nprefix = \"wx\"\n\n"));
    server.hang_up();
    server.wait_for_log("component `weather` is served in version 0.1.0");
    assert_eq!(server.call("wx_get_temperature", json!({ "city": "London" }))["isError"], false);
}

fn without_root(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn grants_of_a_component_on_the_command_line_need_no_path() {
    let text = "[components.weather.grants]\nenv.TZ = \"UTC\"\n";
    let place = Place::with_weather().file("my.toml", text.as_bytes());
    let run = place.run(&["list", "--config", "my.toml", "weather.wasm"]);
    assert_eq!(run.status, 0, "{run:?}");
    // It does not require one, so it does not get it.
    let told =
        "component `weather` is granted environment variable `TZ`, which it does not require";
    assert!(run.stderr.contains(told), "{run:?}");
}

fn what_a_component_lacks_is_listed_and_its_calls_say_so() {
    let place = Place::new();
    let path = crate::harness::reaching().to_string_lossy().into_owned();
    let lack = "http, which it was not granted; add `http = [\"HOST:PORT\"]` under \
                `[components.reaching.grants]` in portcullis.toml";
    let listed = place.run(&["list", &path]);
    assert_eq!(listed.status, 0, "{listed:?}");
    assert!(listed.stdout.lines().any(|line| line == "say"), "{listed:?}");
    let told = format!("component `reaching` needs {lack}; its calls fail");
    assert!(listed.stderr.contains(&told), "{listed:?}");
    let checked = place.run(&["check", "--json", &path]);
    let report: Value = serde_json::from_str(&checked.stdout).expect("it is JSON");
    assert_eq!(report["components"][0]["lacks"], json!([lack]));
    let called = place.run(&["call", &path, "say", "{\"text\": \"hello\"}"]);
    assert_eq!((called.status, called.stdout.as_str()), (1, ""));
    let told = format!("Error executing tool say: its component needs {lack}\n");
    assert!(called.stderr.ends_with(&told), "{called:?}");
}

fn an_audit_file_has_a_line_for_each_call() {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let audit = directory.path().join("an audit.jsonl");
    let mut server = Server::start(&["--audit".as_ref(), audit.as_os_str(), weather().as_os_str()]);
    server.call("get_temperature", json!({ "city": "London" }));
    server.call("get_temperature", json!({ "town": "London" }));
    assert!(server.close().success());
    let text = std::fs::read_to_string(&audit).expect("it was made");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let outcomes: Vec<&Value> = lines.iter().map(|line| &line["outcome"]).collect();
    assert_eq!(outcomes, ["ok", "invalid-arguments"]);
    assert!(!text.contains("London"), "no argument is in it");
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::metadata(&audit).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

fn an_audit_file_that_cannot_be_written_is_named() {
    let run = Place::with_weather().run(&["serve", "--audit", "gone/a", "weather.wasm"]);
    let why = "cannot add to `gone/a`; name a file in a directory that is there: No such file or \
               directory (os error 2)";
    assert_eq!(run, refusal(why));
}

fn a_call_is_answered_when_nobody_reads_the_log() {
    for close in [true, false] {
        let mut server = Server::start_deaf(&[weather()], close);
        for _ in 0..1000 {
            let result = server.call("get_temperature", json!({ "city": "London" }));
            assert_eq!(result["isError"], false);
        }
        server.stop();
    }
}

fn a_component_cannot_write_to_what_says_what_it_may_do() {
    let text = "[components.weather]\npath = \"weather.wasm\"\n[components.weather.grants]\n\
                dirs = [{ host = \".\", guest = \"/w\", access = \"rw\" }]\n";
    let place = Place::with_weather().file("my.toml", text.as_bytes());
    let run = place.run(&["list", "--config", "my.toml"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
    assert!(run.stderr.starts_with("portcullis: my.toml:4:18: `"), "{run:?}");
    assert!(run.stderr.ends_with("grant a directory of its own\n"), "{run:?}");
    let read_only = text.replace("\"rw\"", "\"ro\"");
    let place = Place::with_weather().file("my.toml", read_only.as_bytes());
    assert_eq!(place.run(&["list", "--config", "my.toml"]).status, 0);
}

/// The component's file is broken when its grant is taken away: the old version would still have it.
fn grants_that_are_taken_away_are_gone_whatever_else_is_wrong() {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(directory.path().join(name), bytes).expect("it can be written");
    };
    let component = std::fs::read(crate::harness::reaching()).expect("it was built");
    write("reaching.wasm", &component);
    let config = |env: &str| {
        format!(
            "[components.reaching]\npath = \"reaching.wasm\"\n[components.reaching.grants]\n\
             http = [\"nowhere.invalid:443\"]\n{env}"
        )
    };
    write("my.toml", config("env.A = \"granted\"\n").as_bytes());
    let file = directory.path().join("my.toml");
    let mut server = Server::start(&["--no-watch".as_ref(), "--config".as_ref(), file.as_os_str()]);
    let seen = server.call("variables", json!({}))["structuredContent"]["result"].clone();
    assert_eq!(seen, json!([["A", "granted"]]));
    write("reaching.wasm", b"broken");
    write("my.toml", config("").as_bytes());
    server.hang_up();
    server.wait_for_log("it is not served");
    let answer = server.request("tools/call", json!({ "name": "variables", "arguments": {} }));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

fn a_server_that_is_terminated_writes_the_receipts_of_its_calls() {
    for signal in ["-TERM", "-INT"] {
        let directory = tempfile::tempdir().expect("the temporary directory can be written");
        let audit = directory.path().join("audit.jsonl");
        let mut server = Server::start(&[
            "--audit".as_ref(),
            audit.as_os_str(),
            crate::harness::hostile().as_os_str(),
        ]);
        let running = ["sleeps", "loops"].map(|tool| server.send_call(tool, json!({})));
        // These come after them: they have long begun.
        for _ in 0..50 {
            assert_eq!(server.call("well_behaved", json!({}))["isError"], false);
        }
        std::thread::sleep(std::time::Duration::from_millis(300));
        server.signal(signal);
        server.wait_for_end();
        let text = std::fs::read_to_string(&audit).expect("it was made");
        let mut outcomes: Vec<String> = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON"))
            .map(|receipt| format!("{} {}", receipt["tool"], receipt["outcome"]))
            .collect();
        outcomes.sort();
        outcomes.dedup();
        let expected =
            ["\"loops\" \"cancelled\"", "\"sleeps\" \"cancelled\"", "\"well_behaved\" \"ok\""];
        assert_eq!(outcomes, expected, "{signal}, {running:?}");
    }
}
