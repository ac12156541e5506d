//! What leaves, and what must not be taken for something else.

use serde_json::{Value as Json, json};

use super::typed::Exports;
use super::{failed, succeeded};
use crate::generated::{Described, Served, declared, provider};

/// PrefectHQ/fastmcp#5030: a wrong shape is returned as success.
pub(super) fn no_wrong_shape_is_a_success() {
    const SCHEMA: &str = r#"{
        "title": "N",
        "type": "object",
        "properties": { "n": { "type": "integer" }, "tags": { "type": "array", "items": { "type": "string" } } },
        "required": ["n"]
    }"#;
    let of_n = "n\n  Input should be a valid integer";
    let of_root = "  Input should be a valid dictionary or instance of N";
    for (value, told) in [
        (r#"{"wrong":"shape"}"#, "n\n  Field required"),
        ("{}", "n\n  Field required"),
        (r#"{"n":null}"#, of_n),
        (r#"{"n":[1]}"#, of_n),
        (r#"{"n":true}"#, of_n),
        (r#"{"n":"1"}"#, of_n),
        (r#"{"n":1,"tags":[1]}"#, "tags.0\n  Input should be a valid string"),
        (r#"{"n":1,"tags":"x"}"#, "tags\n  Input should be a valid list"),
        ("null", of_root),
        ("1", of_root),
        (r#""n""#, of_root),
        ("[1]", of_root),
    ] {
        let served =
            Served::component(&provider(&[Described::new("get_n", SCHEMA)], &declared(value)));
        let told = format!("Error executing tool get_n: 1 validation error for N\n{told}");
        assert_eq!(served.call("get_n", &json!({})), failed(&told), "{value}");
    }
}

/// punkpeye/fastmcp#315: data with a `type` key is taken for a content block.
pub(super) fn data_that_looks_like_the_protocol_is_data() {
    let any = r#"{"type":"object","additionalProperties":true}"#;
    for data in [
        json!({"type": "text", "text": "x"}),
        json!({"type": "text", "content": "x"}),
        json!({"type": "image", "data": "AA==", "mimeType": "image/png"}),
        json!({"type": "resource_link", "uri": "https://a.example", "name": "x"}),
        json!({"content": [{"type": "text", "text": "x"}], "isError": true}),
        json!({"structuredContent": {"a": 1}, "content": []}),
        json!({"result": 1}),
        json!({"_meta": {"a": 1}}),
    ] {
        let tools = [Described::new("get", any)];
        let served = Served::component(&provider(&tools, &declared(&data.to_string())));
        assert_eq!(served.definition("get").get("_meta"), None, "it is not wrapped");
        let text = format!("{data:#}");
        assert_eq!(served.call("get", &json!({})), succeeded(&[text.as_str()], &data));

        let list = format!(r#"{{"type":"array","items":{any}}}"#);
        let tools = [Described::new("list", &list)];
        let value = json!([data, data]);
        let served = Served::component(&provider(&tools, &declared(&value.to_string())));
        let structured = json!({ "result": value });
        let texts = [text.as_str(), text.as_str()];
        assert_eq!(served.call("list", &json!({})), succeeded(&texts, &structured));
    }
    let served = Exports::with("record block { %type: string, text: string }\n")
        .gives("get", "block", "{%type: \"text\", text: \"x\"}")
        .serve();
    let data = json!({"type": "text", "text": "x"});
    assert_eq!(served.call("get", &json!({})), succeeded(&[format!("{data:#}").as_str()], &data));
}

/// microsoft/wassette#263: a schema without structured content is refused.
pub(super) fn whatever_has_a_schema_has_structured_content() {
    let served =
        Exports::with("record point { x: u8 }\nenum color { red }\nflags style { bold }\n")
            .gives("a-string", "string", "\"\"")
            .gives("a-bool", "bool", "false")
            .gives("a-number", "u8", "0")
            .gives("some-bytes", "list<u8>", "[]")
            .gives("a-list", "list<string>", "[]")
            .gives("a-map", "map<string, u8>", "[]")
            .gives("a-tuple", "tuple<u8>", "(0)")
            .gives("a-record", "point", "{x: 0}")
            .gives("an-enum", "color", "red")
            .gives("some-flags", "style", "{}")
            .gives("an-option", "option<u8>", "none")
            .gives("an-ok", "result<string, string>", "ok(\"x\")")
            .gives("an-empty-ok", "result<_, string>", "ok")
            .gives("an-err", "result<string, string>", "err(\"no\")")
            .gives("an-empty-err", "result<string>", "err")
            .gives_nothing("nothing")
            .serve();
    let expected: [(&str, Json); 14] = [
        ("a_string", json!({"result": ""})),
        ("a_bool", json!({"result": false})),
        ("a_number", json!({"result": 0})),
        ("some_bytes", json!({"result": ""})),
        ("a_list", json!({"result": []})),
        ("a_map", json!({})),
        ("a_tuple", json!({"result": [0]})),
        ("a_record", json!({"x": 0})),
        ("an_enum", json!({"result": "red"})),
        ("some_flags", json!({"result": []})),
        ("an_option", json!({"result": null})),
        ("an_ok", json!({"result": "x"})),
        ("an_empty_ok", json!({"result": null})),
        ("nothing", json!({"result": null})),
    ];
    for (tool, structured) in expected {
        assert!(served.definition(tool)["outputSchema"].is_object(), "{tool}");
        let result = served.call(tool, &json!({}));
        assert_eq!(result["isError"], false, "{tool}: {result:?}");
        assert_eq!(result["structuredContent"], structured, "{tool}");
        assert_ne!(result["content"], json!([]), "{tool}: an answer can be seen");
    }
    for tool in ["an_err", "an_empty_err"] {
        assert!(served.definition(tool)["outputSchema"].is_object(), "{tool}");
        let result = served.call(tool, &json!({}));
        assert_eq!(result["isError"], true, "{tool}");
        assert_eq!(result.get("structuredContent"), None, "{tool}");
    }
    assert_eq!(served.call("an_err", &json!({})), failed("Error executing tool an_err: no"));
}
