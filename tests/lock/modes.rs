//! What is served in each mode.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{Place, asked, functions, listed, status, version};
use crate::generated::section;
use crate::harness::{Line, Server, named, reaching, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "lock",
        named![
            a_change_waits_and_the_approved_version_serves_after_a_restart_too,
            a_change_is_served_once_it_is_approved,
            wider_permissions_never_run_before_they_are_approved,
            compatible_changes_pass_and_others_wait,
            an_open_server_serves_every_change,
            grants_beyond_the_approved_ones_wait_and_fewer_hold_at_once,
            what_was_never_approved_is_not_served,
            approved_bytes_that_are_nowhere_are_not_served,
            a_broken_file_leaves_the_approved_version_after_a_restart,
            a_server_without_a_lock_says_how_to_make_one,
            a_lock_that_is_gone_takes_nothing_back,
            a_mode_that_needs_a_lock_says_so,
            a_component_cannot_write_its_lock,
            a_status_is_for_its_owner_alone,
            a_status_counts_calls_and_generations,
        ],
    )
}

/// Waits until the server has seen the change that waits.
fn wait_for_waiting(server: &Server) -> Value {
    server.wait_for_log("waits to be approved");
    status(server)["components"][0].clone()
}

fn a_change_waits_and_the_approved_version_serves_after_a_restart_too() {
    let place = Place::approved(&version(1));
    let mut server = place.serve(&[]);
    assert_eq!(asked(&mut server), 1);
    place.replace(&version(2));
    let component = wait_for_waiting(&server);
    assert_eq!(component["serves"]["generation"], 1);
    assert_eq!(component["waiting"][0]["path"], json!(["digest"]));
    for _ in 0..20 {
        assert_eq!(asked(&mut server), 1);
    }
    server.close();
    let mut server = place.serve(&[]);
    assert_eq!(asked(&mut server), 1);
    assert_eq!(status(&server)["mode"], "locked");
    let component = wait_for_waiting(&server);
    assert_eq!(component["waiting"].as_array().map(Vec::len), Some(1), "{component}");
    // It is told once, however often the file is looked at.
    place.replace(&[version(2), section("x", b"")].concat());
    place.replace(&version(2));
    server.hang_up();
    server.wait_for_log("reloading");
    assert_eq!(asked(&mut server), 1);
    assert!(server.beside_answers().is_empty());
}

fn a_change_is_served_once_it_is_approved() {
    let place = Place::approved(&version(1));
    let mut server = place.serve(&[]);
    assert_eq!(asked(&mut server), 1);
    place.replace(&functions("version: func() -> u32;\nmore: func() -> u32;", 2));
    wait_for_waiting(&server);
    assert_eq!(listed(&mut server), ["version"]);
    place.approve();
    server.wait_for_notification("notifications/tools/list_changed");
    assert_eq!(asked(&mut server), 2);
    assert_eq!(listed(&mut server), ["version", "more"]);
    let component = &status(&server)["components"][0];
    assert_eq!(component["serves"]["generation"], 2);
    assert_eq!(component["waiting"], json!([]));
    let told = server.beside_answers();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(matches!(&told[0], Line::Notification(_)));
}

fn wider_permissions_never_run_before_they_are_approved() {
    let config = "[components.tool]\npath = \"my tool.wasm\"\ngrants.http = [\"*:443\"]\n";
    for mode in ["locked", "compatible"] {
        let place = Place::configured(config, &version(1));
        place.approve();
        let mut server = place.serve(&["--lock-mode", mode]);
        assert_eq!(asked(&mut server), 1);
        place.write("reaching.wasm", &std::fs::read(reaching()).expect("it was built"));
        std::fs::rename(place.path("reaching.wasm"), place.path("my tool.wasm"))
            .expect("it can be put in place");
        let component = wait_for_waiting(&server);
        let waiting = component["waiting"].to_string();
        assert!(waiting.contains("\"wasi:http/outgoing-handler@0.2"), "{waiting}");
        // It has many tools, and not one of them is called or seen.
        assert_eq!(listed(&mut server), ["version"]);
        assert_eq!(asked(&mut server), 1);
        server.close();
        let mut server = place.serve(&["--lock-mode", mode]);
        assert_eq!(listed(&mut server), ["version"]);
    }
}

