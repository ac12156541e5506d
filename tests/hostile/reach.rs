//! What a guest can reach: nothing that was not granted, and what was, as it was.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::figures;
use super::granted::{Granted, at};
use crate::harness::{named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "hostile",
        named![
            no_variable_and_no_argument_of_the_host_is_seen,
            variables_that_are_granted_are_the_only_ones,
            no_file_is_seen_without_a_grant,
            a_granted_directory_is_read_and_not_written,
            nothing_outside_of_a_granted_directory_is_read,
            a_directory_that_is_swapped_for_a_link_leads_nowhere,
            a_secret_is_in_no_log_and_no_output_of_the_command,
            a_pipe_in_a_directory_is_not_opened,
            handles_meet_their_limit,
            tables_and_instances_meet_their_limits,
            a_granted_directory_has_a_quota_and_another_is_unaffected,
            sockets_are_never_granted,
            a_secret_leaves_in_no_way_that_is_looked_for,
            a_secret_of_one_component_is_not_seen_by_another,
            an_instance_is_never_used_twice,
            clocks_are_coarse_unless_granted,
            random_numbers_are_a_grant,
            hash_seeds_need_no_grant,
            receipts_say_what_was_reached_and_denied_and_hold_no_argument,
        ],
    )
}

/// The component imports wasi:http, so it needs some host, which no test reaches.
const HTTP: &str = "http = [\"nowhere.invalid:443\"]\n";

fn granted(grants: &str, prepared: &[(&str, &str)]) -> Granted {
    Granted::with(&format!("{HTTP}{grants}"), prepared)
}

fn no_variable_and_no_argument_of_the_host_is_seen() {
    assert!(std::env::vars().count() > 0, "this process has variables");
    let granted = granted("", &[]);
    assert_eq!(granted.value("variables", json!({})), json!([]));
    assert_eq!(granted.value("arguments", json!({})), json!([]));
}

fn variables_that_are_granted_are_the_only_ones() {
    let granted = granted("env.LANG = \"C.UTF-8\"", &[]);
    assert_eq!(granted.value("variables", json!({})), json!([["LANG", "C.UTF-8"]]));
}

fn no_file_is_seen_without_a_grant() {
    let granted = granted("", &[]);
    for path in ["/etc/passwd", "etc/passwd", "../etc/passwd", "/proc/self/environ", "/", "."] {
        let error = granted.error("read_file", at(path));
        assert!(!error.contains("root"), "{path}: {error}");
        granted.error("list_files", at(path));
    }
}

fn a_granted_directory_is_read_and_not_written() {
    let dirs = "dirs = [{ host = \"data\", guest = \"/data\", access = \"ro\" }]";
    let granted = granted(dirs, &[("data/a.txt", "as it was")]);
    assert_eq!(granted.value("read_file", at("/data/a.txt")), "as it was");
    assert_eq!(granted.value("list_files", at("/data")), json!(["a.txt"]));
    for path in ["/data/a.txt", "/data/b.txt"] {
        granted.error("write_file", json!({ "path": path, "text": "changed" }));
    }
    let file = granted.directory.path().join("data/a.txt");
    assert_eq!(std::fs::read_to_string(file).expect("it is there"), "as it was");
    assert!(!granted.directory.path().join("data/b.txt").exists());
}

fn nothing_outside_of_a_granted_directory_is_read() {
    let dirs = "dirs = [{ host = \"data\", guest = \"/data\", access = \"rw\" }]";
    let prepared = [("secret.txt", "outside"), ("data/a.txt", "inside"), ("data2/b.txt", "beside")];
    let granted = granted(dirs, &prepared);
    let outside = granted.directory.path().join("secret.txt");
    let links = [("link", outside.as_path()), ("up", std::path::Path::new("../secret.txt"))];
    for (name, target) in links {
        let link = granted.directory.path().join("data").join(name);
        std::os::unix::fs::symlink(target, link).expect("the directory can be written");
    }
    let absolute = outside.to_string_lossy().into_owned();
    let paths = [
        "/data/../secret.txt",
        "/data/./../secret.txt",
        "/data/x/../../secret.txt",
        "/data/link",
        "/data/up",
        "/data2/b.txt",
        "/dataa.txt",
        &absolute,
    ];
    for path in paths {
        let error = granted.error("read_file", at(path));
        assert!(!error.contains("outside") && !error.contains("beside"), "{path}: {error}");
    }
    granted.error("write_file", json!({ "path": "/data/link", "text": "changed" }));
    assert_eq!(std::fs::read_to_string(outside).expect("it is there"), "outside");
    assert_eq!(granted.value("read_file", at("/data/a.txt")), "inside");
}

