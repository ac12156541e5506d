//! What was approved holds, whatever becomes of files and configs around it.

use std::fs;
use std::io::Write as _;
use std::process::Command;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{Place, asked, functions, listed, status, version};
use crate::generated::{Described, declared, provider, provider_requiring, wave};
use crate::harness::{named, program, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "lock",
        named![
            a_component_whose_file_is_gone_is_gone_once,
            what_grants_make_of_hints_is_no_change_of_the_component,
            limits_and_prefixes_are_no_change_of_the_component,
            a_secret_that_goes_further_waits,
            two_approvals_at_once_both_hold,
            who_writes_for_long_holds_up_nothing_else,
            a_config_that_becomes_a_pipe_is_refused,
            a_lock_that_leads_nowhere_is_no_missing_lock,
            an_id_is_taken_for_one_before_a_directory,
            a_lock_that_a_component_could_write_is_not_written,
            what_is_mended_is_said_to_be,
        ],
    )
}

const CONFIG: &str = "[components.tool]\npath = \"my tool.wasm\"\n";

fn a_component_whose_file_is_gone_is_gone_once() {
    let place = Place::approved(&version(1));
    place.write("other.wasm", &functions("other: func() -> u32;", 5));
    let config = format!("{CONFIG}[components.other]\npath = \"other.wasm\"\n");
    place.write("portcullis.toml", config.as_bytes());
    place.approve();
    let mut server = place.serve(&[]);
    assert_eq!(listed(&mut server), ["version", "other"]);
    fs::remove_file(place.path("other.wasm")).expect("it is there");
    server.wait_for_notification("notifications/tools/list_changed");
    for _ in 0..3 {
        server.hang_up();
        // The look is done when the next one is asked for.
        place.write("portcullis.toml", config.as_bytes());
        assert_eq!(listed(&mut server), ["version"]);
    }
    let other = &status(&server)["components"][1];
    assert_eq!(other["serves"], Value::Null);
    let gone = "other.wasm`: No such file or directory";
    assert_eq!(server.log().matches(gone).count(), 1, "{}", server.log());
    assert_eq!(server.beside_answers().len(), 1);
    place.write("other.wasm", &functions("other: func() -> u32;", 5));
    server.wait_for_log("component `other` is served in version");
    assert_eq!(listed(&mut server), ["version", "other"]);
}

fn what_grants_make_of_hints_is_no_change_of_the_component() {
    let tool = Described { read_only: true, ..Described::new("get", "{\"type\":\"string\"}") };
    let outcome = declared("\"x\"");
    let requires = "[{guest-path: \"/data\", access: read-write}]";
    let bytes = provider_requiring(requires, &[tool], |ty| wave::parse(ty, &outcome));
    let place = Place::configured(CONFIG, &bytes);
    fs::create_dir(place.path("data")).expect("it can be made");
    place.approve();
    let dirs = "grants.dirs = [{ host = \"data\", guest = \"/data\", access = \"rw\" }]\n";
    place.write("portcullis.toml", format!("{CONFIG}{dirs}").as_bytes());
    // A tool that could write is not known to change nothing; the component says what it said.
    let mut server = place.serve(&[]);
    assert_eq!(listed(&mut server), ["get"]);
    let waiting = &status(&server)["components"][0]["waiting"];
    let places: Vec<String> =
        waiting.as_array().expect("a list").iter().map(|d| d["path"].to_string()).collect();
    assert_eq!(places, ["[\"lacks\"]", "[\"grants\",\"dirs\"]"]);
    let result = server.call("get", json!({}));
    let text = result["content"][0]["text"].to_string();
    assert!(text.contains("which is granted and not approved"), "{text}");
    place.approve();
    server.wait_for_log("is served in version");
    assert_eq!(server.call("get", json!({}))["structuredContent"], json!({ "result": "x" }));
}

fn limits_and_prefixes_are_no_change_of_the_component() {
    let long = "a".repeat(40);
    let tools = [Described::new("get", "{}"), Described::new(&long, "{}")];
    let place = Place::approved(&provider(&tools, &declared("{}")));
    for (config, names) in [
        (
            format!("{CONFIG}prefix = \"{}\"\n", "p".repeat(40)),
            vec![format!("{}_get", "p".repeat(40))],
        ),
        (format!("[schema.limits]\ndescription_bytes_max = 16\n{CONFIG}"), vec!["get".to_owned()]),
        (format!("[schema]\ntitles = false\n{CONFIG}"), vec!["get".to_owned(), long.clone()]),
    ] {
        place.write("portcullis.toml", config.as_bytes());
        let mut server = place.serve(&[]);
        assert_eq!(listed(&mut server), names, "{config}");
        assert_eq!(status(&server)["components"][0]["waiting"], json!([]), "{config}");
    }
}

fn a_secret_that_goes_further_waits() {
    let sent =
        "secrets.KEY = { file = \"key\", header = \"authorization\", hosts = [\"a.example:443\"] }";
    let config = |secret: &str| {
        format!("{CONFIG}[components.tool.grants]\nhttp = [\"*.example:443\"]\n{secret}\n")
    };
    let bytes = fs::read(crate::harness::reaching()).expect("it was built");
    let place = Place::configured(&config(sent), &bytes);
    place.write("key", b"a secret of the test");
    place.approve();
    for wider in
        ["secrets.KEY = { file = \"key\" }".to_owned(), sent.replace("a.example", "b.example")]
    {
        place.write("portcullis.toml", config(&wider).as_bytes());
        assert_eq!(place.differs_in()[0], "grants.secrets.0.hosts", "{wider}");
        let server = place.serve(&[]);
        server.wait_for_log("gets no more than was approved");
    }
}

