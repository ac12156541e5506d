//! Projects of plain functions: what a build writes beside their sources is no save.

use std::fs;
use std::time::Duration;

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::json;

use super::{ends, wait_for_builds};
use crate::harness::{Era, Server, ended, program, skipped};
use crate::languages::compilers;

/// A language, and its source with the text of an error.
const PROJECTS: [(&str, &str); 2] =
    [("c", "src/words.c"), ("go", "export_example_words_tools/words.go")];

/// Long enough for a build to begin that nothing was saved for: one that begins later is overlooked.
const LONGER_THAN_QUIET: Duration = Duration::from_millis(400);

pub(super) fn trials() -> Vec<Trial> {
    let trial = |(language, source): (&'static str, &'static str)| {
        Trial::ignorable_test(format!("dev::a_save_in_{language}_is_built_once"), move || {
            is_built_once(language, source)
        })
    };
    PROJECTS.into_iter().map(trial).collect()
}

fn is_built_once(language: &str, source: &str) -> Result<Completion, Failed> {
    if let Err(why) = compilers::find_them(&mut program()) {
        return skipped(language, &why);
    }
    let place = tempfile::tempdir().expect("the temporary directory can be written");
    let begun = ended(program().args(["new", language, "words"]).current_dir(place.path()));
    assert_eq!(begun.status, 0, "{}", begun.stderr);
    let project = place.path().join("words");

    let _one = compilers::alone();
    let mut command = program();
    compilers::find_them(&mut command).expect("they were found before");
    let mut server = Server::of(Era::Handshake, command.arg("dev").arg(&project));
    wait_for_builds(&server, 1);
    let empty = |server: &mut Server| {
        server.call("repeat", json!({ "text": "" }))["content"][0]["text"].clone()
    };
    let said = |text: &str| json!(format!("Error executing tool repeat: {text}"));
    assert_eq!(empty(&mut server), said("there is nothing to repeat; give a text"));

    let save = |name: &str, from: &str, to: &str| {
        std::thread::sleep(LONGER_THAN_QUIET);
        let path = project.join(name);
        let text = fs::read_to_string(&path).expect("it is there");
        assert!(text.contains(from), "{text}");
        fs::write(path, text.replace(from, to)).expect("it can be written");
    };
    save(source, "there is nothing to repeat", "nothing is no text");
    wait_for_builds(&server, 2);
    assert_eq!(empty(&mut server), said("nothing is no text; give a text"));

    // Bindings for an interface that was not there, and from then on they are no save either.
    let more = "interface more {\n  record pair { one: u32 }\n}\n\nworld words {\n  export more;";
    save("wit/words.wit", "world words {", more);
    wait_for_builds(&server, 3);
    save(source, "nothing is no text", "it is empty");
    wait_for_builds(&server, 4);
    assert_eq!(empty(&mut server), said("it is empty; give a text"));
    std::thread::sleep(LONGER_THAN_QUIET);
    let log = server.log();
    assert_eq!(ends(&log).len(), 4, "each save is built once, and nothing else is: {log}");
    assert!(server.close().success());
    Ok(Completion::Completed)
}
