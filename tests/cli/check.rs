//! `portcullis check`: what is wrong with components, and what clients will not like.

use libtest_mimic::Trial;
use serde_json::Value;

use super::Place;
use crate::harness::{named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "cli::check",
        named![
            every_tool_has_a_line_and_the_last_one_sums_up,
            two_components_of_one_name_cost_status_1_and_a_prefix_mends_it,
            a_component_that_does_not_load_leaves_the_others_checked,
            what_is_no_component_in_a_directory_is_passed_over,
            clients_can_be_picked_and_a_misspelt_one_is_an_error,
            json_says_the_same_for_scripts,
            a_name_can_be_too_long_for_one_client_or_for_all,
        ],
    )
}

/// A core module: the header, and nothing else.
const MODULE: &[u8] = b"\0asm\x01\0\0\0";

fn every_tool_has_a_line_and_the_last_one_sums_up() {
    let run = Place::with_weather().run(&["check", "weather.wasm"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(
        run.stdout.lines().last(),
        Some("9 tools of 1 component: 8 fine, 1 degraded, 0 rejected by a client, 0 refused")
    );
    // An s64 goes beyond what a client that reads JSON into doubles can hold.
    let degraded: Vec<&str> = run.stdout.lines().filter(|l| l.contains("degraded  ")).collect();
    assert_eq!(degraded, ["  degraded  get_temperature"]);
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("  fine ")).count(), 8);
    assert!(!run.stdout.contains('\u{1b}'), "colours are for terminals");
}

fn two_components_of_one_name_cost_status_1_and_a_prefix_mends_it() {
    let weather = std::fs::read(crate::harness::weather()).expect("it was built");
    let place = Place::with_weather().file("other.wasm", &weather);
    let run = place.run(&["check", "weather.wasm", "other.wasm"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    assert_eq!(run.stdout.matches("`[components.other]`").count(), 9, "{}", run.stdout);
    let config = "[components.weather]\npath = \"weather.wasm\"\n\
                  [components.other]\npath = \"other.wasm\"\nprefix = \"other\"\n";
    let place = place.file("portcullis.toml", config.as_bytes());
    assert_eq!(place.run(&["check"]).status, 0);
}

fn a_component_that_does_not_load_leaves_the_others_checked() {
    let place = Place::with_weather().file("module.wasm", MODULE);
    let run = place.run(&["check", "module.wasm", "weather.wasm"]);
    assert_eq!((run.status, run.stderr.as_str()), (2, ""));
    assert!(run.stdout.contains("core WebAssembly module"), "{}", run.stdout);
    assert!(run.stdout.contains("  fine      get_weather\n"), "{}", run.stdout);
}

fn what_is_no_component_in_a_directory_is_passed_over() {
    let weather = std::fs::read(crate::harness::weather()).expect("it was built");
    let place =
        Place::new().file("tools/weather.wasm", &weather).file("tools/notes.wasm", b"notes");
    let run = place.run(&["check", "tools"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("passed over"), "{}", run.stdout);
    let nothing = Place::new().file("tools/notes.wasm", b"notes").run(&["check", "tools"]);
    assert_eq!(nothing.status, 2);
}

fn clients_can_be_picked_and_a_misspelt_one_is_an_error() {
    let place = Place::with_weather();
    let run = place.run(&["check", "--client", "vscode", "weather.wasm"]);
    assert_eq!(
        run.stdout.lines().last(),
        Some("9 tools of 1 component: 9 fine, 0 degraded, 0 rejected by a client, 0 refused")
    );
    let run = place.run(&["check", "--client", "curser", "weather.wasm"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("'cursor'"), "{}", run.stderr);
}

fn json_says_the_same_for_scripts() {
    let run = Place::with_weather().run(&["check", "--json", "weather.wasm"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let report: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let clients: Vec<&str> =
        report["clients"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert_eq!(
        clients,
        ["claude-code", "vscode", "cursor", "codex", "gemini", "openai", "copilot-cli"]
    );
}

fn a_name_can_be_too_long_for_one_client_or_for_all() {
    let check = |prefix: &str| {
        let config = format!("[components.w]\npath = \"weather.wasm\"\nprefix = \"{prefix}\"\n");
        Place::with_weather().file("portcullis.toml", config.as_bytes()).run(&["check"])
    };
    // With `_get_weather_with_meta`, 64 characters: what others take, and more than Cursor does.
    let run = check(&"x".repeat(42));
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("name-length-cursor"), "{}", run.stdout);
    // 65 characters: more than this host publishes.
    assert_eq!(check(&"x".repeat(43)).status, 1);
}