fn compatible_changes_pass_and_others_wait() {
    /// What is there first; what comes, and whether it passes.
    const CASES: [(&str, &str, bool); 9] = [
        ("version: func() -> u32;", "version: func() -> u32;", true),
        // An argument that may be left out.
        ("version: func() -> u32;", "version: func(n: option<u32>) -> u32;", true),
        ("version: func(n: option<u8>) -> u32;", "version: func(n: option<u32>) -> u32;", true),
        ("version: func() -> u32;", "version: func() -> u8;", true),
        // One that may not, or that accepts less; a result that promises less; another tool.
        ("version: func() -> u32;", "version: func(n: u32) -> u32;", false),
        ("version: func(n: option<u32>) -> u32;", "version: func(n: option<u8>) -> u32;", false),
        ("version: func() -> u32;", "version: func() -> u64;", false),
        ("version: func() -> u32;", "version: func() -> u32;\nmore: func() -> u32;", false),
        ("version: func() -> u32;\nmore: func() -> u32;", "version: func() -> u32;", false),
    ];
    for (before, after, passes) in CASES {
        let place = Place::approved(&functions(before, 1));
        place.write("my tool.wasm", &functions(after, 2));
        let mut server = place.serve(&["--lock-mode", "compatible"]);
        assert_eq!(asked(&mut server) == 2, passes, "{before} {after}");
        let component = &status(&server)["components"][0];
        let waits = component["waiting"].as_array().expect("a list");
        assert_eq!(waits.is_empty(), passes, "{before} {after}: {component}");
    }
}

fn an_open_server_serves_every_change() {
    let place = Place::approved(&version(1));
    place.write("my tool.wasm", &functions("version: func() -> u32;\nmore: func() -> u32;", 2));
    let mut server = place.serve(&["--lock-mode", "open"]);
    assert_eq!(listed(&mut server), ["version", "more"]);
    assert_eq!(status(&server)["mode"], "open");
}

fn grants_beyond_the_approved_ones_wait_and_fewer_hold_at_once() {
    let config = |grants: &str| {
        format!("[components.tool]\npath = \"my tool.wasm\"\n[components.tool.grants]\n{grants}\n")
    };
    let approved = "env.ONE = \"1\"\nenv.TWO = \"2\"";
    let reaching = std::fs::read(reaching()).expect("it was built");
    let place = Place::configured(&config(approved), &reaching);
    place.approve();
    let lock = place.read("portcullis.lock");
    assert!(lock.contains("env = [\n    \"ONE\",\n    \"TWO\",\n]"), "{lock}");
    let mut server = place.serve(&[]);
    let count = listed(&mut server).len();
    assert!(count > 1);
    assert_eq!(status(&server)["components"][0]["waiting"], json!([]));
    place.write("portcullis.toml", config("env.ONE = \"1\"\nenv.MORE = \"3\"").as_bytes());
    server.wait_for_log("gets no more than was approved");
    let component = &status(&server)["components"][0];
    // It is served still, without what was taken away, and without what came.
    assert_eq!(listed(&mut server).len(), count);
    let waiting = json!([
        { "path": ["grants", "env"], "before": "TWO" },
        { "path": ["grants", "env"], "after": "MORE" },
    ]);
    assert_eq!(component["waiting"], waiting);
    assert_eq!(component["serves"]["generation"], 2);
}

fn what_was_never_approved_is_not_served() {
    let place = Place::approved(&version(1));
    place.write("other.wasm", &functions("other: func() -> u32;", 5));
    let config = place.read("portcullis.toml") + "[components.other]\npath = \"other.wasm\"\n";
    place.write("portcullis.toml", config.as_bytes());
    for mode in ["locked", "compatible"] {
        let mut server = place.serve(&["--lock-mode", mode]);
        assert_eq!(listed(&mut server), ["version"]);
        server.wait_for_log("component `other` waits to be approved: it was never approved");
        let other = &status(&server)["components"][1];
        assert_eq!(other["serves"], Value::Null);
        assert_eq!(other["waiting"][0]["path"], json!([]));
    }
}

fn approved_bytes_that_are_nowhere_are_not_served() {
    let place = Place::approved(&version(1));
    // As in another checkout, on another machine: the lock says what was approved there.
    let lock = place.read("portcullis.lock");
    let digest =
        |lock: &str| lock.split("digest = \"sha256:").nth(1).map(|rest| rest[..64].to_owned());
    let digest = digest(&lock).expect("it has a digest");
    place.write("portcullis.lock", lock.replace(&digest, &"0".repeat(64)).as_bytes());
    let mut server = place.serve(&[]);
    assert_eq!(listed(&mut server), [""; 0]);
    server.wait_for_log("waits to be approved");
    assert!(server.log().contains("it is not served"), "{}", server.log());
}