fn a_granted_directory_has_a_quota_and_another_is_unaffected() {
    let dirs = "dirs = [{ host = \"small\", guest = \"/small\", access = \"rw\", quota_bytes_max = 1_000_000 },\n\
                { host = \"other\", guest = \"/other\", access = \"rw\" }]";
    let granted = granted(dirs, &[("small/keep", ""), ("other/keep", "")]);
    let fill = |path: &str| granted.value("fill", json!({ "path": path, "pieces": 100 }));
    let filled = fill("/small/a");
    let written = filled[0].as_u64().expect("a number");
    assert!(written > 500_000 && written < 1_000_000, "{filled}");
    assert_ne!(filled[1], "done");
    let size =
        std::fs::metadata(granted.directory.path().join("small/a")).expect("it is there").len();
    assert!(size < 1_000_000, "{size}");
    assert_eq!(fill("/other/a"), json!([100 * (64 << 10), "done"]));
    // What was removed can be used again.
    std::fs::remove_file(granted.directory.path().join("small/a")).expect("it is there");
    let again = fill("/small/b")[0].as_u64().expect("a number");
    assert!(again > 500_000, "{again}");
}

/// A program of the operator swaps a directory for a link to another one, all the time: for 2,000
/// readings, and for 60 s where figures are wanted.
fn a_directory_that_is_swapped_for_a_link_leads_nowhere() {
    let dirs = "dirs = [{ host = \"data\", guest = \"/data\", access = \"rw\" }]";
    let prepared = [("data/x/file", "inside"), ("outside/file", "outside")];
    let granted = granted(dirs, &prepared);
    let data = granted.directory.path().join("data");
    let outside = granted.directory.path().join("outside");
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (x, aside, link) = (data.join("x"), data.join("aside"), data.join("link"));
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                std::os::unix::fs::symlink(&outside, &link).expect("it can be made");
                std::fs::rename(&x, &aside).expect("it is there");
                std::fs::rename(&link, &x).expect("it is there");
                std::fs::remove_file(&x).expect("it is a link");
                std::fs::rename(&aside, &x).expect("it is there");
            }
        });
        let often = json!({ "path": "/data/x/file", "count": 2000 });
        let long = if figures::are_wanted() { Duration::from_secs(60) } else { Duration::ZERO };
        let began = Instant::now();
        let seen = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut seen = vec![granted.value("read_often", often.clone())];
            while began.elapsed() < long {
                seen.push(granted.value("read_often", often.clone()));
            }
            seen
        }));
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        let seen = seen.expect("the calls succeed");
        let read: u64 = seen.iter().filter_map(|seen| seen[0].as_u64()).sum();
        assert!(read > 0, "it was read at times: {seen:?}");
        assert!(seen.iter().all(|seen| seen[1] == json!(["inside"]) || seen[0] == 0), "{seen:?}");
        let what =
            "readings of a file whose directory is swapped: of those inside, of those outside";
        figures::note(31, what, read);
    });
}

/// With the most that can be logged, in every command that has to do with it.
fn a_secret_is_in_no_log_and_no_output_of_the_command() {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let path = json!(crate::harness::reaching()).to_string();
    let config = format!(
        "[components.reaching]\npath = {path}\n[components.reaching.grants]\n{HTTP}\
         secrets.KEY.file = \"key\"\n\
         secrets.TOKEN = {{ file = \"key\", header = \"authorization\", \
         hosts = [\"nowhere.invalid:443\"] }}\n"
    );
    for (name, text) in [("c.toml", config.as_str()), ("key", SECRET)] {
        std::fs::write(directory.path().join(name), text).expect("it can be written");
    }
    let text = json!({ "text": format!("before {SECRET} after") }).to_string();
    let url = json!({ "url": "https://nowhere.invalid/", "headers": [] }).to_string();
    let reaching = crate::harness::reaching().to_string_lossy().into_owned();
    let mut sinks = 0;
    let mut run = |arguments: &[&str]| {
        let with = ["--log", "trace", "--config", "c.toml"];
        let run = crate::harness::run(directory.path(), &[arguments, &with].concat());
        for output in [run.stdout, run.stderr] {
            assert!(!output.contains(SECRET), "{arguments:?}: {output}");
            sinks += 1;
        }
    };
    run(&["list"]);
    run(&["list", "--json"]);
    run(&["check"]);
    run(&["check", "--json"]);
    for tool in ["say", "say_bytes", "fail", "print", "stop"] {
        run(&["call", &reaching, tool, &text]);
    }
    run(&["call", &reaching, "variables"]);
    run(&["call", &reaching, "variables", "{}", "--json"]);
    run(&["call", &reaching, "fetch", &url]);
    super::figures::note(
        30,
        "outputs that a secret could be in, and those that it is in",
        format!("{sinks}, 0"),
    );
}

