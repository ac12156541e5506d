//! Components that are replaced while they are served, in every way in which files are.
//!
//! No call fails, and every answer is of a version that was there in whole.

mod cold;
mod memory;
mod replaced;
mod told;
mod watched;

use std::fs;

use libtest_mimic::Trial;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::generated::numbered;
use crate::harness::{Era, Line, Server};

pub(crate) fn trials() -> Vec<Trial> {
    let all =
        [replaced::trials(), watched::trials(), told::trials(), memory::trials(), cold::trials()];
    all.into_iter().flatten().collect()
}

/// A component whose one tool, `version`, gives a number.
fn version(number: u32) -> Vec<u8> {
    numbered("version", number, "")
}

/// A directory that is served, with a file in it.
fn serving(bytes: &[u8]) -> (TempDir, Server) {
    serving_in(Era::Handshake, bytes)
}

/// The same for a client of `era`.
fn serving_in(era: Era, bytes: &[u8]) -> (TempDir, Server) {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    fs::write(directory.path().join("tool.wasm"), bytes).expect("it can be written");
    let mut server = Server::start_in(era, &[directory.path()]);
    // A server that has answered has read its files.
    let listed = server.request("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(1), "{listed}");
    (directory, server)
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

fn notifications(server: &Server) -> Vec<Value> {
    let lines = server.lines().into_iter();
    lines
        .filter_map(|line| match line {
            Line::Notification(message) => Some(message["method"].clone()),
            Line::Answer(_) | Line::Request(_) | Line::Stray(_) => None,
        })
        .collect()
}

/// How often a version is said to be served, which is at least once.
fn loads(server: &Server) -> usize {
    server.wait_for_log("is served in version");
    server.log().matches("is served in version").count()
}
