//! What becomes of calls while a file is replaced, whatever it is replaced by.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::symlink;

use libtest_mimic::Trial;
use serde_json::json;

use super::{asked, loads, serving, version, wait_for};
use crate::harness::{Line, Server, hostile, named, rename_over, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "reload",
        named![
            two_hundred_replacements_fail_no_call,
            a_call_ends_on_the_code_that_it_began_on,
            a_bad_version_leaves_the_last_good_one_and_is_told_once,
            a_file_that_is_cut_between_sections_is_not_served,
        ],
    )
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
