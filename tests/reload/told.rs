//! Who is told that definitions have changed: clients that shook hands, without having asked, and
//! of the later revision those that listen.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{notifications, serving, serving_in, version, wait_for};
use crate::generated::numbered;
use crate::harness::{Era, Line, Server, named, rename_over, trials as named_trials};

const CHANGED: &str = "notifications/tools/list_changed";
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "reload",
        named![
            clients_are_told_only_when_they_can_see_a_change,
            who_says_again_that_it_is_ready_is_told_once,
            servers_say_in_both_eras_that_the_list_may_change,
            who_listens_is_told_of_every_changed_definition_and_of_nothing_else,
            who_does_not_listen_is_told_nothing,
            who_listens_for_something_else_is_told_nothing_and_stays,
            who_stops_listening_is_told_no_more,
            each_subscription_is_told_under_its_own_id,
        ],
    )
}

fn clients_are_told_only_when_they_can_see_a_change() {
    let (directory, mut server) = serving(&version(1));
    let file = directory.path().join("tool.wasm");
    rename_over(&file, &version(2));
    wait_for(&mut server, 2);
    rename_over(&file, &numbered("renamed", 3, ""));
    server.wait_for_notification(CHANGED);
    assert_eq!(server.call("renamed", json!({}))["structuredContent"]["result"], 3);
    let listed = server.request("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"][0]["name"], "renamed");
    // The one of the same definitions was none to tell of.
    assert_eq!(notifications(&server), [json!(CHANGED)]);
}

fn who_says_again_that_it_is_ready_is_told_once() {
    for (era, told) in [(Era::Handshake, 1), (Era::Stateless, 0)] {
        let (directory, mut server) = serving_in(era, &version(1));
        // With its first request a client has chosen its revision.
        wait_for(&mut server, 1);
        (0..3).for_each(|_| server.notify("notifications/initialized", json!({})));
        rename_over(&directory.path().join("tool.wasm"), &numbered("version", 2, "Described."));
        wait_for(&mut server, 2);
        server.wait_for_notifications(CHANGED, told);
        server.close();
        assert_eq!(notifications(&server), vec![json!(CHANGED); told], "{era:?}");
    }
}

fn servers_say_in_both_eras_that_the_list_may_change() {
    for era in [Era::Handshake, Era::Stateless] {
        let (_directory, server) = serving_in(era, &version(1));
        let capabilities = &server.greeting()["result"]["capabilities"];
        assert_eq!(*capabilities, json!({ "tools": { "listChanged": true } }), "{era:?}");
    }
}

fn who_listens_is_told_of_every_changed_definition_and_of_nothing_else() {
    let (directory, mut server) = serving_in(Era::Stateless, &version(1));
    let file = directory.path().join("tool.wasm");
    let id = listen(&mut server, json!({ "toolsListChanged": true }));
    let mut expected = vec![acknowledged(id, json!({ "toolsListChanged": true }))];
    assert_eq!(whole_notifications(&server), expected);
    let versions = [(2, "", 0), (3, "Once.", 1), (4, "Once.", 1), (5, "Twice.", 2)];
    for (number, docs, times) in versions {
        rename_over(&file, &numbered("version", number, docs));
        wait_for(&mut server, number);
        server.wait_for_notifications(CHANGED, times);
        expected.truncate(1);
        expected.extend(std::iter::repeat_n(changed(id), times));
        assert_eq!(whole_notifications(&server), expected, "{number}");
    }
    assert!(!server.lines().contains(&Line::Answer(id)), "the subscription goes on");
}

fn who_does_not_listen_is_told_nothing() {
    let (directory, mut server) = serving_in(Era::Stateless, &version(1));
    change_twice(&directory.path().join("tool.wasm"), &mut server);
    server.close();
    assert_eq!(whole_notifications(&server), [json!(null); 0]);
}

fn who_listens_for_something_else_is_told_nothing_and_stays() {
    let (directory, mut server) = serving_in(Era::Stateless, &version(1));
    let id = listen(&mut server, json!({ "promptsListChanged": true }));
    change_twice(&directory.path().join("tool.wasm"), &mut server);
    // No prompts are offered, so of what was asked for nothing is left.
    assert_eq!(whole_notifications(&server), [acknowledged(id, json!({}))]);
    assert!(!server.lines().contains(&Line::Answer(id)), "the subscription goes on");
}

fn who_stops_listening_is_told_no_more() {
    let (directory, mut server) = serving_in(Era::Stateless, &version(1));
    let file = directory.path().join("tool.wasm");
    let id = listen(&mut server, json!({ "toolsListChanged": true }));
    rename_over(&file, &numbered("version", 2, "Described."));
    server.wait_for_notification(CHANGED);
    server.notify("notifications/cancelled", json!({ "requestId": id }));
    change_twice(&file, &mut server);
    server.close();
    let expected = [acknowledged(id, json!({ "toolsListChanged": true })), changed(id)];
    assert_eq!(whole_notifications(&server), expected);
}

fn each_subscription_is_told_under_its_own_id() {
    let (directory, mut server) = serving_in(Era::Stateless, &version(1));
    let ids = [(); 2].map(|()| listen(&mut server, json!({ "toolsListChanged": true })));
    rename_over(&directory.path().join("tool.wasm"), &numbered("version", 2, "Described."));
    server.wait_for_notifications(CHANGED, 2);
    let told: Vec<Value> =
        whole_notifications(&server).into_iter().filter(|m| m["method"] == CHANGED).collect();
    assert!(told == ids.map(changed) || told == [ids[1], ids[0]].map(changed), "{told:?}");
}

/// Changes the definitions twice, and comes back when the second ones are served. Whoever is told
/// has been told of the first ones by then.
fn change_twice(file: &Path, server: &mut Server) {
    for (number, docs) in [(101, "Described once."), (102, "Described twice.")] {
        rename_over(file, &numbered("version", number, docs));
        wait_for(server, number);
        assert_eq!(described(server), docs);
    }
}

/// Asks to be told of what `filter` says, waits until the server has said that it will, and
/// gives the id.
fn listen(server: &mut Server, filter: Value) -> u64 {
    let before = whole_notifications(server).len();
    let id = server.send("subscriptions/listen", json!({ "notifications": filter }));
    server.wait_for_notifications(ACKNOWLEDGED, before + 1);
    id
}

/// That the server will tell of what `filter` says, under the id of the request for it.
fn acknowledged(id: u64, filter: Value) -> Value {
    json!({
        "jsonrpc": "2.0",
        "method": ACKNOWLEDGED,
        "params": {
            "_meta": { "io.modelcontextprotocol/subscriptionId": id },
            "notifications": filter,
        },
    })
}

/// That definitions have changed, under the id of the request to be told.
fn changed(id: u64) -> Value {
    json!({
        "jsonrpc": "2.0",
        "method": CHANGED,
        "params": { "_meta": { "io.modelcontextprotocol/subscriptionId": id } },
    })
}

/// The description of the first tool.
fn described(server: &mut Server) -> String {
    let listed = server.request("tools/list", json!({}));
    let description = listed["result"]["tools"][0]["description"].as_str();
    description.unwrap_or_else(|| panic!("no description: {listed}")).to_owned()
}

fn whole_notifications(server: &Server) -> Vec<Value> {
    let lines = server.beside_answers().into_iter();
    lines
        .map(|line| match line {
            Line::Notification(message) => message,
            Line::Answer(_) | Line::Request(_) | Line::Stray(_) => panic!("{line:?}"),
        })
        .collect()
}
