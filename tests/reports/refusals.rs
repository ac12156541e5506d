//! What is left out when a component is loaded, and what stays.

use serde_json::json;

use super::succeeded;
use super::typed::Exports;
use crate::generated::{Described, Served, declared, provider};

const N: &str = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#;

/// Serves a tool beside one that is in order, which must stay; returns why the other was left
/// out, if it was.
fn beside_a_good_one(tool: Described<'_>) -> (Served, Option<String>) {
    let tools = [tool, Described::new("good", N)];
    let served = Served::component(&provider(&tools, &declared(r#"{"n":1}"#)));
    let good = succeeded(&["{\n  \"n\": 1\n}"], &json!({ "n": 1 }));
    assert_eq!(served.call("good", &json!({})), good);
    let reason = served.refused.first().map(|(_, reason)| reason.clone());
    assert_eq!(served.definitions.len(), if reason.is_some() { 1 } else { 2 });
    (served, reason)
}

/// higress-group/higress#4617: one schema that does not compile takes the gateway down.
pub(super) fn a_schema_that_does_not_compile_takes_no_other_tool_with_it() {
    let deep = format!(
        "{}{}",
        r#"{"type":"array","items":"#.repeat(200),
        "{}".to_owned() + &"}".repeat(200)
    );
    let wide = format!(r#"{{"type":"object","description":"{}"}}"#, "x".repeat(1 << 20));
    let bad = [
        "",
        "{",
        "[]",
        "1",
        r#"{"type":"uint"}"#,
        r#"{"type":1}"#,
        r#"{"type":"object","properties":[]}"#,
        r#"{"type":"object","required":"n"}"#,
        r##"{"type":"object","properties":{"n":{"$ref":"#/$defs/None"}}}"##,
        r#"{"type":"object","properties":{"n":{"$ref":"https://a.example/schema.json"}}}"#,
        r#"{"type":"object","properties":{"n":{"$ref":"file:///etc/passwd"}}}"#,
        r##"{"type":"object","properties":{"n":{"$ref":"#/properties/n"}}}"##,
        r#"{"type":"object","properties":{"n":{"type":"string","pattern":"("}}}"#,
        r#"{"type":"object","properties":{"n":{"type":"string","pattern":"(a)\\1"}}}"#,
        r#"{"type":"object","properties":{"n":{"minimum":"1"}}}"#,
        r#"{"type":"object","type":"string"}"#,
        &deep,
        &wide,
    ];
    for schema in bad {
        let (_, reason) = beside_a_good_one(Described::new("bad", schema));
        let reason = reason.unwrap_or_else(|| panic!("served as output: {schema:.200}"));
        assert!(reason.starts_with("its output schema is refused: "), "{reason}");
        let (_, reason) =
            beside_a_good_one(Described { input: schema, ..Described::new("bad", N) });
        let reason = reason.unwrap_or_else(|| panic!("served as input: {schema:.200}"));
        assert!(reason.starts_with("its input schema is refused: "), "{reason}");
        assert!(reason.len() < 1000 && !reason.contains('\n'), "{reason}");
    }
}

/// anthropics/claude-code#88882: a draft-07 `$schema` in an output schema fails calls.
pub(super) fn a_schema_of_an_older_draft_is_served_as_the_current_one_or_refused() {
    for (dialect, is_served) in [
        ("https://json-schema.org/draft/2020-12/schema", true),
        ("http://json-schema.org/draft-07/schema#", true),
        ("http://json-schema.org/draft-04/schema#", false),
        ("https://a.example/schema", false),
    ] {
        let schema = N.replacen('{', &format!(r#"{{"$schema":"{dialect}","#), 1);
        let (served, reason) = beside_a_good_one(Described::new("dated", &schema));
        assert_eq!(reason.is_none(), is_served, "{dialect}: {reason:?}");
        if is_served {
            let published = &served.definition("dated")["outputSchema"]["$schema"];
            let is_current = published == "https://json-schema.org/draft/2020-12/schema";
            assert!(published.is_null() || is_current, "{dialect}: {published}");
            assert_eq!(served.call("dated", &json!({}))["isError"], false, "{dialect}");
        }
    }
}

/// makenotion/notion-mcp-server#341: `anyOf` at the top of a schema is refused. One that is of
/// arguments cannot be wrapped.
pub(super) fn arguments_that_are_no_flat_object_are_refused() {
    for root in [
        r#"{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object"}]}"#,
        r#"{"oneOf":[{"type":"object"},{"type":"object","required":["a"]}]}"#,
        r#"{"type":"string"}"#,
        r#"{"type":["object","null"]}"#,
        r#"{"enum":[{}]}"#,
        "true",
    ] {
        let (served, reason) =
            beside_a_good_one(Described { input: root, ..Described::new("odd", N) });
        if reason.is_none() {
            let published = &served.definition("odd")["inputSchema"];
            assert_eq!(published["type"], "object", "{root}: {published}");
            for keyword in ["anyOf", "oneOf", "allOf", "enum", "not"] {
                assert_eq!(published.get(keyword), None, "{root}: {published}");
            }
        }
    }
}

/// github/copilot-cli#1879: `.` and `/` in tool names are refused.
pub(super) fn names_that_some_client_refuses_are_not_served() {
    let long = "a".repeat(65);
    for name in ["renamed.tool-1", "a/b", "a b", "", "a:b", "größe", "a\u{202e}b", "a\nb", &long]
    {
        let (_, reason) = beside_a_good_one(Described::new(name, N));
        let told = "a tool's name has 1 to 64 of A-Z a-z 0-9 _ -, its prefix included";
        assert_eq!(reason.as_deref(), Some(told), "{name:?}");
    }
    for name in ["a", "get-weather", "Get_Weather2", "_", &"a".repeat(64)] {
        let (_, reason) = beside_a_good_one(Described::new(name, N));
        assert_eq!(reason, None, "{name:?}");
    }
}

/// Two that a client takes for one are both refused, and told with their names.
pub(super) fn names_that_a_reader_takes_for_one_are_refused() {
    for (one, other) in [("get-it", "get-it"), ("get-it", "get_it"), ("get_it", "Get_It")] {
        let tools = [Described::new(one, N), Described::new(other, N), Described::new("good", N)];
        let served = Served::component(&provider(&tools, &declared(r#"{"n":1}"#)));
        let names: Vec<_> = served.definitions.iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["good"], "{one} {other}");
        for (_, reason) in &served.refused {
            assert!(reason.contains(one) && reason.contains(other), "{reason}");
        }
    }
}

/// A name in WIT is another one in MCP, and finds its function.
pub(super) fn a_typed_export_is_called_by_its_published_name() {
    let served = Exports::with("")
        .gives("get-the-weather", "u8", "1")
        .gives("HTTP-status", "u8", "2")
        .gives("%type", "u8", "3")
        .serve();
    for (name, value) in [("get_the_weather", 1), ("HTTP_status", 2), ("type", 3)] {
        let result = served.call(name, &json!({}));
        assert_eq!(result["structuredContent"], json!({ "result": value }), "{name}");
    }
}
