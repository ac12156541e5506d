//! Components whose descriptor cannot be read.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{PACK, Place, bytes, component, listed_alone, package, packed};
use crate::generated::section;
use crate::harness::{Run, named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "cli::pack",
        named![
            a_descriptor_that_is_no_good_is_refused_by_all,
            check_shows_what_does_not_load_and_why,
            siblings_in_a_directory_load,
            packing_again_mends_it,
        ],
    )
}

const VALUES: [(&str, &str); 1] = [("ping", "1")];
const VERSION_2: &str = "it is of version 2; this host reads 1";

fn wit() -> String {
    package("ping: func() -> u8;")
}

/// `shop.wasm` with these sections.
fn with(sections: &[&str]) -> Place {
    let mut bytes = component(&wit(), &VALUES);
    for data in sections {
        bytes.extend(section("portcullis:descriptor", data.as_bytes()));
    }
    Place::new().file("shop.wasm", &bytes)
}

fn reason(what: &str) -> String {
    format!(
        "its `portcullis:descriptor` section is not read: {what}; run `portcullis pack` on it again"
    )
}

fn a_descriptor_that_is_no_good_is_refused_by_all() {
    let nobody = "it does not fit the component: functions: the component has no `pong` here; the \
                  nearest is `ping`";
    let ignored = "it does not fit the component: the value of function `ping`: it gives content \
                   alone, whose value has no schema; nothing can be said of it but \
                   `large_integers` and `pairs_as_map`";
    let ping = r#"{"version":1,"functions":{"ping":{"content_only":true,"value":{"minimum":2}}}}"#;
    for (sections, what) in [
        (&[r#"{"version":2}"#][..], VERSION_2),
        (&[ping], ignored),
        (&["{}"], "it does not say its version"),
        (&[r#"{"version":1"#], "EOF while parsing an object (at byte 12)"),
        (&[r#"{"version":1}"#, r#"{"version":1}"#], "there are two of them"),
        (&[r#"{"version":1,"functions":{"pong":{"title":"Pong"}}}"#], nobody),
    ] {
        let place = with(sections);
        let stderr = format!("portcullis: cannot load `shop.wasm`: {}\n", reason(what));
        let expected = Run { status: 2, stdout: String::new(), stderr };
        for arguments in
            [&["list", "shop.wasm"][..], &["serve", "shop.wasm"], &["call", "shop.wasm", "ping"]]
        {
            assert_eq!(place.run(arguments), expected, "{arguments:?}");
        }
    }
}

fn check_shows_what_does_not_load_and_why() {
    let run = with(&[r#"{"version":2}"#]).run(&["check", "shop.wasm"]);
    let stdout = format!(
        "shop (shop.wasm) not loaded\n    {}\n0 tools of 0 components: 0 fine, 0 degraded, 0 \
         rejected by a client, 0 refused, 1 component not loaded\n",
        reason(VERSION_2)
    );
    assert_eq!(run, Run { status: 2, stdout, stderr: String::new() });
}

fn siblings_in_a_directory_load() {
    let damaged = with(&[r#"{"version":2}"#]);
    let good = packed(&wit(), &VALUES, "functions.ping.title = \"Ping\"\n");
    let place = Place::new()
        .file("tools/a.wasm", &bytes(&damaged, "shop.wasm"))
        .file("tools/b.wasm", &bytes(&good, "shop.wasm"));
    let run = place.run(&["list", "--json", "--log=off", "tools"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let tools: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!(tools, json!([listed_alone(&good)]));

    let run = place.run(&["list", "tools"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "ping\n"));
    let said = format!("cannot load `tools/a.wasm`: {}; it is passed over\n", reason(VERSION_2));
    assert!(run.stderr.ends_with(&said), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);

    let run = place.run(&["check", "tools"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let a = format!("a (tools/a.wasm) passed over\n    {}\n", reason(VERSION_2));
    assert!(run.stdout.contains(&a), "{}", run.stdout);
    assert!(run.stdout.contains("\n  fine      ping\n"), "{}", run.stdout);
}

fn packing_again_mends_it() {
    let good = packed(&wit(), &VALUES, "functions.ping.title = \"Ping\"\n");
    let whole = bytes(&good, "shop.wasm");
    let twice = [r#"{"version":1}"#, r#"{"version":2}"#];
    let mut last_byte = whole.clone();
    *last_byte.last_mut().expect("it has bytes") = b']';
    for damaged in [last_byte, bytes(&with(&twice), "shop.wasm")] {
        let place = Place::new()
            .file("shop.wasm", &damaged)
            .file("shop.wit", &bytes(&good, "shop.wit"))
            .file("o.toml", &bytes(&good, "o.toml"));
        assert_eq!(place.run(&["list", "shop.wasm"]).status, 2);
        assert_eq!(place.run(&PACK).status, 0);
        assert!(bytes(&place, "shop.wasm") == whole);
    }
}