/// Opening one waits for somebody at its other end.
fn a_pipe_in_a_directory_is_not_opened() {
    for access in ["ro", "rw"] {
        let dirs =
            format!("dirs = [{{ host = \"data\", guest = \"/data\", access = \"{access}\" }}]");
        let granted = granted(&dirs, &[("data/a.txt", "inside")]);
        let pipe = granted.directory.path().join("data/pipe");
        let made = std::process::Command::new("mkfifo").arg(pipe).status();
        assert!(made.expect("mkfifo runs").success());
        granted.error("read_file", at("/data/pipe"));
        assert_eq!(granted.value("read_file", at("/data/a.txt")), "inside");
    }
}

fn handles_meet_their_limit() {
    let lines = format!(
        "[components.reaching]\nlimits.handles_max = 100\n[components.reaching.grants]\n{HTTP}"
    );
    let granted = Granted::of(&lines, &[], None);
    assert_eq!(granted.value("hoard", json!({ "count": 50 })), 50);
    let told = "the tool stopped unexpectedly and gave no result; the host's log has the details \
                under call cN";
    assert_eq!(without_id(&granted.error("hoard", json!({ "count": 1000 }))), told);
    assert_eq!(granted.value("hoard", json!({ "count": 50 })), 50);
}

/// A component of its own needs a few of each; with fewer than those it does not begin.
fn tables_and_instances_meet_their_limits() {
    for limit in ["table_elements_max = 0", "instances_max = 1"] {
        let lines =
            format!("[components.reaching]\nlimits.{limit}\n[components.reaching.grants]\n{HTTP}");
        let granted = Granted::of(&lines, &[], None);
        let error = granted.error("say", json!({ "text": "hello" }));
        assert!(error.starts_with("the tool stopped unexpectedly"), "{limit}: {error}");
    }
}

fn sockets_are_never_granted() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.set_nonblocking(true).expect("a listener can be");
    let address = listener.local_addr().expect("it has one").to_string();
    let granted = granted("", &[]);
    granted.error("connect", json!({ "address": address }));
    let accepted = listener.accept().map_err(|error| error.kind());
    assert_eq!(accepted.err(), Some(std::io::ErrorKind::WouldBlock), "nobody came");
}

const SECRET: &str = "canary-7f3a9c51e2";

fn a_secret_leaves_in_no_way_that_is_looked_for() {
    let prepared = [("key", SECRET)];
    let granted = granted("secrets.KEY.file = \"key\"", &prepared);
    let says = |text: &str| json!({ "text": text });
    let around = format!("before {SECRET} after");
    let cases = [
        ("variables", json!({})),
        ("say", says(SECRET)),
        ("say", says(&around)),
        ("say_bytes", says(&around)),
        ("fail", says(&around)),
        ("stop", says(&around)),
    ];
    for (tool, arguments) in cases {
        let result = granted.result(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}");
        assert!(!result.to_string().contains(SECRET), "{tool}: {result}");
    }
    let told = granted.error("say", says(SECRET));
    assert_eq!(
        told,
        "what it says holds the secret `KEY`, which must not leave; nothing of it is shown"
    );
    assert_eq!(granted.value("say", says("nothing of it")), "nothing of it");
    for receipt in granted.receipts() {
        assert!(!Value::Object(receipt).to_string().contains(SECRET));
    }
}

