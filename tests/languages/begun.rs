//! Projects of plain functions from nothing, and what is said of those that do not compile.

use std::path::Path;
use std::process::Command;

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::{Value, json};

use super::compilers;
use crate::harness::{Run, ended, program, skipped};

/// A language, with a source that does not compile and its compiler's own line for that.
struct Begun {
    language: &'static str,
    source: &'static str,
    broken: &'static str,
    said: &'static str,
}

const LANGUAGES: [Begun; 4] = [
    Begun {
        language: "c",
        source: "src/words.c",
        broken: "\nint words = ;\n",
        said: "src/words.c:2:13: error: expected expression\n",
    },
    Begun {
        language: "cpp",
        source: "src/words.cpp",
        broken: "\nint words = ;\n",
        said: "src/words.cpp:2:13: error: expected expression\n",
    },
    Begun {
        language: "zig",
        source: "src/root.zig",
        broken: "\nconst words = ;\n",
        said: "src/root.zig:2:15: error: expected expression, found ';'\n",
    },
    Begun {
        language: "go",
        source: "export_example_words_tools/words.go",
        broken: "package export_example_words_tools\nvar words = ;\n",
        said: "export_example_words_tools/words.go:2:13: syntax error: unexpected semicolon, \
               expected expression\n",
    },
];

pub(super) fn trials() -> Vec<Trial> {
    let trial = |begun: &'static Begun| {
        let name = format!("languages::a_project_begun_in_{}", begun.language);
        Trial::ignorable_test(name, move || works(begun))
    };
    LANGUAGES.iter().map(trial).collect()
}

fn works(begun: &Begun) -> Result<Completion, Failed> {
    if let Err(why) = compilers::find_them(&mut program()) {
        return skipped(begun.language, &why);
    }
    let place = tempfile::tempdir().expect("the temporary directory can be written");
    let run = |arguments: &[&str]| found(program().args(arguments).current_dir(place.path()));
    let made = run(&["new", begun.language, "new-words"]);
    assert_eq!((made.status, made.stderr.as_str()), (0, ""));

    let one = compilers::alone();
    let tested = run(&["test", "new-words"]);
    assert_eq!(tested.status, 0, "{} {}", tested.stdout, tested.stderr);
    assert!(tested.stdout.ends_with("\n3 of 3 calls as expected\n"), "{}", tested.stdout);
    let built = run(&["build", "new-words", "-o", "words.wasm", "--json"]);
    assert_eq!(built.status, 0, "{} {}", built.stdout, built.stderr);
    assert!(built.stderr.contains(" is compiled by "), "{}", built.stderr);
    let built: Value = serde_json::from_str(&built.stdout).expect("it prints JSON");
    let bytes = std::fs::metadata(place.path().join("words.wasm")).expect("it is there").len();
    assert_eq!(built["bytes"], bytes);
    assert_eq!([&built["tools"], &built["refused"]], [&json!(["count", "repeat"]), &json!([])]);
    assert_eq!(run(&["list", "words.wasm"]).stdout, "count\nrepeat\n");

    let source = place.path().join("new-words").join(begun.source);
    std::fs::write(source, begun.broken).expect("it can be written");
    let failed = run(&["build", "new-words"]);
    drop(one);
    assert_eq!((failed.status, failed.stdout.as_str()), (2, ""));
    assert!(failed.stderr.contains(begun.said), "{}", failed.stderr);
    is_what_the_command_says(&failed.stderr, &place.path().join("new-words"));
    Ok(Completion::Completed)
}

/// The command that is named, run by hand in the project, says the same and nothing else.
fn is_what_the_command_says(stderr: &str, project: &Path) {
    let last = stderr.lines().last().expect("it says something");
    let command =
        last.strip_prefix("portcullis: `").and_then(|rest| rest.split_once("` failed in `"));
    let (command, rest) = command.expect("the command is named");
    assert!(rest.ends_with("/new-words`; its own words are above"), "{rest}");
    let by_hand = found(Command::new("/bin/sh").args(["-c", command]).current_dir(project));
    assert_ne!(by_hand.status, 0, "{command}");
    let words = format!("{}{}", by_hand.stdout, by_hand.stderr);
    assert!(stderr.contains(&words), "{words}\n{stderr}");
}

fn found(command: &mut Command) -> Run {
    ended(compilers::find_them(command).expect("they were found before"))
}
