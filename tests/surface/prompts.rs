//! Prompts and suggestions, and those that misbehave.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{ERAS, OfAnyGuest, error, result, serve};
use crate::harness::{conformance, named, surface, trials as named_trials};

pub(super) const OF_ANY_GUEST: &[OfAnyGuest] =
    named![a_prompt_is_listed_and_filled_in, values_are_suggested_for_prompts_and_templates,];

pub(crate) fn trials() -> Vec<Trial> {
    named_trials(
        "surface::prompts",
        named![
            arguments_are_checked_before_the_guest_runs,
            messages_are_what_they_say_they_are,
            what_is_suggested_is_bounded,
        ],
    )
}

fn get(name: &str, arguments: &Value) -> Value {
    json!({ "name": name, "arguments": arguments })
}

fn a_prompt_is_listed_and_filled_in(guest: &Path) {
    for era in ERAS {
        let mut server = serve(era, guest);
        let listed = result(&mut server, "prompts/list", json!({}));
        let expected = json!({
            "name": "test_prompt_with_arguments",
            "description": "A prompt with two arguments.",
            "arguments": [
                { "name": "arg1", "description": "First test argument", "required": true },
                { "name": "arg2", "description": "Second test argument", "required": true },
            ],
        });
        let prompts = listed["prompts"].as_array().unwrap();
        let found = prompts.iter().find(|it| it["name"] == "test_prompt_with_arguments");
        assert_eq!(found, Some(&expected), "{era:?}");

        // As the scenarios of the conformance suite have it.
        let arguments = json!({ "arg1": "hello", "arg2": "world" });
        let params = get("test_prompt_with_arguments", &arguments);
        let text = "Prompt with arguments: arg1='hello', arg2='world'";
        let messages = json!([{ "role": "user", "content": { "type": "text", "text": text } }]);
        assert_eq!(result(&mut server, "prompts/get", params)["messages"], messages, "{era:?}");
        let arguments = json!({ "resourceUri": "test://example-resource" });
        let params = get("test_prompt_with_embedded_resource", &arguments);
        let messages = &result(&mut server, "prompts/get", params)["messages"];
        let resource = json!({
            "uri": "test://example-resource",
            "mimeType": "text/plain",
            "text": "Embedded resource content for testing.",
        });
        assert_eq!(messages[0]["content"]["resource"], resource, "{era:?}");
        let params = get("test_prompt_with_image", &json!({}));
        let messages = &result(&mut server, "prompts/get", params)["messages"];
        assert_eq!(messages[0]["content"]["mimeType"], "image/png", "{era:?}");
    }
}

fn arguments_are_checked_before_the_guest_runs() {
    for era in ERAS {
        let mut server = serve(era, conformance());
        for (arguments, why) in [
            (json!({ "arg1": "x" }), "the argument `arg2` is missing"),
            (json!({}), "the argument `arg1` is missing"),
            (json!({ "arg1": "x", "arg2": "y", "arg3": "z" }), "unknown argument `arg3`"),
            (json!({ "arg1": "x", "arg2": 2 }), "the argument `arg2` is no string"),
        ] {
            let params = get("test_prompt_with_arguments", &arguments);
            let (code, text) = error(&mut server, "prompts/get", params);
            assert_eq!(code, -32602, "{era:?}: {text}");
            assert!(text.contains(why), "{era:?}: {text}");
        }
        server.wait_for_log("outcome=\"invalid-arguments\" ");
        assert!(!server.log().contains("outcome=\"ok\""), "a guest ran: {}", server.log());
        let (code, text) = error(&mut server, "prompts/get", get("nope", &json!({})));
        assert_eq!((code, text.as_str()), (-32602, "Unknown prompt: nope"), "{era:?}");
    }
}

fn messages_are_what_they_say_they_are() {
    for era in ERAS {
        let mut server = serve(era, surface());
        let (code, text) = error(&mut server, "prompts/get", get("wrong_media", &json!({})));
        assert_eq!(code, -32603, "{era:?}: {text}");
        let why = "breaks its own contract: messages.0: the bytes are image/gif, not image/png";
        assert!(text.contains(why), "{era:?}: {text}");
        let got = result(&mut server, "prompts/get", get("hidden_text", &json!({})));
        assert_eq!(got["messages"][0]["content"]["text"], r"a\u{202e}b", "{era:?}");
    }
}

/// What is asked while somebody types `value` into the argument `name`.
fn typing(reference: &Value, name: &str, value: &str) -> Value {
    json!({ "ref": reference, "argument": { "name": name, "value": value } })
}

fn values_are_suggested_for_prompts_and_templates(guest: &Path) {
    let prompt = json!({ "type": "ref/prompt", "name": "test_prompt_with_arguments" });
    let template = json!({ "type": "ref/resource", "uri": "test://template/{id}/data" });
    for era in ERAS {
        let mut server = serve(era, guest);
        let mut complete =
            |asked| result(&mut server, "completion/complete", asked)["completion"].clone();
        let expected =
            json!({ "values": ["paris", "park", "party"], "total": 3, "hasMore": false });
        assert_eq!(complete(typing(&prompt, "arg1", "par")), expected, "{era:?}");
        let mut asked = typing(&prompt, "arg2", "to ");
        asked["context"] = json!({ "arguments": { "arg1": "paris" } });
        assert_eq!(complete(asked)["values"], json!(["to paris"]), "{era:?}");
        // Of 1 to 150: 14, and 140 to 149.
        assert_eq!(complete(typing(&template, "id", "14"))["total"], 11, "{era:?}");
        for (reference, name) in [
            (&prompt, "arg3"),
            (&template, "ID"),
            (&json!({ "type": "ref/prompt", "name": "nope" }), "arg1"),
            (&json!({ "type": "ref/resource", "uri": "test://static-text" }), "id"),
        ] {
            let asked = typing(reference, name, "");
            let (code, text) = error(&mut server, "completion/complete", asked);
            assert_eq!(code, -32602, "{era:?}: {text}");
        }
    }
}

fn what_is_suggested_is_bounded() {
    let prompt = json!({ "type": "ref/prompt", "name": "completed" });
    for era in ERAS {
        let mut server = serve(era, surface());
        let asked = typing(&prompt, "many", "");
        let completion = result(&mut server, "completion/complete", asked)["completion"].clone();
        assert_eq!(completion["values"].as_array().unwrap().len(), 100, "{era:?}");
        assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(1000), &json!(true)));
        for (name, why) in [
            ("huge", "the result has more than 4194304 bytes"),
            ("hides", "values.0: hides characters"),
        ] {
            let (code, text) = error(&mut server, "completion/complete", typing(&prompt, name, ""));
            assert_eq!(code, -32603, "{era:?}: {text}");
            assert!(text.contains(why), "{era:?}: {text}");
        }
    }
}
