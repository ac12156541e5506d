//! Clients over HTTP are told that definitions are others now, those of each era in their way.

use std::io::Write as _;
use std::path::Path;

use libtest_mimic::Trial;
use serde_json::json;

use super::client::{posted, wait_for};
use super::{Served, later};
use crate::harness::{golden, named, rename_over, trials as named_trials, weather};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "http::changes",
        named![a_session_is_told_on_its_stream, whoever_listens_in_the_later_era_is_told],
    )
}

/// A server of a file that can be replaced.
fn replaceable() -> (tempfile::TempDir, std::path::PathBuf, Served) {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let file = directory.path().join("tools.wasm");
    std::fs::copy(weather(), &file).expect("a component can be copied");
    let served = Served::start(&[&file]);
    (directory, file, served)
}

fn replace(file: &Path) {
    let bytes = std::fs::read(golden()).expect("a component can be read");
    rename_over(file, &bytes);
}

fn a_session_is_told_on_its_stream() {
    let (_directory, file, served) = replaceable();
    let session = served.session();
    let mut stream = session.stream();
    replace(&file);
    wait_for(&mut stream, "notifications/tools/list_changed");
    let listed = session.request("tools/list", json!({})).body;
    // A tool that only the other component has.
    assert!(listed.contains("\"s_str_enum\""));
}

fn whoever_listens_in_the_later_era_is_told() {
    let (_directory, file, served) = replaceable();
    let asked = json!({ "notifications": { "toolsListChanged": true } });
    let (headers, body) = later(1, "subscriptions/listen", asked);
    let headers: Vec<(&str, &str)> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
    let mut stream = served.connect();
    stream.write_all(&posted(&headers, &body)).expect("the server reads");
    wait_for(&mut stream, "notifications/subscriptions/acknowledged");
    replace(&file);
    wait_for(&mut stream, "notifications/tools/list_changed");
}
