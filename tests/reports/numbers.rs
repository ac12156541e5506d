//! Numbers that JSON cannot say, and numbers that clients round.

use serde_json::{Value as Json, json};

use super::typed::Exports;
use super::{failed, succeeded};

/// PrefectHQ/fastmcp#5150: NaN silently becomes null.
pub(super) fn a_number_that_is_not_finite_is_a_tool_error_with_its_path() {
    // A type of one number, a value around the number, and the path to it in what is published
    // (rule V2: what is wrapped is in `result`).
    const SHAPES: [(&str, &str, &str, &str); 9] = [
        ("alone", "NUMBER", "VALUE", "result"),
        ("in-a-record", "reading", "{celsius: VALUE, at: \"x\"}", "celsius"),
        ("in-two-records", "station", "{last: {celsius: VALUE, at: \"x\"}}", "last.celsius"),
        ("in-a-list", "list<NUMBER>", "[1.0, VALUE]", "result.1"),
        (
            "in-a-list-of-records",
            "list<reading>",
            "[{celsius: VALUE, at: \"\"}]",
            "result.0.celsius",
        ),
        ("in-a-tuple", "tuple<string, NUMBER>", "(\"x\", VALUE)", "result.1"),
        ("in-an-option", "option<NUMBER>", "some(VALUE)", "result"),
        ("in-a-variant", "measured", "exact(VALUE)", "result.exact"),
        ("in-a-map", "map<string, NUMBER>", "[(\"a\", 1.0), (\"b c\", VALUE)]", "b c"),
    ];
    for number in ["f32", "f64"] {
        for (value, what) in [("nan", "is NaN"), ("inf", "is infinite"), ("-inf", "is infinite")] {
            let types = "record reading { celsius: NUMBER, at: string }\n\
                         record station { last: reading }\n\
                         variant measured { exact(NUMBER), lost }\n";
            let mut exports = Exports::with(&types.replace("NUMBER", number));
            for (name, ty, of, _) in SHAPES {
                let (ty, of) = (ty.replace("NUMBER", number), of.replace("VALUE", value));
                exports = exports.gives(name, &ty, &of);
            }
            let served = exports.serve();
            for (name, _, _, path) in SHAPES {
                let tool = name.replace('-', "_");
                let told = format!(
                    "Error executing tool {tool}: its result cannot be published: `{path}` {what}, \
                     which JSON cannot say"
                );
                assert_eq!(served.call(&tool, &json!({})), failed(&told));
            }
        }
    }
}

/// anthropics/claude-code#78762: large ids are rounded by clients.
pub(super) fn integers_of_64_bits_are_exact_and_can_be_published_as_strings() {
    const TYPES: [(&str, &[&str]); 2] = [
        ("u64", &["0", "1915883588174806058", "9007199254740993", "18446744073709551615"]),
        ("s64", &["-9223372036854775808", "-9007199254740993", "-1", "9223372036854775807"]),
    ];
    for (ty, numbers) in TYPES {
        let exports =
            || Exports::with("").echoes("echo", ty).echoes("in-a-list", &format!("list<{ty}>"));
        let as_numbers = exports().serve();
        let text = r#"{"large_integers":"string"}"#;
        let overlay =
            format!(r#"{{"version":1,"functions":{{"echo":{text},"in-a-list":{text}}}}}"#);
        let as_texts = exports().overlaid(&overlay).serve();
        for number in numbers {
            let exact: Json = serde_json::from_str(number).expect("it is JSON");
            for (served, value) in [(&as_numbers, exact), (&as_texts, json!(number))] {
                let alone = served.call("echo", &json!({ "it": value }));
                assert_eq!(alone, succeeded(&[*number], &json!({ "result": value })));
                let listed = served.call("in_a_list", &json!({ "it": [value, value] }));
                let structured = json!({ "result": [value, value] });
                assert_eq!(listed, succeeded(&[*number, *number], &structured));
            }
        }
        let published = |definition: &Json| definition["properties"]["result"]["type"].clone();
        assert_eq!(published(&as_numbers.definition("echo")["outputSchema"]), "integer");
        assert_eq!(published(&as_texts.definition("echo")["outputSchema"]), "string");
    }
}
