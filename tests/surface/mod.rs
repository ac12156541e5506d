//! What components have beside tools, as clients of both eras meet it: resources, prompts,
//! suggestions, questions, log lines, changes and traces; and guests that misbehave in each.

mod asking;
mod prompts;
mod resources;
mod told;

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::harness::{Era, Server, conformance, program};
use crate::languages;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = resources::trials();
    trials.extend(prompts::trials());
    trials.extend(asking::trials());
    trials.extend(told::trials());
    trials.extend(of_any_guest().map(|(name, test)| {
        Trial::test(format!("surface::in_rust::{name}"), move || {
            test(conformance());
            Ok(())
        })
    }));
    trials.extend(["python", "typescript"].map(|language| {
        Trial::ignorable_test(format!("surface::in_{language}"), move || {
            let all = of_any_guest();
            languages::given(language, "conformance", |guest| all.for_each(|(_, test)| test(guest)))
        })
    }));
    trials
}

/// What a guest does, in whatever language, that is written as guests/rust/conformance is.
type OfAnyGuest = (&'static str, fn(&Path));

/// All trials of such a guest.
fn of_any_guest() -> impl Iterator<Item = OfAnyGuest> {
    let all =
        [resources::OF_ANY_GUEST, prompts::OF_ANY_GUEST, asking::OF_ANY_GUEST, told::OF_ANY_GUEST];
    all.into_iter().flatten().copied()
}

const ERAS: [Era; 2] = [Era::Handshake, Era::Stateless];

/// A client that can do everything, of the component in `file`.
fn serve(era: Era, file: &Path) -> Server {
    let all = json!({ "elicitation": { "form": {}, "url": {} }, "sampling": {}, "roots": {} });
    serve_able(era, all, file)
}

/// A client of these capabilities.
fn serve_able(era: Era, capabilities: Value, file: &Path) -> Server {
    Server::able(era, capabilities, program().arg("serve").arg(file))
}

/// The result of a request.
fn result(server: &mut Server, method: &str, params: Value) -> Value {
    let answer = server.request(method, params);
    assert!(answer["error"].is_null(), "{method}: {answer}");
    answer["result"].clone()
}

/// The code and the text of the error of a request.
fn error(server: &mut Server, method: &str, params: Value) -> (i64, String) {
    let answer = server.request(method, params);
    let error = &answer["error"];
    let code = error["code"].as_i64().unwrap_or_else(|| panic!("{method}: {answer}"));
    (code, error["message"].as_str().unwrap_or_default().to_owned())
}

/// The first text of a call's result.
fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}
