//! Components that are replaced while they are served, in every way in which files are.
//!
//! No call fails, and every answer is of a version that was there in whole.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::generated::{Gives, Package, section, wave};
use crate::harness::{Line, Server, hostile, named, trials as named_trials};
use crate::hostile::compile::weighted;

pub(crate) fn trials() -> Vec<Trial> {
    named_trials(
        "reload",
        named![
            two_hundred_replacements_fail_no_call,
            a_call_ends_on_the_code_that_it_began_on,
            clients_are_told_only_when_they_can_see_a_change,
            a_touched_file_is_not_loaded_again,
            a_bad_version_leaves_the_last_good_one_and_is_told_once,
            components_come_and_go_with_their_files,
            without_watching_only_a_signal_reloads,
            a_file_that_is_cut_between_sections_is_not_served,
            a_client_is_answered_while_components_are_compiled,
        ],
    )
}

/// A component of one function, `name`, that gives a number.
fn component(name: &str, number: u32) -> Vec<u8> {
    let wit = format!(
        "package test:versions@1.0.0;\ninterface api {{\n{name}: func() -> u32;\n}}\n\
         world w {{\nexport api;\n}}\n"
    );
    let package = Package::parse(&wit);
    package.component(|function| match package.result(function) {
        Some(ty) => Gives::Value(wave::parse(&ty, &number.to_string())),
        None => Gives::Nothing,
    })
}

fn version(number: u32) -> Vec<u8> {
    component("version", number)
}

/// A directory that is served, with a file in it.
fn serving(bytes: &[u8]) -> (TempDir, Server) {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    fs::write(directory.path().join("tool.wasm"), bytes).expect("it can be written");
    let server = Server::start(&[directory.path()]);
    (directory, server)
}

/// Puts a file in place at once.
fn rename_over(file: &Path, bytes: &[u8]) {
    let aside = file.with_extension("new");
    fs::write(&aside, bytes).expect("it can be written");
    fs::rename(aside, file).expect("it can be put in place");
}

/// What the tool `version` says.
fn asked(server: &mut Server) -> u32 {
    let result = server.call("version", json!({}));
    let number = result["structuredContent"]["result"].as_u64();
    let number = number.unwrap_or_else(|| panic!("a call failed: {result}"));
    u32::try_from(number).expect("it is one of ours")
}

