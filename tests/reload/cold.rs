//! Clients that come while components are still being compiled.

use std::fs;

use libtest_mimic::Trial;
use serde_json::json;

use super::{asked, notifications};
use crate::generated::{numbered, section, weighted};
use crate::harness::{Server, moment, named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials("reload", named![a_client_is_answered_while_components_are_compiled,])
}

/// A component that takes seconds to compile, and that no earlier run has compiled.
fn cold(name: &str, number: u32) -> Vec<u8> {
    let heavy = weighted(&numbered(name, number, ""), 4, 40_000);
    [heavy, section("moment", &moment())].concat()
}

fn a_client_is_answered_while_components_are_compiled() {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let file = directory.path().join("tool.wasm");
    fs::write(&file, cold("version", 1)).expect("it can be written");
    let mut server = Server::start(&[&file]);
    assert!(!server.log().contains("serving"), "{}", server.log());
    assert_eq!(server.request("ping", json!({}))["result"], json!({}));
    let listed = server.request("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"][0]["name"], "version");
    server.wait_for_log("serving 1 tool of 1 component");
    assert_eq!(asked(&mut server), 1);
    assert_eq!(notifications(&server), [json!(null); 0], "there was nothing to tell of");
}
