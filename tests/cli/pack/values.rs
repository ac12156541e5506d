//! Values that are written otherwise than their types alone would have it.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{PAD, called, failed, gave, listed_alone, package, packed};
use crate::harness::{named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "cli::pack",
        named![
            content_alone_has_no_schema_and_is_the_string,
            content_alone_of_a_record_is_its_json,
            large_integers_are_digits_both_ways,
            large_integers_of_one_place_are_digits_there_alone,
            pairs_as_a_map_are_an_object_both_ways,
            pairs_with_one_key_twice_are_a_tool_error,
        ],
    )
}

/// The definition of a tool without parameters that gives content alone.
fn content_tool(name: &str) -> Value {
    let input = json!({
        "type": "object",
        "title": format!("{name}Arguments"),
        "properties": {},
    });
    json!({ "name": name, "inputSchema": input })
}

fn content_alone_has_no_schema_and_is_the_string() {
    let wit = package("terms: func() -> string;");
    let text = "Line \"one\",\n{line} two.";
    let values = [("terms", "\"Line \\\"one\\\",\\n{line} two.\"")];
    let place = packed(&wit, &values, "functions.terms.content_only = true\n");
    assert_eq!(listed_alone(&place), content_tool("terms"));
    let content = json!([{ "type": "text", "text": text }]);
    let result = json!({ "content": content, "isError": false });
    assert_eq!(called(&place, "terms", "{}"), (0, result));
}

fn content_alone_of_a_record_is_its_json() {
    let wit = package("record point { x-axis: u8, y-axis: s8 }\nplace: func() -> point;");
    let values = [("place", "{x-axis: 1, y-axis: -2}")];
    let place = packed(&wit, &values, "functions.place.content_only = true\n");
    assert_eq!(listed_alone(&place), content_tool("place"));
    let content = json!([{ "type": "text", "text": "{\n  \"x_axis\": 1,\n  \"y_axis\": -2\n}" }]);
    let result = json!({ "content": content, "isError": false });
    assert_eq!(called(&place, "place", "{}"), (0, result));
}

fn large_integers_are_digits_both_ways() {
    let wit = package(&format!("next: func(id: u64, {PAD}) -> u64;"));
    let place = packed(&wit, &[], "functions.next.large_integers = \"string\"\n");
    let digits =
        |title| json!({ "type": "string", "pattern": "^(0|[1-9][0-9]*)$", "title": title });
    let tool = listed_alone(&place);
    assert_eq!(tool["inputSchema"]["properties"]["id"], digits("Id"));
    assert_eq!(tool["outputSchema"]["properties"]["result"], digits("Result"));
    // The first that is no s64, and the last that is a u64. A double has the first alone.
    for id in ["9223372036854775808", "18446744073709551615"] {
        let next = called(&place, "next", &json!({ "id": id }).to_string());
        assert_eq!(next, gave(id, json!({ "result": id })));
    }
    for id in ["18446744073709551616", "-1", "1.0", "01", ""] {
        let (status, result) = called(&place, "next", &json!({ "id": id }).to_string());
        assert_eq!((status, &result["isError"]), (1, &json!(true)), "{id}: {result}");
    }
}

fn large_integers_of_one_place_are_digits_there_alone() {
    let wit = package(&format!("ids: func(ids: list<s64>, {PAD}) -> list<s64>;"));
    let overlay =
        "[functions.ids.parameters.ids]\nlarge_integers = \"string\"\ndefault = [\"-5\"]\n";
    let place = packed(&wit, &[], overlay);
    let (least, greatest) = (i64::MIN, i64::MAX);
    let arguments = json!({ "ids": [least.to_string(), greatest.to_string()] });
    let content = json!([
        { "type": "text", "text": least.to_string() },
        { "type": "text", "text": greatest.to_string() },
    ]);
    let structured = json!({ "result": [least, greatest] });
    let result = json!({ "content": content, "structuredContent": structured, "isError": false });
    assert_eq!(called(&place, "ids", &arguments.to_string()), (0, result));
    assert_eq!(called(&place, "ids", "{}"), gave("-5", json!({ "result": [-5] })));
}

fn pairs_as_a_map_are_an_object_both_ways() {
    let wit = package(&format!(
        "stock: func(towns: list<tuple<string, u32>>, {PAD}) -> list<tuple<string, u32>>;"
    ));
    let overlay = "[functions.stock]\n\
                   parameters.towns = { pairs_as_map = true, min_properties = 1 }\n\
                   value = { pairs_as_map = true, max_properties = 2 }\n";
    let place = packed(&wit, &[], overlay);
    let tool = listed_alone(&place);
    let number = json!({ "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32 });
    let towns = json!({
        "type": "object",
        "title": "Towns",
        "additionalProperties": number,
        "minProperties": 1,
    });
    assert_eq!(tool["inputSchema"]["properties"]["towns"], towns);
    let output = json!({
        "type": "object",
        "title": "stockDictOutput",
        "additionalProperties": number,
        "maxProperties": 2,
    });
    assert_eq!(tool["outputSchema"], output);
    let stock = called(&place, "stock", r#"{"towns": {"Oslo": 2, "Bergen": 0}}"#);
    let text = "{\n  \"Oslo\": 2,\n  \"Bergen\": 0\n}";
    assert_eq!(stock, gave(text, json!({ "Oslo": 2, "Bergen": 0 })));
    let why = "1 validation error for stockArguments\n\
               towns\n  Input should be a valid dictionary";
    let pairs = called(&place, "stock", r#"{"towns": [["Oslo", 2]]}"#);
    assert_eq!(pairs, failed("stock", why));
}

fn pairs_with_one_key_twice_are_a_tool_error() {
    let wit = package("stock: func() -> list<tuple<string, u32>>;");
    let values = [("stock", "[(\"Oslo\", 1), (\"Oslo\", 2)]")];
    let place = packed(&wit, &values, "functions.stock.value.pairs_as_map = true\n");
    let why = "its result cannot be published: `Oslo` is a key that is there twice";
    assert_eq!(called(&place, "stock", "{}"), failed("stock", why));
}