/// Calls until the answer is `number`; the client gives up a server that never says it.
fn wait_for(server: &mut Server, number: u32) {
    let began = std::time::Instant::now();
    while asked(server) != number {
        assert!(began.elapsed().as_secs() < 60, "{number} is not served: {}", server.log());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

fn two_hundred_replacements_fail_no_call() {
    let (directory, mut server) = serving(&version(0));
    let file = directory.path().join("tool.wasm");
    let (mut last, mut good) = (0, 0);
    for number in 1..=200 {
        let bytes = version(number);
        let half = bytes.len() / 2;
        match number % 5 {
            0 => rename_over(&file, b"\0asm this is no component"),
            1 => rename_over(&file, &bytes),
            2 => {
                let to = directory.path().join(format!("versions-{number}"));
                fs::write(&to, &bytes).expect("it can be written");
                let link = directory.path().join("link");
                symlink(&to, &link).expect("it can be made");
                fs::rename(link, &file).expect("it can be put in place");
            }
            3 => {
                // A link is replaced by a file, in whole.
                let _ = fs::remove_file(&file);
                fs::write(&file, &bytes).expect("it can be written");
            }
            _ => {
                let mut file = File::create(&file).expect("it can be written");
                for piece in [&bytes[..half], &bytes[half..]] {
                    file.write_all(piece).expect("it can be written");
                    if number % 2 == 0 {
                        asked_while_gone(&mut server, &mut last, number);
                    }
                }
            }
        }
        if number % 5 != 0 {
            good = number;
        }
        for _ in 0..20 {
            asked_while_gone(&mut server, &mut last, number);
        }
    }
    assert_eq!(good, 199);
    rename_over(&file, &version(201));
    wait_for(&mut server, 201);
    assert!(server.beside_answers().iter().all(|line| matches!(line, Line::Notification(_))));
}

/// One call, whose answer is the last one or a later version.
fn asked_while_gone(server: &mut Server, last: &mut u32, newest: u32) {
    let number = asked(server);
    assert!((*last..=newest).contains(&number), "{number} after {last}, and {newest} is newest");
    *last = number;
}

fn a_call_ends_on_the_code_that_it_began_on() {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let file = directory.path().join("tool.wasm");
    fs::copy(hostile(), &file).expect("it can be written");
    let config = directory.path().join("c.toml");
    let text = "limits.call_deadline_ms = 3_000\n[components.tool]\npath = \"tool.wasm\"\n";
    fs::write(&config, text).expect("it can be written");
    let mut server = Server::start(&["--config".as_ref(), config.as_os_str()]);
    let sleeping = server.send_call("sleeps", json!({}));
    assert_eq!(server.call("well_behaved", json!({}))["isError"], false);
    rename_over(&file, &version(7));
    server.wait_for_log("component `tool` is served in version");
    assert_eq!(asked(&mut server), 7);
    let unknown = server.request("tools/call", json!({ "name": "sleeps", "arguments": {} }));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    // It sleeps for an hour, in code that is served no more, until its own deadline.
    let text = server.result(sleeping)["content"][0]["text"].to_string();
    assert!(text.contains("the call took longer than 3000 ms"), "{text}");
}

fn notifications(server: &Server) -> Vec<Value> {
    let lines = server.lines().into_iter();
    lines
        .filter_map(|line| match line {
            Line::Notification(message) => Some(message["method"].clone()),
            Line::Answer(_) | Line::Stray(_) => None,
        })
        .collect()
}

fn clients_are_told_only_when_they_can_see_a_change() {
    let (directory, mut server) = serving(&version(1));
    let file = directory.path().join("tool.wasm");
    rename_over(&file, &version(2));
    wait_for(&mut server, 2);
    rename_over(&file, &component("renamed", 3));
    server.wait_for_notification("notifications/tools/list_changed");
    assert_eq!(server.call("renamed", json!({}))["structuredContent"]["result"], 3);
    let listed = server.request("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"][0]["name"], "renamed");
    // The one of the same definitions was none to tell of.
    assert_eq!(notifications(&server), [json!("notifications/tools/list_changed")]);
}

/// How often a version is said to be served, which is at least once.
fn loads(server: &Server) -> usize {
    server.wait_for_log("is served in version");
    server.log().matches("is served in version").count()
}

fn a_touched_file_is_not_loaded_again() {
    let (directory, mut server) = serving(&version(1));
    let file = directory.path().join("tool.wasm");
    for _ in 0..3 {
        fs::write(&file, version(1)).expect("it can be written");
        let times = fs::FileTimes::new().set_modified(std::time::SystemTime::now());
        File::options()
            .write(true)
            .open(&file)
            .and_then(|f| f.set_times(times))
            .expect("it is ours");
    }
    rename_over(&file, &version(1));
    fs::write(directory.path().join("beside.txt"), "x").expect("it can be written");
    // The next version is looked at after all of those.
    rename_over(&file, &version(2));
    wait_for(&mut server, 2);
    assert_eq!(loads(&server), 1, "{}", server.log());
}

fn a_bad_version_leaves_the_last_good_one_and_is_told_once() {
    let (directory, mut server) = serving(&version(1));
    let file = directory.path().join("tool.wasm");
    rename_over(&file, b"this is no component");
    server.wait_for_log("it is not a WebAssembly binary");
    for _ in 0..3 {
        assert_eq!(asked(&mut server), 1);
        rename_over(&file, b"this is no component");
        std::thread::sleep(std::time::Duration::from_millis(150));
    }
    rename_over(&file, &version(2));
    wait_for(&mut server, 2);
    let told = server.log().matches("the last version stays").count();
    assert_eq!(told, 1, "{}", server.log());
}

fn components_come_and_go_with_their_files() {
    let (directory, mut server) = serving(&version(1));
    let other = directory.path().join("other tool.wasm");
    fs::write(&other, component("other", 5)).expect("it can be written");
    server.wait_for_log("component `other-tool` is served in version");
    assert_eq!(server.call("other", json!({}))["structuredContent"]["result"], 5);
    fs::remove_file(&other).expect("it is there");
    server.wait_for_log("component `other-tool` is not served any more: its file is gone");
    let unknown = server.request("tools/call", json!({ "name": "other", "arguments": {} }));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert_eq!(asked(&mut server), 1);
}

fn without_watching_only_a_signal_reloads() {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let file = directory.path().join("tool.wasm");
    fs::write(&file, version(1)).expect("it can be written");
    let mut server = Server::start(&["--no-watch".as_ref(), file.as_os_str()]);
    // A server that has answered has read its files.
    assert_eq!(asked(&mut server), 1);
    rename_over(&file, &version(2));
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(asked(&mut server), 1);
    server.hang_up();
    wait_for(&mut server, 2);
}

/// A component whose first part is one too, with one function less. Whoever writes it takes their
/// time in between, with the file open.
fn a_file_that_is_cut_between_sections_is_not_served() {
    let (directory, mut server) = serving(&version(1));
    let file = directory.path().join("tool.wasm");
    let bytes = version(2);
    let first = sections(&bytes).last().copied().expect("it has sections");
    {
        let mut file = File::create(&file).expect("it can be written");
        file.write_all(&bytes[..first]).expect("it can be written");
        for _ in 0..30 {
            assert_eq!(asked(&mut server), 1);
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        file.write_all(&bytes[first..]).expect("it can be written");
    }
    wait_for(&mut server, 2);
    assert_eq!(loads(&server), 1, "{}", server.log());
    assert!(!server.log().contains("the last version stays"), "{}", server.log());
}

/// Where the sections of a component begin, after its header of 8 bytes.
fn sections(component: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = 8;
    while at < component.len() {
        starts.push(at);
        // An id, the length as LEB128, and as many bytes.
        let (mut length, mut shift, mut next) = (0, 0, at + 1);
        loop {
            let byte = component[next];
            length |= usize::from(byte & 0x7f) << shift;
            (shift, next) = (shift + 7, next + 1);
            if byte & 0x80 == 0 {
                break;
            }
        }
        at = next + length;
    }
    starts
}

fn a_client_is_answered_while_components_are_compiled() {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let file = directory.path().join("tool.wasm");
    // Not what an earlier run has compiled.
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let moment = since_1970.expect("it is later").as_nanos().to_le_bytes();
    let bytes = weighted(&version(1), 4, 40_000);
    fs::write(&file, [bytes, section("moment", &moment)].concat()).expect("it can be written");
    let mut server = Server::start(&[&file]);
    assert!(!server.log().contains("serving"), "{}", server.log());
    assert_eq!(server.request("ping", json!({}))["result"], json!({}));
    let listed = server.request("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"][0]["name"], "version");
    server.wait_for_log("serving 1 tool of 1 component");
    assert_eq!(asked(&mut server), 1);
    assert_eq!(notifications(&server), [json!(null); 0], "there was nothing to tell of");
}
