//! What a tool gives beside its data, or in place of it.

use libtest_mimic::Trial;
use serde_json::{Map, Value as Json, json};

use super::figures::note;
use super::{MEMORY, one, shared, tool_error};
use crate::generated::Served;
use crate::harness::{hostile, named, trials as named_trials};
use crate::laws::random::Random;
use crate::laws::texts;

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "hostile::content",
        named![
            text_and_structured_content_say_the_same,
            content_of_its_own_has_to_be_announced,
            an_image_is_what_it_says_it_is,
            links_have_an_allowed_scheme,
            meta_stays_under_the_components_prefix,
        ],
    )
}

/// A list has a text for each of its elements.
fn text_and_structured_content_say_the_same() {
    const LISTS: usize = 10;
    const VALUES: usize = 1000;
    let served = Served::file(hostile(), |_| ());
    let mut random = Random::new(8);
    for _ in 0..LISTS {
        let values: Json = (0..VALUES).map(|_| any(&mut random, 4)).collect();
        let result = served.call("gives", &json!({ "it": values }));
        assert_eq!(result["isError"], false, "{result:?}");
        let structured = &result["structuredContent"]["result"];
        assert_eq!(structured.to_string(), values.to_string());
        let blocks = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
        texts::agree(&texts, structured).unwrap_or_else(|fault| panic!("{fault}"));
    }
    note(8, "random values whose text equals their structured content", LISTS * VALUES);
}

/// Any JSON of so many levels.
fn any(random: &mut Random, levels: usize) -> Json {
    match random.below(if levels == 0 { 6 } else { 8 }) {
        0 => Json::Null,
        1 => json!(random.once_in(2)),
        2 => json!(random.next() as i64),
        3 => json!(random.next() >> random.below(64)),
        4 => json!(f64::from_bits(random.next())),
        5 => json!(text(random)),
        6 => (0..random.below(4)).map(|_| any(random, levels - 1)).collect(),
        _ => {
            let entries = (0..random.below(4)).map(|_| (text(random), any(random, levels - 1)));
            Json::Object(Map::from_iter(entries))
        }
    }
}

fn text(random: &mut Random) -> String {
    const CHARACTERS: [char; 16] = [
        'a',
        'Z',
        ' ',
        '"',
        '\\',
        '{',
        '\n',
        '\t',
        '\u{1b}',
        '\u{85}',
        '\u{202e}',
        '\u{e0041}',
        '\u{200b}',
        'ü',
        '東',
        '🌧',
    ];
    (0..random.below(9)).map(|_| *random.pick(&CHARACTERS)).collect()
}

fn call(tool: &str, it: &str) -> Json {
    let mut result = Json::Null;
    shared(|server| result = server.call(tool, json!({ "it": it })));
    result
}

fn content_of_its_own_has_to_be_announced() {
    let told = "its result breaks its own contract: content of its own, which its descriptor does \
                not announce (own-content)";
    let tool = "hostile_has_content_of_its_own";
    assert_eq!(call(tool, "n is 2"), tool_error(tool, told));
}

/// The host encodes the bytes, so there is no bad base64 that a guest could give.
fn an_image_is_what_it_says_it_is() {
    let good = call("hostile_draws", "a PNG");
    assert_eq!(good["content"][0]["mimeType"], "image/png", "{good}");
    assert_eq!(good["isError"], false, "{good}");
    for what in ["<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "iVBORw0KGgo=", ""] {
        let result = call("hostile_draws", what);
        assert_eq!(result["isError"], true, "{result}");
        let text = result["content"][0]["text"].as_str().expect("it is a text");
        let begin = "Error executing tool hostile_draws: its result breaks its own contract: \
                     content.0: the bytes ";
        assert!(text.starts_with(begin) && text.contains("image/png"), "{text}");
    }
    assert_eq!(call("hostile_draws", "50 MB"), tool_error("hostile_draws", MEMORY));
    let told = "the result has more than 65536 bytes; ask for less, or have the operator raise \
                `result_bytes_max`";
    assert_eq!(call("roomy_draws", "50 MB"), tool_error("roomy_draws", told));
}

fn links_have_an_allowed_scheme() {
    for tool in ["hostile_links", "hostile_embeds"] {
        for uri in ["https://a.example/b?c#d", "HTTPS://A.example/", "http://a.example"] {
            let result = call(tool, uri);
            assert_eq!(result["isError"], false, "{uri}: {result}");
            assert!(result["content"].to_string().contains(uri), "{uri}: {result}");
        }
        for uri in [
            "file:///etc/passwd",
            "FILE:///etc/passwd",
            "file:/etc/passwd",
            "data:text/html,<script>alert(1)</script>",
            "Data:text/html;base64,PHNjcmlwdD4=",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "\tjavascript:alert(1)",
            "java\nscript:alert(1)",
            "java\tscript:alert(1)",
            "\u{1}javascript:alert(1)",
            "java\u{200b}script:alert(1)",
            "javascript&colon;alert(1)",
            " https://a.example/",
            "https://a.example/\nhttps://b.example/",
            "https://a.example/\u{202e}",
            "vbscript:x",
            "blob:https://a.example/b",
            "about:blank",
            "view-source:https://a.example/",
            "//a.example/b",
            "/etc/passwd",
            "a.example",
            "",
        ] {
            let result = call(tool, uri);
            assert_eq!(result["isError"], true, "{uri:?}: {result}");
            let text = result["content"][0]["text"].as_str().expect("it is a text");
            assert!(text.contains("breaks its own contract: content.0: "), "{uri:?}: {text}");
        }
    }
}

fn meta_stays_under_the_components_prefix() {
    let keys = ["progressToken", "com.example.mcp", "portcullis.other", "x"];
    for key in keys {
        let mut expected = one();
        expected["_meta"] = json!({ format!("portcullis.hostile/{key}"): 1 });
        assert_eq!(call("hostile_has_meta", key), expected);
    }
    for key in [
        "io.modelcontextprotocol/related-task",
        "modelcontextprotocol.io/x",
        "mcp.dev/x",
        "portcullis/wrapped",
        "portcullis/exactSchema",
        "portcullis.other/x",
        "/x",
        "x/",
        "",
        "a b",
        "-x",
        "x\u{200b}y",
    ] {
        let told = "its result breaks its own contract: a meta key that is no plain name";
        assert_eq!(call("hostile_has_meta", key), tool_error("hostile_has_meta", told), "{key:?}");
    }
}
