//! Clients over HTTP are told that definitions are others now, those of each era in their way.

use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::client::{posted, wait_for};
use super::{Served, later};
use crate::harness::{
    conformance, golden, named, program, rename_over, trials as named_trials, weather,
};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "http::changes",
        named![
            a_session_is_told_on_its_stream,
            whoever_listens_in_the_later_era_is_told,
            nobody_is_told_of_a_resource_that_they_may_not_read
        ],
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
    let mut stream = listening(&served, &[], &json!({ "toolsListChanged": true }));
    replace(&file);
    wait_for(&mut stream, "notifications/tools/list_changed");
}

/// The stream of a client of the later era that wants to be told so.
fn listening(served: &Served, headers: &[(&str, &str)], notifications: &Value) -> TcpStream {
    let asked = json!({ "notifications": notifications });
    let (own, body) = later(1, "subscriptions/listen", asked);
    let own: Vec<(&str, &str)> = own.iter().map(|(n, v)| (*n, v.as_str())).collect();
    let mut stream = served.connect();
    let request = posted(&[own.as_slice(), headers].concat(), &body);
    stream.write_all(&request).expect("the server reads");
    wait_for(&mut stream, "notifications/subscriptions/acknowledged");
    stream
}

fn nobody_is_told_of_a_resource_that_they_may_not_read() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let [few, all] = ["few-0123456789abcdef", "all-0123456789abcdef"];
    let config = directory.path().join("portcullis.toml");
    let text = "[http.scopes]\nfew = [\"test_simple_text\"]\nall = [\"conformance:*\"]\n\
                [http.tokens.few]\nenv = \"FEW\"\nscopes = [\"few\"]\n\
                [http.tokens.all]\nenv = \"ALL\"\nscopes = [\"all\"]\n";
    std::fs::write(&config, text).expect("a file can be written");
    let mut command = program();
    command.env("FEW", few).env("ALL", all).args(["serve", "--http", "127.0.0.1:0", "--config"]);
    let served = Served::of(command.arg(config).arg(conformance()));
    let [few, all] = [few, all].map(|token| format!("Bearer {token}"));
    let [few, all] = [&few, &all].map(|token| [("authorization", token.as_str())]);
    let uri = "test://watched-resource";
    let wants = json!({ "resourceSubscriptions": [uri], "toolsListChanged": true });
    let mut streams = [few, all].map(|who| listening(&served, &who, &wants));
    let read = |who: &[(&str, &str)]| {
        let params = json!({ "uri": uri });
        let named = [who, &[("mcp-name", uri)]].concat();
        served.later(&named, "resources/read", params).json()["error"]["code"].clone()
    };
    assert_eq!(read(&few), -32602);
    assert_eq!(read(&all), Value::Null);
    for tool in ["test_trigger_resource_change", "test_trigger_tool_change"] {
        let params = json!({ "name": tool, "arguments": {} });
        assert_eq!(served.later(&all, "tools/call", params).status, 200);
    }
    let [few, all] = &mut streams;
    let told = "notifications/tools/list_changed";
    assert!(!wait_for(few, told).contains("notifications/resources/updated"));
    assert!(wait_for(all, told).contains("notifications/resources/updated"));
}
