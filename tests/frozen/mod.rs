//! `portcullis:guest@0.1.0` is frozen: `wit/` says what the copy in `wit-0.1.0/` says, and a component
//! that was built against the copy runs (docs/decisions/0011-the-frozen-interface.md).
//!
//! The copy is never changed.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Value, json};
use wit_component::WitPrinter;
use wit_parser::Resolve;

use crate::harness::{Era, Server, checkout, frozen, named, program, trials as named_trials};

pub(crate) fn trials() -> Vec<Trial> {
    named_trials(
        "frozen",
        named![
            the_interface_says_what_it_said,
            another_type_is_noticed,
            a_component_of_the_frozen_interface_runs,
        ],
    )
}

/// What a package says, but for its docs.
fn said(directory: &Path) -> String {
    let mut resolve = Resolve::default();
    let read = resolve.push_path(directory);
    let (package, _) = read.unwrap_or_else(|error| panic!("{error:?}"));
    let mut printer = WitPrinter::default();
    printer.emit_docs(false);
    printer.print(&resolve, package, &[]).expect("a package can be printed");
    printer.output.to_string()
}

fn the_interface_says_what_it_said() {
    let now = said(&checkout().join("wit"));
    assert_eq!(now, said(&checkout().join("tests/frozen/wit-0.1.0")));
    let items = ["interface tools {", "describe: func() -> result<component, string>;"];
    assert!(items.iter().all(|item| now.contains(item)), "{now}");
}

/// What the comparison sees: a field, the order of fields, a case, and not the docs.
fn another_type_is_noticed() {
    let said_with = |what: &str, instead: &str| {
        let directory = tempfile::tempdir().expect("a directory");
        let entries = std::fs::read_dir(checkout().join("wit")).expect("the interface");
        for entry in entries {
            let path = entry.expect("an entry").path();
            let text = std::fs::read_to_string(&path).expect("WIT");
            let name = path.file_name().expect("a name");
            std::fs::write(directory.path().join(name), text.replace(what, instead))
                .expect("a copy can be written");
        }
        said(directory.path())
    };
    let now = said(&checkout().join("wit"));
    for (what, instead) in [
        ("time-left-ms: u64,", "time-left-ms: u32,"),
        ("    declined,\n    cancelled,", "    cancelled,\n    declined,"),
        ("    model: string,\n", ""),
        ("enum role { user, assistant }", "enum role { user, assistant, system }"),
    ] {
        assert_ne!(said_with(what, instead), now, "{what}");
    }
    assert_eq!(said_with("/// The facts about one call.", "/// Facts."), now);
}

fn a_component_of_the_frozen_interface_runs() {
    for era in [Era::Handshake, Era::Stateless] {
        let all = json!({ "elicitation": { "form": {} } });
        let mut server = Server::able(era, all, program().arg("serve").arg(frozen()));
        let mut request = |method: &str, params: Value| {
            let answer = server.request(method, params);
            assert!(answer["error"].is_null(), "{era:?} {method}: {answer}");
            answer["result"].clone()
        };
        let mut params =
            json!({ "name": "greet", "arguments": {}, "_meta": { "progressToken": 1 } });
        if era == Era::Stateless {
            params["_meta"]["io.modelcontextprotocol/logLevel"] = json!("info");
        } else {
            request("logging/setLevel", json!({ "level": "info" }));
        }
        assert_eq!(request("tools/call", params)["structuredContent"], json!({ "said": "hello" }));
        let done = request("tools/call", json!({ "name": "announce", "arguments": {} }));
        assert_eq!(done["content"][0]["text"], "announced");

        let read = request("resources/read", json!({ "uri": "frozen://of/this" }));
        assert_eq!(read["contents"][0]["text"], "what is at frozen://of/this");
        let params = json!({ "name": "about", "arguments": { "topic": "tea" } });
        let got = request("prompts/get", params);
        assert_eq!(got["messages"][0]["content"]["text"], "Tell of tea.");
        let params = json!({
            "ref": { "type": "ref/prompt", "name": "about" },
            "argument": { "name": "topic", "value": "te" },
        });
        let values = request("completion/complete", params)["completion"]["values"].clone();
        assert_eq!(values, json!(["te-one", "te-two"]));

        let line = server.notifications("notifications/message");
        assert_eq!(line[0]["params"]["data"], "a line", "{era:?}");
        let note = server.notifications("notifications/progress");
        assert_eq!(note[0]["params"]["message"], "greeting", "{era:?}");
        assert_eq!(asked(&mut server, era), r#"state {"name":"Ada"}"#, "{era:?}");
    }
}

/// What the tool that asks gives, once it is answered in the way of the era.
fn asked(server: &mut Server, era: Era) -> String {
    let answer = json!({ "action": "accept", "content": { "name": "Ada" } });
    let mut params = json!({ "name": "ask", "arguments": {} });
    let result = if era == Era::Stateless {
        let asked = server.request("tools/call", params.clone())["result"].clone();
        params["inputResponses"] = json!({ "name": answer });
        params["requestState"] = asked["requestState"].clone();
        server.request("tools/call", params)["result"].clone()
    } else {
        let id = server.send_call("ask", json!({}));
        let form = server.wait_for_request("elicitation/create", 1);
        server.respond(&form, answer);
        server.result(id)
    };
    result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}