fn a_secret_of_one_component_is_not_seen_by_another() {
    let path = json!(crate::harness::reaching()).to_string();
    let component = |id: &str, secret: &str| {
        format!(
            "[components.{id}]\npath = {path}\nprefix = \"{id}\"\n\
             [components.{id}.grants]\n{HTTP}{secret}\n"
        )
    };
    let config = component("a", "secrets.KEY.file = \"key\"") + &component("b", "");
    let granted = Granted::of(&config, &[("key", SECRET)], None);
    assert_eq!(granted.value("b_variables", json!({})), json!([]));
    granted.error("a_variables", json!({}));
    assert_eq!(granted.value("b_say", json!({ "text": SECRET })), SECRET, "b does not know it");
}

fn an_instance_is_never_used_twice() {
    let granted = granted("", &[]);
    for _ in 0..10 {
        assert_eq!(granted.value("count", json!({})), 1);
    }
}

/// Nanoseconds of readings of both clocks.
fn readings(granted: &Granted) -> Vec<(u64, u64)> {
    let readings = granted.value("clocks", json!({ "count": 200 }));
    let pair = |pair: &Value| Some((pair[0].as_u64()?, pair[1].as_u64()?));
    readings.as_array().expect("a list").iter().map(|r| pair(r).expect("numbers")).collect()
}

fn clocks_are_coarse_unless_granted() {
    let coarse = readings(&granted("", &[]));
    assert!(coarse.iter().all(|(mono, wall)| mono % 1_000_000 == 0 && wall % 1_000_000 == 0));
    let precise = readings(&granted("clocks = \"precise\"", &[]));
    assert!(precise.iter().any(|(mono, wall)| mono % 1_000_000 != 0 && wall % 1_000_000 != 0));
    let fixed = readings(&granted("clocks = \"fixed\"", &[]));
    // A monotonic clock of 0 is taken for one that does not run.
    assert!(fixed.iter().all(|reading| *reading == (1_000_000, 0)));
}

fn random_numbers_are_a_grant() {
    let denied = granted("", &[]);
    assert_eq!(
        without_id(&denied.error("random", json!({}))),
        "the tool stopped unexpectedly and gave no result; the host's log has the details under \
         call cN; it was denied random numbers, which it was not granted; add `random = true` \
         under `[components.reaching.grants]` in portcullis.toml"
    );
    let granted = granted("random = true", &[]);
    let numbers: std::collections::BTreeSet<String> =
        (0..4).map(|_| granted.value("random", json!({})).to_string()).collect();
    assert_eq!(numbers.len(), 4);
}

fn without_id(text: &str) -> String {
    crate::harness::without_call_id(text)
}

fn hash_seeds_need_no_grant() {
    let seeds = granted("", &[]).value("hash_seeds", json!({}));
    assert_eq!(seeds.as_array().map(Vec::len), Some(2));
}

fn receipts_say_what_was_reached_and_denied_and_hold_no_argument() {
    let dirs = "dirs = [{ host = \"data\", guest = \"/data\", access = \"ro\" }]";
    let granted = granted(dirs, &[("data/a.txt", "inside")]);
    let text = "an argument that nobody keeps";
    granted.value("say", json!({ "text": text }));
    granted.error("random", json!({}));
    granted.error("say", json!({ "txt": text }));
    let digest = granted.host.catalog().components()[0].digest.clone();
    let receipts = granted.receipts();
    let outcomes: Vec<&Value> = receipts.iter().map(|receipt| &receipt["outcome"]).collect();
    assert_eq!(outcomes, ["ok", "trapped", "invalid-arguments"]);
    for receipt in &receipts {
        assert!(!Value::Object(receipt.clone()).to_string().contains(text));
        assert_eq!(receipt["digest"], digest.as_str());
        assert_eq!(receipt["component"], "reaching");
        assert_eq!(receipt["directories"], json!(["/data (ro)"]));
    }
    let said = &receipts[0];
    assert_eq!(said["argument_bytes"], json!({ "text": text }).to_string().len());
    assert_eq!(said["result_bytes"], json!(text).to_string().len());
    assert!(said["peak_memory_bytes"].as_u64() >= Some(64 << 10));
    assert!(said["wall_us"].as_u64() >= said["guest_us"].as_u64());
    assert_eq!(receipts[1]["denied"], json!(["random numbers"]));
    let calls: Vec<&Value> = receipts.iter().map(|receipt| &receipt["call"]).collect();
    assert_eq!(calls, ["c1", "c2", "c3"]);
}
