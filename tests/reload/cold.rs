//! Clients that come while components are still being compiled.

use std::fs;
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use serde_json::json;

use super::{asked, notifications};
use crate::generated::{numbered, section, weighted};
use crate::harness::{Server, figure, moment, named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "reload",
        named![
            a_client_is_answered_while_components_are_compiled,
            a_list_has_all_of_three_components_or_is_waited_for,
        ],
    )
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

fn a_list_has_all_of_three_components_or_is_waited_for() {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let names = ["one", "three", "two"];
    for (number, name) in (1..).zip(names) {
        let file = directory.path().join(name).with_extension("wasm");
        fs::write(file, cold(name, number)).expect("it can be written");
    }
    let began = Instant::now();
    let mut server = Server::start(&[directory.path()]);
    figure(
        "reload",
        "first reply, with three components to compile",
        format!("{:?}", began.elapsed()),
    );
    assert_eq!(server.request("ping", json!({}))["result"], json!({}));
    assert!(!server.log().contains("serving"), "{}", server.log());
    // Clients that ask at different moments of it.
    let mut asked = Vec::new();
    while !server.log().contains("serving") {
        asked.push(server.send("tools/list", json!({})));
        assert_eq!(server.request("ping", json!({}))["result"], json!({}));
        std::thread::sleep(Duration::from_millis(100));
    }
    asked.push(server.send("tools/list", json!({})));
    server.wait_for_log("serving 3 tools of 3 components over stdio");
    figure(
        "reload",
        "the list of three components, all compiled",
        format!("{:?}", began.elapsed()),
    );
    for id in asked {
        let listed = server.answer(id);
        let tools = listed["result"]["tools"].as_array().into_iter().flatten();
        let listed: Vec<_> = tools.map(|tool| tool["name"].clone()).collect();
        assert_eq!(listed, names);
    }
    for (number, name) in (1..).zip(names) {
        assert_eq!(server.call(name, json!({}))["structuredContent"]["result"], number);
    }
    assert_eq!(notifications(&server), [json!(null); 0], "there was nothing to tell of");
}
