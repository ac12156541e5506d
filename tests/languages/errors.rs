//! What is wrong with a source reaches its author in the words of whoever found it, with the command that was run.

use std::fs;

use libtest_mimic::{Completion, Failed, Trial};

use super::{begun, copied, known, starts};
use crate::harness::{checkout, ended, program, skipped, state};

/// A guest, what is written behind one of its sources, and the line that is said of it.
struct Wrong {
    language: &'static str,
    source: &'static str,
    text: &'static str,
    said: &'static str,
}

const WRONG: [Wrong; 2] = [
    Wrong {
        language: "typescript",
        source: "src/schemas.ts",
        text: "\nexport const words: number = \"three\";\n",
        said: "error TS2322: Type 'string' is not assignable to type 'number'.",
    },
    Wrong {
        language: "python",
        source: "weather.py",
        text: "\nwords = three\n",
        said: "NameError: name 'three' is not defined",
    },
];

pub(super) fn trials() -> Vec<Trial> {
    let trial = |wrong: &'static Wrong| {
        let name = format!("languages::an_error_in_{}_is_as_it_was_found", wrong.language);
        Trial::ignorable_test(name, move || is_as_it_was_found(wrong))
    };
    WRONG.iter().map(trial).collect()
}

fn is_as_it_was_found(wrong: &Wrong) -> Result<Completion, Failed> {
    let language = known(wrong.language);
    if let Some((missing, get)) = language.needs.iter().find(|(program, _)| !starts(program)) {
        return skipped(wrong.language, &format!("`{missing}` does not start; {get}"));
    }
    if let Err(why) = (language.brings)(&mut program()) {
        return skipped(wrong.language, &why);
    }
    // Three levels up there is the SDK, as in the checkout.
    let project = state("languages").join(wrong.language).join("wrong/project");
    copied(&checkout().join("guests").join(wrong.language).join("weather"), &project);
    let source = project.join(wrong.source);
    let right = fs::read_to_string(&source).expect("it is there");
    fs::write(&source, right + wrong.text).expect("it can be written");
    let mut build = program();
    build.args(["build", "project"]).current_dir(project.parent().expect("it is in one"));
    let failed = ended((language.brings)(&mut build).expect("it did before"));
    assert_eq!((failed.status, failed.stdout.as_str()), (2, ""), "{}", failed.stderr);
    assert!(failed.stderr.contains(wrong.said), "{}", failed.stderr);
    begun::is_what_the_command_says(&failed.stderr, &project, |command| {
        // The build goes without it, as the author would.
        let command = command.env_remove("RUST_BACKTRACE");
        ended((language.brings)(command).expect("it did before"))
    });
    Ok(Completion::Completed)
}
