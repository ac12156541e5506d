//! Projects of plain functions from nothing, and what is said of those that do not compile.

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::{Value, json};

use super::compilers;
use crate::harness::{Run, ended, program, skipped};

/// A language, with a source that does not compile and its compiler's own line for that.
struct Begun {
    language: &'static str,
    compiler: Compiler,
    source: &'static str,
    broken: &'static str,
    said: &'static str,
}

/// A compiler: its name, if it is not the first that is looked for, and what sees to it that a command
/// finds it.
struct Compiler {
    name: &'static str,
    find: fn(&mut Command) -> Result<&mut Command, String>,
}

const FIRST: Compiler = Compiler { name: "", find: compilers::find_them };
const CLANG: Compiler = Compiler { name: "_with_clang", find: compilers::find_clang };

const LANGUAGES: [Begun; 6] = [
    Begun {
        language: "c",
        compiler: FIRST,
        source: "src/words.c",
        broken: "\nint words = ;\n",
        said: "src/words.c:2:13: error: expected expression\n",
    },
    Begun {
        language: "c",
        compiler: CLANG,
        source: "src/words.c",
        broken: "\nint words = ;\n",
        said: "src/words.c:2:13: error: expected expression\n",
    },
    Begun {
        language: "cpp",
        compiler: FIRST,
        source: "src/words.cpp",
        broken: "\nint words = ;\n",
        said: "src/words.cpp:2:13: error: expected expression\n",
    },
    Begun {
        language: "cpp",
        compiler: CLANG,
        source: "src/words.cpp",
        broken: "\nint words = ;\n",
        said: "src/words.cpp:2:13: error: expected expression\n",
    },
    Begun {
        language: "zig",
        compiler: FIRST,
        source: "src/root.zig",
        broken: "\nconst words = ;\n",
        said: "src/root.zig:2:15: error: expected expression, found ';'\n",
    },
    Begun {
        language: "go",
        compiler: FIRST,
        source: "export_example_words_tools/words.go",
        broken: "package export_example_words_tools\nvar words = ;\n",
        said: "export_example_words_tools/words.go:2:13: syntax error: unexpected semicolon, \
               expected expression\n",
    },
];

pub(super) fn trials() -> Vec<Trial> {
    let begun = |begun: &'static Begun| {
        let name =
            format!("languages::a_project_begun_in_{}{}", begun.language, begun.compiler.name);
        Trial::ignorable_test(name, move || works(begun))
    };
    let mixed = |compiler: &'static Compiler| {
        let name = format!("languages::a_file_of_c_beside_cpp{}", compiler.name);
        Trial::ignorable_test(name, move || is_mixed(compiler))
    };
    LANGUAGES.iter().map(begun).chain([&FIRST, &CLANG].map(mixed)).collect()
}

fn works(begun: &Begun) -> Result<Completion, Failed> {
    let find = begun.compiler.find;
    if let Err(why) = find(&mut program()) {
        return skipped(begun.language, &why);
    }
    let found = |command: &mut Command| ended(find(command).expect("it was found before"));
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
    let bytes = fs::metadata(place.path().join("words.wasm")).expect("it is there").len();
    assert_eq!(built["bytes"], bytes);
    assert_eq!([&built["tools"], &built["refused"]], [&json!(["count", "repeat"]), &json!([])]);
    assert_eq!(run(&["list", "words.wasm"]).stdout, "count\nrepeat\n");

    let source = place.path().join("new-words").join(begun.source);
    fs::write(source, begun.broken).expect("it can be written");
    let failed = run(&["build", "new-words"]);
    drop(one);
    assert_eq!((failed.status, failed.stdout.as_str()), (2, ""));
    assert!(failed.stderr.contains(begun.said), "{}", failed.stderr);
    is_what_the_command_says(&failed.stderr, &place.path().join("new-words"), found);
    Ok(Completion::Completed)
}

/// What is valid in C alone, and has an option of its own.
const IN_C: &str = "#include <stdlib.h>\n#include <stdint.h>\n#if __STDC_VERSION__ != 201112L\n\
                    #error this is not C11\n#endif\n\
                    uint32_t doubled(uint32_t class) {\n  uint32_t *new = malloc(sizeof *new);\n  \
                    *new = 2 * class;\n  class = *new;\n  free(new);\n  return class;\n}\n";

fn is_mixed(compiler: &Compiler) -> Result<Completion, Failed> {
    if let Err(why) = (compiler.find)(&mut program()) {
        return skipped("C beside C++", &why);
    }
    let found =
        |command: &mut Command| ended((compiler.find)(command).expect("it was found before"));
    let place = tempfile::tempdir().expect("the temporary directory can be written");
    let run = |arguments: &[&str]| found(program().args(arguments).current_dir(place.path()));
    assert_eq!(run(&["new", "cpp", "words"]).status, 0);
    let project = place.path().join("words");
    let change = |name: &str, from: &str, to: &str| {
        let text = fs::read_to_string(project.join(name)).expect("it is there");
        assert!(text.contains(from), "{text}");
        fs::write(project.join(name), text.replace(from, to)).expect("it can be written");
    };
    change(
        "src/words.cpp",
        "namespace exports::example::words::tools {",
        "extern \"C\" uint32_t doubled(uint32_t);\n\nnamespace exports::example::words::tools {",
    );
    change("src/words.cpp", "i < times;", "i < doubled(times);");
    change("src/words.cpp", "#include <string>", "#include <iostream>\n#include <string>");
    change("compile_flags.txt", "-std=c++23\n", "-std=c++23\n-std=c11\n");
    fs::create_dir(project.join("src/deep")).expect("it can be made");
    fs::write(project.join("src/deep/doubled.c"), IN_C).expect("it can be written");

    let one = compilers::alone();
    let built = run(&["build", "words", "-o", "words.wasm"]);
    assert_eq!(built.status, 0, "{}{}", built.stdout, built.stderr);
    let called = run(&["call", "words.wasm", "repeat", r#"{"text":"ha","times":2}"#]);
    assert_eq!((called.status, called.stdout.as_str()), (0, "ha ha ha ha\n"), "{}", called.stderr);

    change("src/deep/doubled.c", "return class;", "return namespace;");
    let failed = run(&["build", "words"]);
    drop(one);
    assert_eq!((failed.status, failed.stdout.as_str()), (2, ""));
    let said = "src/deep/doubled.c:11:10: error: use of undeclared identifier 'namespace'";
    assert!(failed.stderr.contains(said), "{}", failed.stderr);
    is_what_the_command_says(&failed.stderr, &project, found);
    Ok(Completion::Completed)
}

/// The command that is named, run by hand in the project, says the same and nothing else.
pub(super) fn is_what_the_command_says(
    stderr: &str,
    project: &Path,
    found: impl Fn(&mut Command) -> Run,
) {
    let last = stderr.lines().last().expect("it says something");
    let command =
        last.strip_prefix("portcullis: `").and_then(|rest| rest.split_once("` failed in `"));
    let (command, rest) = command.expect("the command is named");
    let name = project.file_name().and_then(|name| name.to_str()).expect("it has a name");
    assert!(rest.ends_with(&format!("{name}`; its own words are above")), "{rest}");
    let by_hand = found(Command::new("/bin/sh").args(["-c", command]).current_dir(project));
    assert_ne!(by_hand.status, 0, "{command}");
    let words = format!("{}{}", by_hand.stdout, by_hand.stderr);
    assert!(stderr.contains(&words), "{words}\n{stderr}");
}
