//! Which changes of files are changes of what is served.

use std::fs::{self, File};

use libtest_mimic::Trial;
use serde_json::json;

use super::{asked, loads, serving, version, wait_for};
use crate::generated::numbered;
use crate::harness::{Server, named, rename_over, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "reload",
        named![
            a_touched_file_is_not_loaded_again,
            components_come_and_go_with_their_files,
            without_watching_only_a_signal_reloads,
        ],
    )
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

fn components_come_and_go_with_their_files() {
    let (directory, mut server) = serving(&version(1));
    let other = directory.path().join("other tool.wasm");
    fs::write(&other, numbered("other", 5, "")).expect("it can be written");
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