fn two_approvals_at_once_both_hold() {
    let place = Place::new(&version(1));
    let mut config = String::new();
    let ids: Vec<String> = (0..4).map(|index| format!("t{index}")).collect();
    for id in &ids {
        config += &format!("[components.{id}]\npath = \"{id}.wasm\"\nprefix = \"{id}\"\n");
        place.write(&format!("{id}.wasm"), &version(1));
    }
    place.write("portcullis.toml", config.as_bytes());
    let approving = |id: &String| {
        let mut command: Command = program();
        command.args(["approve", id.as_str()]).current_dir(place.0.path());
        command.stdout(std::process::Stdio::null()).spawn().expect("the command starts")
    };
    let running: Vec<_> = ids.iter().map(approving).collect();
    for mut child in running {
        assert!(child.wait().expect("a child can be waited for").success());
    }
    assert_eq!(place.differs_in(), [""; 0]);
}

fn who_writes_for_long_holds_up_nothing_else() {
    let place = Place::approved(&version(1));
    fs::create_dir(place.path("d")).expect("it can be made");
    fs::copy(place.path("my tool.wasm"), place.path("d/tool.wasm")).expect("it can be copied");
    let lock = place.path("portcullis.lock");
    let directory = place.path("d");
    let arguments = ["--lock".as_ref(), lock.as_os_str(), directory.as_os_str()];
    let mut server = crate::harness::Server::start(&arguments);
    assert_eq!(asked(&mut server), 1);
    let mut upload = fs::File::create(place.path("d/upload.wasm")).expect("it can be written");
    // What was approved is taken back while somebody writes and writes.
    let emptied = "form = 1\n";
    let mut seen = false;
    for number in 0..600 {
        upload.write_all(&[0]).expect("it can be written");
        if number == 1 {
            fs::write(&lock, emptied).expect("it can be written");
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
        if server.log().contains("it was never approved") {
            seen = true;
            break;
        }
    }
    assert!(seen, "{}", server.log());
    assert_eq!(listed(&mut server), [""; 0]);
}

fn a_config_that_becomes_a_pipe_is_refused() {
    let place = Place::approved(&version(1));
    let mut server = place.serve(&[]);
    assert_eq!(asked(&mut server), 1);
    let config = place.path("portcullis.toml");
    let made = Command::new("mkfifo").arg(place.path("pipe")).status().expect("it starts");
    assert!(made.success());
    fs::rename(place.path("pipe"), &config).expect("it can be put in place");
    server.wait_for_log("portcullis.toml` is not a regular file");
    assert_eq!(status(&server)["last_reload"]["ok"], false);
    assert_eq!(asked(&mut server), 1);
    assert!(server.close().success());
}

fn a_lock_that_leads_nowhere_is_no_missing_lock() {
    let place = Place::new(&version(1));
    std::os::unix::fs::symlink("nowhere", place.path("portcullis.lock")).expect("it can be made");
    for command in ["serve", "approve"] {
        let run = place.run(&[command]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        let said = "portcullis: cannot read the lock `portcullis.lock`: No such file or directory (os \
                    error 2); restore it, or remove it and approve anew\n";
        assert_eq!(run.stderr, said);
    }
}

fn an_id_is_taken_for_one_before_a_directory() {
    let place = Place::new(&version(1));
    fs::create_dir(place.path("tool")).expect("it can be made");
    place.write("tool/other.wasm", &functions("other: func() -> u32;", 5));
    assert_eq!(place.run(&["approve", "tool"]).status, 0);
    let lock = place.read("portcullis.lock");
    assert!(lock.contains("[components.tool]") && !lock.contains("other"), "{lock}");
    // With a slash it is a path.
    assert_eq!(place.run(&["approve", "./tool", "--lock", "l"]).status, 0);
    assert!(place.read("l").contains("[components.other]"));
}

fn a_lock_that_a_component_could_write_is_not_written() {
    let dirs = "grants.dirs = [{ host = \"data\", guest = \"/d\", access = \"rw\" }]\n";
    let place = Place::configured(&format!("{CONFIG}{dirs}"), &version(1));
    fs::create_dir(place.path("data")).expect("it can be made");
    fs::create_dir(place.path("safe")).expect("it can be made");
    std::os::unix::fs::symlink("../safe/l", place.path("data/link")).expect("it can be made");
    place.write("safe/l", b"form = 1\n");
    for lock in ["data/l", "data/link"] {
        let run = place.run(&["approve", "--lock", lock]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{lock}");
        assert!(run.stderr.contains("component `tool` writes to `"), "{}", run.stderr);
    }
    assert!(!place.path("data/l").exists());
    assert_eq!(place.read("safe/l"), "form = 1\n");
}

fn what_is_mended_is_said_to_be() {
    let place = Place::approved(&version(1));
    let mut server = place.serve(&[]);
    assert_eq!(asked(&mut server), 1);
    let config = place.read("portcullis.toml");
    place.write("portcullis.toml", b"nonsense = 1\n");
    server.wait_for_log("the config is not reloaded");
    assert_eq!(status(&server)["last_reload"]["ok"], false);
    place.write("portcullis.toml", config.as_bytes());
    server.wait_for_log("nothing is wrong any more");
    let reload = &status(&server)["last_reload"];
    assert_eq!(
        (&reload["ok"], &reload["outcome"]),
        (&json!(true), &json!(["nothing is wrong any more"]))
    );
}
