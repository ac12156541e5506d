//! Which tools clients see, what is said of them, and what holds when they are called.

use libtest_mimic::Trial;
use serde_json::json;

use super::{PACK, PAD, Place, called, failed, gave, listed, listed_alone, package, packed};
use crate::harness::{Run, named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "cli::pack",
        named![
            a_tool_is_listed_with_all_that_was_said_of_it,
            what_is_left_out_of_a_call_is_its_default,
            an_argument_out_of_its_range_is_a_tool_error,
            a_value_out_of_its_range_is_a_tool_error,
            what_is_left_out_is_no_tool,
            leaving_one_out_ends_a_clash_of_names,
        ],
    )
}

fn a_tool_is_listed_with_all_that_was_said_of_it() {
    let wit = package(
        "/// How it travels.
        enum speed {
          /// A week.
          slow,
          fast,
        }
        /// Something to send.
        record parcel {
          /// What is on its label.
          code: string,
          grams: u32,
          tags: list<string>,
        }
        /// Sends a parcel.
        send: func(parcel: parcel, speed: speed, days-ahead: u8) -> result<string, string>;",
    );
    let overlay = r#"
        [functions.send]
        title = "Send a parcel"
        hints = { destructive = false, open_world = true }
        [functions.send.parameters.days-ahead]
        title = "Days from now"
        description = "When."
        default = 1
        minimum = 1
        maximum = 14
        examples = [1, 7]
        [functions.send.value]
        description = "Its number."
        pattern = "^[0-9]+$"
        [types."api.parcel".fields]
        grams = { default = 100, maximum = 30000, multiple_of = 5 }
        tags = { max_items = 3, unique_items = true }
        code = { description = "On its label.", min_length = 6, max_length = 12 }
        [types.speed.cases]
        fast = "A day."
    "#;
    let place = packed(&wit, &[("send", "ok(\"12\")")], overlay);
    let parcel = json!({
        "type": "object",
        "title": "Parcel",
        "description": "Something to send.",
        "properties": {
            "code": {
                "type": "string",
                "title": "Code",
                "description": "On its label.",
                "minLength": 6,
                "maxLength": 12,
            },
            "grams": {
                "type": "integer",
                "title": "Grams",
                "minimum": 0,
                "maximum": 30000,
                "multipleOf": 5,
                "default": 100,
            },
            "tags": {
                "type": "array",
                "title": "Tags",
                "items": { "type": "string" },
                "maxItems": 3,
                "uniqueItems": true,
            },
        },
        "required": ["code", "tags"],
    });
    let speed = json!({
        "type": "string",
        "title": "Speed",
        "description": "How it travels.\n- slow: A week.\n- fast: A day.",
        "enum": ["slow", "fast"],
    });
    let days_ahead = json!({
        "type": "integer",
        "title": "Days from now",
        "description": "When.",
        "minimum": 1,
        "maximum": 14,
        "default": 1,
        "examples": [1, 7],
    });
    let input = json!({
        "type": "object",
        "title": "sendArguments",
        "properties": {
            "parcel": { "$ref": "#/$defs/Parcel" },
            "speed": { "$ref": "#/$defs/Speed" },
            "days_ahead": days_ahead,
        },
        "required": ["parcel", "speed"],
        "$defs": { "Parcel": parcel, "Speed": speed },
    });
    let result = json!({
        "type": "string",
        "title": "Result",
        "description": "Its number.",
        "pattern": "^[0-9]+$",
    });
    let output = json!({
        "type": "object",
        "title": "sendOutput",
        "properties": { "result": result },
        "required": ["result"],
    });
    let expected = json!({
        "name": "send",
        "title": "Send a parcel",
        "description": "Sends a parcel.",
        "inputSchema": input,
        "outputSchema": output,
        "annotations": { "destructiveHint": false, "openWorldHint": true },
        "_meta": { "portcullis/wrapped": true },
    });
    assert_eq!(listed_alone(&place), expected);
}