fn a_broken_file_leaves_the_approved_version_after_a_restart() {
    let place = Place::approved(&version(1));
    place.write("my tool.wasm", b"this is no component");
    let mut server = place.serve(&[]);
    assert_eq!(asked(&mut server), 1);
    server.wait_for_log("it is not a WebAssembly binary");
    assert!(server.log().contains("the last version stays"), "{}", server.log());
    let component = &status(&server)["components"][0];
    let fault = "it is not a WebAssembly binary; name a component (.wasm) or a directory of them";
    assert_eq!(component["fault"], fault);
    assert_eq!(component["serves"]["tools"], json!(["version"]));
}

fn a_server_without_a_lock_says_how_to_make_one() {
    let place = Place::new(&version(1));
    let mut server = place.serve(&[]);
    assert_eq!(asked(&mut server), 1);
    let config = place.path("portcullis.toml");
    server.wait_for_log("there is no portcullis.lock");
    let said = format!(
        "there is no portcullis.lock: a component may change without being approved; \
         `portcullis approve --config {}` makes one",
        config.display()
    );
    assert!(server.log().contains(&said), "{}", server.log());
    // One that is made holds from then on.
    place.approve();
    place.replace(&version(2));
    server.wait_for_log("waits to be approved");
    assert_eq!(asked(&mut server), 1);
}

fn a_lock_that_is_gone_takes_nothing_back() {
    let place = Place::approved(&version(1));
    let mut server = place.serve(&[]);
    assert_eq!(asked(&mut server), 1);
    std::fs::remove_file(place.path("portcullis.lock")).expect("it is there");
    place.replace(&version(2));
    server.wait_for_log("portcullis.lock` is gone; restore it, or start the server anew");
    assert_eq!(asked(&mut server), 1);
    assert_eq!(status(&server)["last_reload"]["ok"], false);
}

fn a_mode_that_needs_a_lock_says_so() {
    let place = Place::new(&version(1));
    for (arguments, said) in [
        (
            ["serve", "--lock-mode", "locked"],
            "mode `locked` needs a lock, and there is no `portcullis.lock`; `portcullis approve` \
             makes one",
        ),
        (
            ["serve", "--lock", "my.lock"],
            "there is no lock `my.lock`; `portcullis approve --lock my.lock` makes one",
        ),
    ] {
        let run = place.run(&arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        assert_eq!(run.stderr, format!("portcullis: {said}\n"));
    }
}

fn a_component_cannot_write_its_lock() {
    let place = Place::approved(&version(1));
    std::fs::create_dir(place.path("data")).expect("it can be made");
    std::fs::rename(place.path("portcullis.lock"), place.path("data/my.lock"))
        .expect("it can be moved");
    let config = "[components.tool]\npath = \"my tool.wasm\"\ngrants.dirs = [{ host = \"data\", \
                  guest = \"/d\", access = \"rw\" }]\n";
    place.write("portcullis.toml", config.as_bytes());
    let run = place.run(&["serve", "--lock", "data/my.lock"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("component `tool` writes to `"), "{}", run.stderr);
    assert!(run.stderr.ends_with("grant it a directory of its own\n"), "{}", run.stderr);
}

fn a_status_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::approved(&version(1));
    let mut server = place.serve(&[]);
    assert_eq!(asked(&mut server), 1);
    let directory = crate::harness::cache().join("portcullis/run");
    let socket = directory.join(format!("{}.sock", server.pid()));
    let mode = |path: &std::path::Path| {
        let known = std::fs::metadata(path).expect("it is there");
        known.permissions().mode() & 0o777
    };
    assert_eq!((mode(&directory), mode(&socket)), (0o700, 0o600));
    server.close();
    assert!(!socket.exists());
    let pid = server.pid().to_string();
    let run = place.run(&["status", &pid]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert_eq!(run.stderr, format!("portcullis: no server of yours has process {pid}\n"));
}

fn a_status_counts_calls_and_generations() {
    let place = Place::new(&version(1));
    let mut server = place.serve(&["--lock-mode", "open"]);
    for _ in 0..3 {
        assert_eq!(asked(&mut server), 1);
    }
    place.replace(&version(2));
    server.wait_for_log("is served in version");
    for _ in 0..2 {
        assert_eq!(asked(&mut server), 2);
    }
    let report = status(&server);
    let serves = &report["components"][0]["serves"];
    assert_eq!(serves["calls_total"], 5);
    assert_eq!(serves["calls_in_flight"], 0);
    assert_eq!(serves["generation"], 2);
    assert_eq!(serves["tools"], json!(["version"]));
    assert_eq!(report["last_reload"]["ok"], true);
    assert_eq!(report["process"], server.pid());
    let said = report["last_reload"]["outcome"][0].as_str().expect("a text");
    assert!(said.starts_with("component `tool` is served in version"), "{said}");
}
