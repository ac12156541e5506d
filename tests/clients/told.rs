//! What the hostile guest is told to give: lies, and beside them the truths that are nearest.

/// A tool that gives the JSON text that it is told, the texts that break its promise, and those
/// that keep it.
pub(super) type Told = (&'static str, &'static [&'static str], &'static [&'static str]);

/// Tools whose schemas are of objects, which nothing is put around.
pub(super) const OBJECTS: [&str; 4] = ["tells_record", "tells_map", "tells_tree", "fails_telling"];

/// Lies that break the schema of their tool, or that are no JSON at all.
pub(super) const VALUES: &[Told] = &[
    ("tells_null", &["0", "false", "\"null\"", "", "None"], &["null", " null\n"]),
    (
        "tells_integer",
        &["1.5", "\"1\"", "true", "null", "[1]", "NaN", "01", "+1", "1 2", "1e400"],
        &[
            "0",
            "-0",
            "1.0",
            "1e2",
            "9007199254740993",
            "-9223372036854775808",
            "18446744073709551615",
        ],
    ),
    ("tells_small", &["-2", "10", "9.5"], &["-1", "9"]),
    (
        "tells_number",
        &["Infinity", "-Infinity", "1e309", "\"3\"", "0x10", ".5", "1."],
        &["1.7976931348623157e308", "5e-324", "-0.0", "0.1", "3"],
    ),
    (
        "tells_text",
        &["\"\"", "\"abcd\"", "1", "\"\\ud800\"", "\"a", "'a'", "\"\n\"", "\"\\x41\""],
        &["\"a\"", "\"🌧🌧🌧\"", "\"\\ud83c\\udf27\"", "\"\\u0000\"", "\"\u{202e}\"", "\"\\n\""],
    ),
    ("tells_letters", &["\"Z\"", "\"a\\n\"", "\"ａ\""], &["\"z\""]),
    (
        "tells_list",
        &["[true,true]", "[1]", "[true,false,null]", "{}", "true", "[true,]", "[true"],
        &["[]", "[true,false]"],
    ),
    ("tells_pair", &["[1]", "[\"a\",1]", "[1,\"a\",null]", "[]"], &["[1,\"\"]"]),
    ("tells_choice", &["\"b\"", "3", "\"null\"", "\"A\"", "[]"], &["\"a\"", "2", "2.0", "null"]),
    (
        "tells_either",
        &["{}", "{\"a\":2}", "{\"a\":1,\"b\":2}"],
        &["{\"a\":1}", "{\"b\":2}", "{\"a\":1,\"b\":3}"],
    ),
    (
        "tells_record",
        &[
            r#"{"n":1}"#,
            r#"{"n":"1","note":null}"#,
            r#"{"n":null,"note":null}"#,
            r#"{"n":1,"note":null,"m":1}"#,
            r#"{"N":1,"note":null}"#,
            r#"[1,null]"#,
            r#"{n:1,note:null}"#,
            r#"{"n":1,"note":null}}"#,
            "\u{feff}{\"n\":1,\"note\":null}",
            "{\"n\":1,\"note\":null}//",
        ],
        &[r#"{"n":1,"note":null}"#, r#"{"note":"","n":-1}"#, r#"{"n":1.0,"note":"{\"n\":2}"}"#],
    ),
    (
        "tells_map",
        &[r#"{"a":null}"#, r#"{"a":1,"b":"2"}"#, r#"{"__proto__":null}"#],
        &["{}", r#"{"":0}"#, r#"{"a":1,"\u0041":2}"#, r#"{"constructor":1,"toString":2}"#],
    ),
    (
        "tells_tree",
        &[r#"{"next":{}}"#, r#"{"next":1}"#, r#"{"next":{"next":{"next":[]}}}"#],
        &["{}", r#"{"next":null}"#, r#"{"next":{"next":{"next":null}}}"#],
    ),
    ("tells_anything", &["undefined", "", "{\"a\"}"], &["null", "false", r#"{"result":1}"#]),
    ("fails_telling", &[r#"{"n":1}"#, "null", "x"], &[r#"{"n":1,"note":"it did not work"}"#]),
];

/// Lies that a reader of JSON may take for values: keys that are there twice, numbers that no
/// reader keeps, and what is too deep or too large; and what is just within these bounds.
pub(super) fn bounds() -> (Vec<String>, Vec<String>) {
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let large = |bytes: usize| format!("\"{}\"", "x".repeat(bytes - 2));
    let lies = [
        r#"{"a":1,"a":1}"#.to_owned(),
        r#"{"a":1,"\u0061":2}"#.to_owned(),
        r#"[{"b":{"c":1,"c":2}}]"#.to_owned(),
        "18446744073709551616".to_owned(),
        "-9223372036854775809".to_owned(),
        deep(101),
        deep(1000),
        large(RESULT_BYTES_MAX + 1),
    ];
    let truths = [
        r#"{"a":1,"A":1,"b":{"a":1}}"#.to_owned(),
        r#"{"isError":true,"content":[],"structuredContent":{}}"#.to_owned(),
        deep(100),
        large(RESULT_BYTES_MAX),
    ];
    (lies.to_vec(), truths.to_vec())
}

/// Bytes that a value may have here.
pub(super) const RESULT_BYTES_MAX: usize = 4096;

/// Schemas of their own that values have, each a line, with the values below.
pub(super) const EXACTLY: Told = (
    "tells_exactly",
    &[
        "{\"type\":\"integer\",\"minimum\":3}\n2",
        "{\"type\":\"integer\"}\n\"a\"",
        "{\"type\":[\"integer\",\"string\"]}\n\"a\"",
        "{\"type\":\"objekt\"}\n1",
        "{\"$ref\":\"https://a.example/\"}\n1",
        "\n1",
    ],
    &["{\"type\":\"integer\",\"minimum\":3}\n3", "{\"type\":\"null\"}\nnull"],
);

/// Tools that promise an integer `n`, what they are told to give beside `{"n":1}` and must not,
/// and what they may.
pub(super) const BESIDE: &[Told] = &[
    ("has_meta", &["portcullis/exactSchema", "mcp.dev/x", "x/", "", "a\u{200b}"], &["x", "a.b"]),
    ("has_meta_of", &["x", "", "{\"a\":1,\"a\":2}", "1e999"], &["null", "{\"a\":[1]}"]),
    ("has_content_of_its_own", &["n is 2", "{\"n\":2}"], &[]),
    ("prints", &[], &["{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", "\u{1b}[2J"]),
    ("logs", &[], &["\u{1b}[2J"]),
    ("reports_progress", &[], &["\u{1b}[2J\u{202e}"]),
];

/// A tool that promises content, what it is told to give and must not, and what it may, with the
/// block that it makes, as MCP writes it.
type Shown = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

pub(super) const CONTENT: &[Shown] = &[
    (
        "says",
        &[],
        &[
            ("", r#"{"type":"text","text":""}"#),
            ("ü東🌧\n\t", r#"{"type":"text","text":"ü東🌧\n\t"}"#),
            ("a\u{202e}b\u{1b}[2J", r#"{"type":"text","text":"a\\u{202e}b\\u{1b}[2J"}"#),
        ],
    ),
    (
        "links",
        &[
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "/a",
            "",
            "https://a b/",
        ],
        &[(
            "https://a.example/b?c#d",
            r#"{"type":"resource_link","uri":"https://a.example/b?c#d","name":"a link"}"#,
        )],
    ),
    (
        "embeds",
        &["javascript:alert(1)", "a.example", "https://a.example/\u{202e}"],
        &[(
            // With its path: pydantic would add it.
            "http://a.example/",
            r#"{"type":"resource","resource":{"uri":"http://a.example/","text":"a text"}}"#,
        )],
    ),
    (
        "embeds_as",
        &["image/png", "image/", "gif", "a/b/c", "text/html\u{200b}", ""],
        &[(
            "image/gif",
            r#"{"type":"resource","resource":{"uri":"https://a.example/","mimeType":"image/gif","blob":"R0lGODlh"}}"#,
        )],
    ),
    (
        "draws",
        &["iVBORw0KGgo=", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "", "50 MB"],
        &[(
            "a PNG",
            r#"{"type":"image","mimeType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAA="}"#,
        )],
    ),
    (
        "ranks",
        &["-0.1", "1.1", "NaN", "inf"],
        &[
            ("0", r#"{"type":"text","text":"a","annotations":{"priority":0}}"#),
            ("1", r#"{"type":"text","text":"a","annotations":{"priority":1}}"#),
        ],
    ),
    (
        "dates",
        &["2026-02-30T00:00:00Z", "yesterday", ""],
        &[(
            "2028-02-29T23:59:59Z",
            r#"{"type":"text","text":"a","annotations":{"lastModified":"2028-02-29T23:59:59Z"}}"#,
        )],
    ),
];

/// Tools that need not be told anything: those that never give what they promise, and those that
/// do, whatever else they do.
pub(super) const UNTOLD: (&[&str], &[&str]) = (
    &[
        "panics",
        "panics_with",
        "exits",
        "hurried_loops",
        "hurried_sleeps",
        "allocates_without_end",
        "returns_100_mb",
        "returns_the_wrong_shape",
        "returns_invalid_json",
        "fails_with",
        "fails_internally_with",
        "has_meta_twice",
        "gives_no_utf_8",
        "gives_no_value",
        "gives_content_for_a_value",
        "gives_a_value_for_content",
    ],
    &["well_behaved", "hurried_well_behaved", "prints_json_rpc", "floods_progress"],
);
