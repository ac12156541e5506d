//! Resources and templates: lists, reading, and those that misbehave.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{ERAS, OfAnyGuest, error, result, serve};
use crate::harness::{Era, conformance, named, run, surface, trials as named_trials, weather};

pub(super) const OF_ANY_GUEST: &[OfAnyGuest] = named![what_a_component_has_is_listed_and_read,];

pub(crate) fn trials() -> Vec<Trial> {
    named_trials(
        "surface::resources",
        named![
            a_resource_that_is_not_there_is_an_error_of_its_era,
            hints_on_keeping_are_of_the_later_era,
            what_is_not_in_order_is_left_out,
            contents_are_of_the_resource_that_was_read,
            a_cursor_that_was_not_given_is_refused,
            what_no_component_has_is_not_announced,
            of_two_components_the_earlier_keeps_what_both_have,
            a_lock_has_every_word_of_resources_and_prompts,
        ],
    )
}

fn what_a_component_has_is_listed_and_read(guest: &Path) {
    for era in ERAS {
        let mut server = serve(era, guest);
        let listed = result(&mut server, "resources/list", json!({}));
        let uris: Vec<&Value> =
            listed["resources"].as_array().unwrap().iter().map(|it| &it["uri"]).collect();
        let expected = ["test://static-text", "test://static-binary", "test://watched-resource"];
        assert_eq!(json!(uris), json!(expected), "{era:?}");
        let first = json!({
            "uri": "test://static-text",
            "name": "static_text",
            "title": "Static text",
            "description": "Text that is always the same.",
            "mimeType": "text/plain",
        });
        assert_eq!(listed["resources"][0], first, "{era:?}");
        let templates = result(&mut server, "resources/templates/list", json!({}));
        let template = &templates["resourceTemplates"][0];
        assert_eq!(template["uriTemplate"], "test://template/{id}/data", "{era:?}");

        // As the scenarios of the conformance suite have it.
        let mut read = |uri: &str| result(&mut server, "resources/read", json!({ "uri": uri }));
        let text = json!([{
            "uri": "test://static-text",
            "mimeType": "text/plain",
            "text": "This is the content of the static text resource.",
        }]);
        assert_eq!(read("test://static-text")["contents"], text, "{era:?}");
        let binary = &read("test://static-binary")["contents"][0];
        // The magic of PNG, in base64.
        assert!(binary["blob"].as_str().unwrap().starts_with("iVBORw0KGgo"), "{era:?}: {binary}");
        let data = &read("test://template/123/data")["contents"][0];
        assert_eq!(data["uri"], "test://template/123/data");
        let data: Value = serde_json::from_str(data["text"].as_str().unwrap()).unwrap();
        let expected = json!({ "id": "123", "templateTest": true, "data": "Data for ID: 123" });
        assert_eq!(data, expected, "{era:?}");
        let encoded = &read("test://template/a%20b/data")["contents"][0]["text"];
        assert!(encoded.as_str().unwrap().contains(r#""id":"a b""#), "{era:?}: {encoded}");
    }
}

/// MCP 2025-11-25 has -32002; 2026-07-28 has -32602 (SEP-2164).
fn a_resource_that_is_not_there_is_an_error_of_its_era() {
    for (era, code) in [(Era::Handshake, -32002), (Era::Stateless, -32602)] {
        let mut server = serve(era, conformance());
        for uri in ["test://nope", "test://template//data", "test://template/1/data/2"] {
            let answer = server.request("resources/read", json!({ "uri": uri }));
            assert_eq!(answer["error"]["code"], code, "{era:?}: {answer}");
            assert_eq!(answer["error"]["data"], json!({ "uri": uri }), "{era:?}");
        }
    }
}

/// SEP-2549: `ttlMs` and `cacheScope` are of 2026-07-28.
fn hints_on_keeping_are_of_the_later_era() {
    let methods = [
        ("tools/list", json!({})),
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({ "uri": "test://static-text" })),
    ];
    for era in ERAS {
        let mut server = serve(era, conformance());
        for (method, params) in &methods {
            let result = result(&mut server, method, params.clone());
            let has = |key: &str| result.get(key).is_some();
            let wanted = era == Era::Stateless;
            assert_eq!((has("ttlMs"), has("cacheScope")), (wanted, wanted), "{era:?} {method}");
        }
    }
}

fn what_is_not_in_order_is_left_out() {
    let mut server = serve(Era::Handshake, surface());
    let listed = result(&mut server, "resources/list", json!({})).to_string();
    assert!(listed.contains("bad://directory"), "{listed}");
    for left_out in ["javascript:", "bad://hidden", "\u{202e}"] {
        assert!(!listed.contains(left_out), "{left_out}: {listed}");
    }
    server.wait_for_log("resource javascript:alert(1)");
    server.wait_for_log("a resource cannot have the scheme `javascript`");
    server.wait_for_log("its description holds control, bidirectional, tag or zero-width");
    let params = json!({ "uri": "javascript:alert(1)" });
    assert_eq!(error(&mut server, "resources/read", params).0, -32002);
}

fn contents_are_of_the_resource_that_was_read() {
    for era in ERAS {
        let mut server = serve(era, surface());
        for (uri, why) in [
            ("bad://another", "is neither the resource that was read nor below it"),
            ("bad://climbs", "is neither the resource that was read nor below it"),
            ("bad://picture", "do not look like image/png"),
            ("bad://typeless", "is no MIME type"),
            ("bad://endless", "the result has more than 4194304 bytes"),
            ("bad://panics", "stopped unexpectedly and gave no result"),
        ] {
            let (code, text) = error(&mut server, "resources/read", json!({ "uri": uri }));
            assert_eq!(code, -32603, "{era:?} {uri}: {text}");
            assert!(text.starts_with(&format!("Error reading resource {uri}: ")), "{text}");
            assert!(text.contains(why), "{era:?} {uri}: {text}");
            assert!(!text.contains("another one") && !text.contains("no contents today"));
        }
        let read = result(&mut server, "resources/read", json!({ "uri": "bad://directory" }));
        let expected = json!([
            { "uri": "bad://directory/a", "mimeType": "text/plain", "text": "A" },
            { "uri": "bad://directory/b", "blob": "AP8=" },
        ]);
        assert_eq!(read["contents"], expected, "{era:?}");
    }
}

fn a_cursor_that_was_not_given_is_refused() {
    for era in ERAS {
        let mut server = serve(era, conformance());
        for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
            let (code, _) = error(&mut server, method, json!({ "cursor": "500" }));
            assert_eq!(code, -32602, "{era:?} {method}");
        }
    }
}

