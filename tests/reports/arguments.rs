//! What models write for arguments.

use serde_json::{Value as Json, json};

use super::typed::Exports;
use crate::generated::Served;

const TYPES: &str = "record point { x: s32, y: s32 }\n\
                     variant shape { circle(f64), square(f64), nothing }\n\
                     enum color { red, green }\n\
                     flags style { bold, italic }\n\
                     record drawing { shape: shape, colors: list<color> }\n";

fn given(served: &Served, tool: &str, it: Json) -> Json {
    let result = served.call(tool, &json!({ "it": it }));
    assert_eq!(result["isError"], false, "{result:?}");
    let structured = &result["structuredContent"];
    structured.get("result").unwrap_or(structured).clone()
}

/// tessi/wasmex#809: an obscure error for a variant.
pub(super) fn a_wrong_case_is_told_with_its_place_and_the_legal_ones() {
    // A type, an argument, and where it is wrong with what would be right.
    let cases: [(&str, &str, Json, &str, &str); 8] = [
        (
            "a-variant",
            "shape",
            json!("get"),
            "it",
            "'nothing', or an object with one key, 'circle' or 'square'",
        ),
        (
            "b-variant",
            "shape",
            json!({"get": 1}),
            "it",
            "'nothing', or an object with one key, 'circle' or 'square'",
        ),
        ("an-enum", "color", json!("get"), "it", "'red' or 'green'"),
        ("some-flags", "style", json!(["bold", "get"]), "it.1", "'bold' or 'italic'"),
        (
            "a-result",
            "list<result<u8, string>>",
            json!(["get"]),
            "it.0",
            "an object with one key, 'ok' or 'err'",
        ),
        ("in-a-list", "list<color>", json!(["red", "get"]), "it.1", "'red' or 'green'"),
        ("in-an-option", "option<color>", json!("get"), "it", "'red' or 'green'"),
        (
            "in-a-record",
            "drawing",
            json!({"shape": "get", "colors": []}),
            "it.shape",
            "'nothing', or an object with one key, 'circle' or 'square'",
        ),
    ];
    let mut exports = Exports::with(TYPES);
    for (name, ty, ..) in &cases {
        exports = exports.echoes(name, ty);
    }
    let served = exports.serve();
    for (name, _, it, place, legal) in cases {
        let result = served.call(&name.replace('-', "_"), &json!({ "it": it }));
        assert_eq!(result["isError"], true, "{name}: {result:?}");
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let told = format!("\n{place}\n  Input should be {legal}");
        assert!(text.ends_with(&told), "{name}\n{text}\nis to end with{told}");
    }
}

/// cursor/cursor#3778: an option is left out, then set.
pub(super) fn an_option_may_be_left_out_null_or_set() {
    let types: [(&str, &str, Json); 6] = [
        ("a-string", "string", json!("x")),
        ("a-number", "u32", json!(7)),
        ("a-bool", "bool", json!(false)),
        ("a-list", "list<string>", json!(["x"])),
        ("a-record", "point", json!({"x": 1, "y": 2})),
        ("an-enum", "color", json!("red")),
    ];
    let mut exports = Exports::with(TYPES);
    for (name, ty, _) in &types {
        exports = exports.echoes(name, &format!("option<{ty}>"));
    }
    let served = exports.serve();
    for (name, _, value) in types {
        let tool = name.replace('-', "_");
        let schema = &served.definition(&tool)["inputSchema"];
        assert_eq!(schema.get("required"), None, "{schema}");
        assert_eq!(schema["properties"]["it"]["anyOf"][1], json!({"type": "null"}), "{schema}");
        let left_out = served.call(&tool, &json!({}));
        assert_eq!(left_out["structuredContent"], json!({ "result": null }), "{left_out:?}");
        assert_eq!(given(&served, &tool, json!(null)), json!(null));
        assert_eq!(given(&served, &tool, value.clone()), value);
    }
}

/// anthropics/claude-code#59227: objects arrive as JSON strings, and so do numbers.
pub(super) fn what_models_write_as_a_string_is_read_where_no_string_is_meant() {
    // A type, what is written, and what it is.
    let cases: [(&str, &str, Json, Json); 17] = [
        ("a1", "point", json!("{\"x\":1,\"y\":2}"), json!({"x": 1, "y": 2})),
        ("a2", "list<u8>", json!("AQI="), json!("AQI=")),
        ("a3", "list<u16>", json!("[1,2]"), json!([1, 2])),
        ("a4", "tuple<u16, string>", json!("[1,\"2\"]"), json!([1, "2"])),
        ("a5", "map<string, u16>", json!("{\"a\":1}"), json!({"a": 1})),
        ("a6", "option<point>", json!("{\"x\":1,\"y\":2}"), json!({"x": 1, "y": 2})),
        ("a7", "style", json!("[\"bold\"]"), json!(["bold"])),
        ("a8", "u16", json!("5"), json!(5)),
        ("a9", "u16", json!(5.0), json!(5)),
        ("a10", "f64", json!("3.5"), json!(3.5)),
        ("a11", "bool", json!("true"), json!(true)),
        ("a12", "point", json!({"x": "1", "y": 2.0}), json!({"x": 1, "y": 2})),
        // A string where a string may be.
        ("a13", "string", json!("{\"x\":1}"), json!("{\"x\":1}")),
        ("a14", "string", json!("5"), json!("5")),
        ("a15", "option<string>", json!("null"), json!("null")),
        ("a16", "option<string>", json!("[1]"), json!("[1]")),
        ("a17", "map<string, string>", json!({"a": "[1]"}), json!({"a": "[1]"})),
    ];
    let mut exports = Exports::with(TYPES);
    for (name, ty, ..) in &cases {
        exports = exports.echoes(&format!("case-{name}"), ty);
    }
    let served = exports.serve();
    for (name, _, written, meant) in cases {
        assert_eq!(given(&served, &format!("case_{name}"), written), meant, "{name}");
    }
}

/// Nothing else is coerced: two readers would not agree on what is meant.
pub(super) fn nothing_else_is_read_as_something_that_it_is_not() {
    let cases: [(&str, &str, Json); 10] = [
        ("a1", "bool", json!("yes")),
        ("a2", "bool", json!(1)),
        ("a3", "u16", json!(true)),
        ("a4", "u16", json!(5.5)),
        ("a5", "u16", json!("5.5")),
        ("a6", "u16", json!(65_536)),
        ("a7", "string", json!(5)),
        ("a8", "f64", json!("NaN")),
        ("a9", "point", json!("[1,2]")),
        ("a10", "point", json!("not JSON")),
    ];
    let mut exports = Exports::with(TYPES);
    for (name, ty, _) in &cases {
        exports = exports.echoes(&format!("case-{name}"), ty);
    }
    let served = exports.serve();
    for (name, ty, written) in cases {
        let result = served.call(&format!("case_{name}"), &json!({ "it": written }));
        assert_eq!(result["isError"], true, "{written} for {ty}: {result:?}");
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains("Arguments\nit\n  "), "{written} for {ty}: {text}");
    }
}
