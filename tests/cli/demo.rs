//! The first command that the README names, in the checkout that it runs in.

use libtest_mimic::Trial;
use serde_json::Value;

use crate::harness::{checkout, named, run, trials as named_trials, weather, without_call_id};
use crate::page::{BESIDE_THE_PAGE, expected_calls};

pub(super) fn trials() -> Vec<Trial> {
    named_trials("cli", named![demo_shows_the_cases_of_the_page_and_how_to_add_the_server])
}

fn demo_shows_the_cases_of_the_page_and_how_to_add_the_server() {
    // Built once: the demo finds it built.
    let component = weather().display().to_string();
    let run = run(checkout(), &["demo"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, "Building guests/rust/weather …\n"));
    let stdout = without_call_id(&run.stdout);

    let mut missing: Vec<String> =
        expected_calls().into_iter().map(|expected| expected.tool).collect();
    for expected in expected_calls() {
        let call = |line: &str| {
            let (tool, rest) = line.strip_prefix("  ")?.split_once('(')?;
            let arguments: Value = serde_json::from_str(rest.strip_suffix(')')?).ok()?;
            Some((tool.to_owned(), arguments))
        };
        let wanted = Some((expected.tool.clone(), expected.arguments.clone()));
        let shown = stdout.split("\n\n").find(|case| case.lines().any(|line| call(line) == wanted));
        if let Some(shown) = shown {
            assert_eq!(after_the_call(shown), result(&expected.result), "{}", expected.tool);
            missing.retain(|tool| *tool != expected.tool);
        }
    }
    assert_eq!(missing, Vec::<String>::new(), "tools of the page that the demo does not show");
    assert!(stdout.contains(&format!("  {BESIDE_THE_PAGE}(")), "{stdout}");

    for client in ["Claude Code:", "VS Code, ", "Cursor, ", "Codex, "] {
        let (_, how) = stdout.split_once(client).unwrap_or_else(|| panic!("{client}\n{stdout}"));
        assert!(how.contains(&component), "{client} {how}");
    }
}

/// The lines of a case that show its result.
fn after_the_call(shown: &str) -> String {
    let lines = shown.lines().skip_while(|line| !line.starts_with("  content "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// A result as the demo shows it: what the model reads, what the app gets, and how it ended.
fn result(result: &Value) -> String {
    let mut lines = String::new();
    for block in result["content"].as_array().into_iter().flatten() {
        let text = block["text"].as_str().unwrap_or_default();
        let indented = text.replace('\n', &format!("\n{}", " ".repeat(21)));
        lines.push_str(&format!("  content            {indented}\n"));
    }
    for key in ["structuredContent", "isError"] {
        if let Some(value) = result.get(key) {
            lines.push_str(&format!("  {key:<18} {value}\n"));
        }
    }
    lines
}