fn what_no_component_has_is_not_announced() {
    // What is compiled already is loaded before the greeting, which does not wait for long.
    for component in [weather(), conformance()] {
        let listed = run(std::path::Path::new("/"), &["list".as_ref(), component.as_os_str()]);
        assert_eq!(listed.status, 0, "{}", listed.stderr);
    }
    for era in ERAS {
        let server = serve(era, weather());
        let can = &server.greeting()["result"]["capabilities"];
        assert_eq!(*can, json!({ "tools": { "listChanged": true } }), "{era:?}");
        let server = serve(era, conformance());
        let can = &server.greeting()["result"]["capabilities"];
        let expected = json!({
            "tools": { "listChanged": true },
            "resources": { "subscribe": true, "listChanged": true },
            "prompts": { "listChanged": true },
            "completions": {},
            "logging": {},
        });
        assert_eq!(*can, expected, "{era:?}");
    }
}

fn of_two_components_the_earlier_keeps_what_both_have() {
    let directory = tempfile::TempDir::new().unwrap();
    for name in ["one.wasm", "two.wasm"] {
        std::fs::copy(conformance(), directory.path().join(name)).unwrap();
    }
    let mut server = serve(Era::Handshake, directory.path());
    let listed = result(&mut server, "resources/list", json!({}));
    assert_eq!(listed["resources"].as_array().unwrap().len(), 3, "{listed}");
    let why = "component `one` has it already";
    server.wait_for_log(&format!(
        "resource test://static-text` of component `two` is left out: {why}"
    ));
    server.wait_for_log(&format!(
        "template test://template/{{id}}/data` of component `two` is left out: {why}"
    ));
    server.wait_for_log("prompt test_simple_prompt` of component `two` is left out: component `one` has it already; write `prefix");
}

fn a_lock_has_every_word_of_resources_and_prompts() {
    let directory = tempfile::TempDir::new().unwrap();
    let directory = directory.path();
    std::fs::copy(conformance(), directory.join("conformance.wasm")).unwrap();
    let approved = run(directory, &["approve", "conformance.wasm"]);
    assert_eq!(approved.status, 0, "{approved:?}");
    let lock = directory.join("portcullis.lock");
    let text = std::fs::read_to_string(&lock).unwrap();
    for head in [
        r#"[components.conformance.resources."test://static-text"]"#,
        r#"[components.conformance.templates."test://template/{id}/data"]"#,
        "[components.conformance.prompts.test_simple_prompt]",
    ] {
        assert!(text.contains(head), "{head}: {text}");
    }
    let begin = text.find("prompts.test_simple_prompt]").unwrap();
    let changed = text[begin..].replacen("A prompt without", "A prompt with", 1);
    std::fs::write(&lock, format!("{}{changed}", &text[..begin])).unwrap();
    let served = run(directory, &["serve", "conformance.wasm"]);
    assert_ne!(served.status, 0, "{served:?}");
    let why = "the digest of prompt `test_simple_prompt` is not that of its definition";
    assert!(served.stderr.contains(why), "{served:?}");
}
