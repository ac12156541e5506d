//! What a component needs, wherever in the crate it is said.

use portcullis_guest::{requires, testing, tool};
use serde_json::json;

#[tool]
fn nothing() {}

requires! {
    http: ["b.example:443", "a.example:443"],
    directories: [read_write("/cache"), read_only("/data")],
    client: [elicit_form],
}

mod elsewhere {
    portcullis_guest::requires! {
        http: ["a.example:443"],
        environment: ["TZ"],
        secrets: ["key"],
        client: [roots],
    }
}

#[test]
fn all_needs_are_told_once() {
    assert_eq!(
        testing::describe().unwrap()["requires"],
        json!({
            "http": ["a.example:443", "b.example:443"],
            "directories": [
                { "guest_path": "/cache", "access": "read_write" },
                { "guest_path": "/data", "access": "read_only" },
            ],
            "environment": ["TZ"],
            "secrets": ["key"],
            "client": {
                "elicit_form": true, "elicit_url": false, "sampling": false, "roots": true,
            },
        })
    );
}