/// A tool that gives back its parcel, whose weight is 100 unless said, and one for its days.
fn echoes() -> Place {
    let wit = package(&format!(
        "record parcel {{ code: string, grams: u32 }}
        parcels: func(parcel: parcel, {PAD}) -> parcel;
        days: func(days-ahead: u8, {PAD}) -> u8;"
    ));
    let overlay = "functions.days.parameters.days-ahead = { default = 1, maximum = 14 }\n\
                   types.parcel.fields.grams = { default = 100, exclusive_minimum = 0 }\n";
    packed(&wit, &[], overlay)
}

fn what_is_left_out_of_a_call_is_its_default() {
    let place = echoes();
    assert_eq!(called(&place, "days", "{}"), gave("1", json!({ "result": 1 })));
    let days = called(&place, "days", r#"{"days_ahead": 14}"#);
    assert_eq!(days, gave("14", json!({ "result": 14 })));
    for (arguments, grams) in
        [(r#"{"parcel": {"code": "A"}}"#, 100), (r#"{"parcel": {"code": "A", "grams": 7}}"#, 7)]
    {
        let text = format!("{{\n  \"code\": \"A\",\n  \"grams\": {grams}\n}}");
        let parcel = called(&place, "parcels", arguments);
        assert_eq!(parcel, gave(&text, json!({ "code": "A", "grams": grams })));
    }
}

fn an_argument_out_of_its_range_is_a_tool_error() {
    let place = echoes();
    let why = "1 validation error for daysArguments\n\
               days_ahead\n  Input should be less than or equal to 14";
    assert_eq!(called(&place, "days", r#"{"days_ahead": 15}"#), failed("days", why));
    let why = "1 validation error for parcelsArguments\n\
               parcel.grams\n  Input should be greater than 0";
    let parcel = called(&place, "parcels", r#"{"parcel": {"code": "A", "grams": 0}}"#);
    assert_eq!(parcel, failed("parcels", why));
}

fn a_value_out_of_its_range_is_a_tool_error() {
    let wit = package("send: func() -> u8;");
    let place = packed(&wit, &[("send", "1")], "functions.send.value.minimum = 2\n");
    let why = "1 validation error for sendOutput\n\
               result\n  Input should be greater than or equal to 2";
    assert_eq!(called(&place, "send", "{}"), failed("send", why));
}

fn what_is_left_out_is_no_tool() {
    let wit = package("keep: func() -> u8;\nreset: func();");
    let place = packed(&wit, &[("keep", "1")], "functions.reset.leave_out = true\n");
    assert_eq!(listed_alone(&place)["name"], "keep");
    let run = place.run(&["call", "--log=off", "shop.wasm", "reset"]);
    let stderr =
        "portcullis: Unknown tool: reset; `portcullis list shop.wasm` shows the names\n".to_owned();
    assert_eq!(run, Run { status: 2, stdout: String::new(), stderr });
}

fn leaving_one_out_ends_a_clash_of_names() {
    let wit = "package test:shop@1.0.0;
        interface goods { find: func() -> u8; }
        interface people { find: func(); }
        interface other { keep: func(); }
        world w { export goods; export people; export other; }";
    let place = packed(wit, &[("find", "7")], "");
    let run = place.run(&["list", "--log=off", "shop.wasm"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "keep\n"));
    let overlay = "functions.\"test:shop/people@1.0.0#find\".leave_out = true\n";
    let place = place.file("o.toml", overlay.as_bytes());
    let run = place.run(&PACK);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.ends_with("\n  left out: test:shop/people@1.0.0#find\n"), "{}", run.stdout);
    let tools = listed(&place);
    let tools = tools.as_array().into_iter().flatten().map(|tool| &tool["name"]);
    assert_eq!(tools.collect::<Vec<_>>(), ["find", "keep"]);
    assert_eq!(called(&place, "find", "{}"), gave("7", json!({ "result": 7 })));
}
