//! Which bytes are written, and where.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{PACK, bytes, listed_alone, package, packed, unpacked};
use crate::generated::section;
use crate::harness::{Run, named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "cli::pack",
        named![
            one_section_is_added_and_its_size_is_told,
            packing_twice_gives_equal_bytes,
            packing_otherwise_takes_back_what_was_packed_before,
            another_file_is_written_and_the_source_stays,
            a_world_that_is_named_is_packed_from_a_directory,
            each_requirement_is_one_warning,
        ],
    )
}

const VALUES: [(&str, &str); 1] = [("ping", "1")];
const OVERLAY: &str = "[functions.ping]\ntitle = \"Ping\"\n";

fn wit() -> String {
    package("/// Is it there?\nping: func() -> u8;")
}

fn one_section_is_added_and_its_size_is_told() {
    let place = unpacked(&wit(), &VALUES, OVERLAY);
    let source = bytes(&place, "shop.wasm");
    let run = place.run(&PACK);
    let said = json!({
        "version": 1,
        "functions": {
            "test:shop/api@1.0.0#ping": { "title": "Ping", "description": "Is it there?" },
        },
    });
    let count = said.to_string().len();
    let stdout = format!("shop.wasm: 1 of 1 tools documented, a descriptor of {count} bytes\n");
    assert_eq!(run, Run { status: 0, stdout, stderr: String::new() });

    let packed = bytes(&place, "shop.wasm");
    let added = packed.strip_prefix(source.as_slice()).expect("the component is there as it was");
    let json = &added[added.len() - count..];
    assert_eq!(serde_json::from_slice::<Value>(json).expect("it is JSON"), said);
    assert_eq!(added, section("portcullis:descriptor", json));
}

fn packing_twice_gives_equal_bytes() {
    let place = packed(&wit(), &VALUES, OVERLAY);
    let once = bytes(&place, "shop.wasm");
    assert_eq!(place.run(&PACK).status, 0);
    assert!(bytes(&place, "shop.wasm") == once);
}

fn packing_otherwise_takes_back_what_was_packed_before() {
    let place = packed(&wit(), &VALUES, OVERLAY);
    assert_eq!(listed_alone(&place)["title"], "Ping");
    assert_eq!(place.run(&["pack", "shop.wasm", "--wit", "shop.wit"]).status, 0);
    assert_eq!(listed_alone(&place).get("title"), None);
    assert_eq!(listed_alone(&place)["description"], "Is it there?");
    let never_had_a_title = packed(&wit(), &VALUES, "");
    assert!(bytes(&place, "shop.wasm") == bytes(&never_had_a_title, "shop.wasm"));
}

fn another_file_is_written_and_the_source_stays() {
    let place = unpacked(&wit(), &VALUES, OVERLAY).file("old.wasm", b"what was there");
    let source = bytes(&place, "shop.wasm");
    for output in ["new.wasm", "old.wasm"] {
        let run = place.run(&[&PACK[..], &["-o", output]].concat());
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        assert!(run.stdout.starts_with(&format!("{output}: 1 of 1 tools")), "{}", run.stdout);
        assert!(bytes(&place, "shop.wasm") == source);
    }
    let in_place = packed(&wit(), &VALUES, OVERLAY);
    for output in ["new.wasm", "old.wasm"] {
        assert!(bytes(&place, output) == bytes(&in_place, "shop.wasm"), "{output}");
    }
    let mut files: Vec<_> = std::fs::read_dir(place.path())
        .expect("it is a directory")
        .map(|entry| entry.expect("it can be read").file_name())
        .collect();
    files.sort();
    assert_eq!(files, ["new.wasm", "o.toml", "old.wasm", "shop.wasm", "shop.wit"]);
}

fn a_world_that_is_named_is_packed_from_a_directory() {
    let (interface, world) = wit()
        .split_once("world")
        .map(|(i, w)| (i.to_owned(), w.to_owned()))
        .expect("it has a world");
    let worlds = format!("package test:shop@1.0.0;\nworld other {{}}\nworld{world}");
    let place = unpacked(&wit(), &VALUES, "")
        .file("wit/api.wit", interface.as_bytes())
        .file("wit/worlds.wit", worlds.as_bytes());
    let run = place.run(&["pack", "shop.wasm", "--wit", "wit", "--world", "w"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(listed_alone(&place)["description"], "Is it there?");
}

fn each_requirement_is_one_warning() {
    let overlay = "[requires]\n\
        http = [\"api.post.example:443\", \"b.example:80\"]\n\
        directories = [\n\
        { path = \"/labels\", access = \"read-only\" }, { path = \"/out\", access = \"read-write\" }]\n\
        environment = [\"TZ\"]\nsecrets = [\"POST_KEY\"]\nclient = [\"elicit-form\", \"roots\"]\n";
    let run = packed(&wit(), &VALUES, overlay).run(&["list", "shop.wasm"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "ping\n"));
    let said: Vec<&str> = run
        .stderr
        .lines()
        .map(|line| line.split_once(" WARN ").unwrap_or_else(|| panic!("no warning: {line}")).1)
        .collect();
    let needs = [
        ("http to `api.post.example:443`", "http = [\"api.post.example:443\"]"),
        ("http to `b.example:80`", "http = [\"b.example:80\"]"),
        (
            "directory `/labels` to read",
            "dirs = [{ host = \"DIR\", guest = \"/labels\", access = \"ro\" }]",
        ),
        (
            "directory `/out` to write",
            "dirs = [{ host = \"DIR\", guest = \"/out\", access = \"rw\" }]",
        ),
        ("environment variable `TZ`", "env.TZ = \"VALUE\""),
        ("secret `POST_KEY`", "secrets.POST_KEY.env = \"VARIABLE\""),
    ];
    let needs: Vec<String> = needs
        .map(|(need, line)| {
            format!(
                "component `shop` needs {need}, which it was not granted; add `{line}` under \
                 `[components.shop.grants]` in portcullis.toml; its calls fail"
            )
        })
        .to_vec();
    // What a client has to be able to do is for the client to have, and for nobody to grant.
    assert_eq!(said, needs);
}
