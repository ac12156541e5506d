//! Schemas and values that mean harm to whoever reads them.

use std::io::ErrorKind;
use std::net::TcpListener;

use libtest_mimic::Trial;
use serde_json::{Value as Json, json};

use super::figures::note;
use super::server::serve;
use super::tool_error;
use crate::generated::{
    Described, Gives, Package, Served, Value, declared, provider, provider_requiring, wave,
};
use crate::harness::{named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = named_trials(
        "hostile::values",
        named![
            nothing_is_fetched_for_a_reference,
            a_bomb_of_unions_is_refused,
            a_schema_of_4000_levels_is_refused,
            a_value_of_4000_levels_is_refused,
            a_catastrophic_pattern_is_answered,
            a_schema_of_10000_cases_is_refused,
            a_type_of_10000_cases_is_refused,
            lists_that_are_one_in_memory_meet_the_result_limit,
            a_type_of_99_levels_is_refused,
            a_key_that_is_there_twice_is_refused,
            a_key_that_is_there_twice_in_a_map_is_refused,
        ],
    );
    trials.extend(named_trials("hostile::values", &[("5_mb_make_a_short_error", five_mb)]));
    trials
}

const N: &str = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#;

/// Why tools of these schemas are left out, each once for its arguments and once for its results.
/// A tool beside them stays.
fn refused(schemas: &[String]) -> Vec<String> {
    let names: Vec<String> = (0..schemas.len()).map(|index| format!("bad_{index}")).collect();
    let mut tools = vec![Described::new("good", N)];
    let inputs: Vec<String> = names.iter().map(|name| format!("{name}_in")).collect();
    for ((name, input), schema) in names.iter().zip(&inputs).zip(schemas) {
        tools.push(Described::new(name, schema));
        tools.push(Described { input: schema, ..Described::new(input, N) });
    }
    let served = Served::component(&provider(&tools, &declared(r#"{"n":1}"#)));
    let left: Vec<_> = served.definitions.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(left, ["good"]);
    assert_eq!(served.call("good", &json!({}))["isError"], false);
    served.refused.into_iter().map(|(_, reason)| reason).collect()
}

/// A schema of an object whose `n` has this schema.
fn of_n(schema: &Json) -> String {
    json!({ "type": "object", "properties": { "n": schema } }).to_string()
}

fn nothing_is_fetched_for_a_reference() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    listener.set_nonblocking(true).expect("it can be asked without waiting");
    let address = listener.local_addr().expect("it has an address");
    let references = [
        format!("http://{address}/schema.json"),
        format!("https://{address}/schema.json#/$defs/a"),
        format!("//{address}/schema.json"),
        "file:///etc/passwd".to_owned(),
        "/etc/passwd".to_owned(),
        "other.json".to_owned(),
    ];
    let schemas: Vec<String> = references
        .iter()
        .flat_map(|reference| {
            ["$ref", "$dynamicRef", "$schema", "$id"].map(|keyword| match keyword {
                "$schema" => json!({ keyword: reference, "type": "object" }).to_string(),
                _ => of_n(&json!({ keyword: reference })),
            })
        })
        .collect();
    refused(&schemas);
    let asked = listener.accept().map(|(_, who)| who).map_err(|error| error.kind());
    assert_eq!(asked, Err(ErrorKind::WouldBlock));
    note(15, "connections for references", 0);
}

fn a_bomb_of_unions_is_refused() {
    let bomb = |keyword: &str| {
        let mut defs = json!({ "d20": { "type": "integer" } });
        for level in 0..20 {
            let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
            defs[format!("d{level}")] = json!({ keyword: [next, next] });
        }
        let n = json!({ "$ref": "#/$defs/d0" });
        json!({ "type": "object", "properties": { "n": n }, "$defs": defs }).to_string()
    };
    refused(&["anyOf", "allOf", "oneOf"].map(bomb));
}

fn a_schema_of_4000_levels_is_refused() {
    let within = |open: &str, close: &str| {
        format!(
            r#"{{"type":"object","properties":{{"n":{}{{}}{}}}}}"#,
            open.repeat(4000),
            close.repeat(4000)
        )
    };
    for reason in refused(&[within(r#"{"items":"#, "}"), within(r#"{"not":"#, "}")]) {
        assert!(reason.contains("deeper than"), "{reason}");
    }
}

fn a_value_of_4000_levels_is_refused() {
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let value = open.repeat(4000) + "1" + &close.repeat(4000);
        let served =
            Served::component(&provider(&[Described::new("get", "{}")], &declared(&value)));
        let result = served.call("get", &json!({}));
        assert_eq!(result["isError"], true);
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains("deeper than 100 levels"), "{text}");
    }
}

fn a_catastrophic_pattern_is_answered() {
    let patterns = [r"^(a+)+$", r"^(a|aa)+$", r"^(.*a){20}$", r"^([a-z]+)*\d$"];
    let long = "a".repeat(50_000) + "!";
    let schemas = patterns.map(|pattern| of_n(&json!({ "type": "string", "pattern": pattern })));
    let names = ["in_0", "in_1", "in_2", "in_3", "out_0", "out_1", "out_2", "out_3"];
    let tools: Vec<Described<'_>> = names
        .iter()
        .zip(schemas.iter().cycle())
        .map(|(name, schema)| match name.starts_with("in") {
            true => Described { input: schema, ..Described::new(name, "{}") },
            false => Described::new(name, schema),
        })
        .collect();
    let outcome = declared(&json!({ "n": long }).to_string());
    let served = Served::component(&provider(&tools, &outcome));
    let began = std::time::Instant::now();
    for name in names {
        let arguments = if name.starts_with("in") { json!({ "n": long }) } else { json!({}) };
        let result = served.call(name, &arguments);
        assert_eq!(result["isError"], true, "{name}");
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains("\nn\n  String should match pattern"), "{name}: {text}");
    }
    let ms = began.elapsed().as_millis() / names.len() as u128;
    note(18, "time for a call with a catastrophic pattern", format!("{ms} ms"));
}

/// As numbers, so that they are within the size of a schema.
fn a_schema_of_10000_cases_is_refused() {
    let cases = |count: u32| of_n(&json!({ "enum": (0..count).collect::<Vec<_>>() }));
    for reason in refused(&[cases(257), cases(10_000)]) {
        assert!(reason.contains(" cases at #/properties/n, more than 256"), "{reason}");
    }
}

fn a_type_of_10000_cases_is_refused() {
    let names =
        |count: usize| (0..count).map(|case| format!("c{case}")).collect::<Vec<_>>().join(", ");
    let wit = format!(
        "package hostile:values;\ninterface api {{\n\
         enum many {{ {all} }}\nvariant more {{ {all} }}\nenum one-more {{ {more} }}\n\
         enum fits {{ {fit} }}\n\
         gives-many: func() -> many;\ngives-more: func() -> list<more>;\n\
         takes-many: func(it: option<many>);\ngives-one-more: func() -> one-more;\n\
         good: func() -> fits;\n}}\nworld w {{ export api; }}\n",
        all = names(10_000),
        more = names(257),
        fit = names(256),
    );
    let package = Package::parse(&wit);
    let served = Served::component(&package.component(|function| match function.name.as_str() {
        "good" => Gives::Value(Value::Case(255, None)),
        _ => Gives::Trap,
    }));
    assert_eq!(served.call("good", &json!({}))["structuredContent"], json!({ "result": "c255" }));
    assert_eq!(served.definitions.len(), 1);
    assert_eq!(served.refused.len(), 4);
    for (tool, reason) in &served.refused {
        let cases = if tool == "gives-one-more" { "257" } else { "10000" };
        assert!(reason.contains(&format!("has {cases} cases, more than 256")), "{tool}: {reason}");
    }
}

/// As a value, as a key, and as many of both; in a result, in arguments and in a guest's message.
fn five_mb() {
    let large = "hunter2".repeat(750_000);
    let many = json!({
        "type": "object",
        "properties": { "n": { "type": "integer" } },
        "additionalProperties": { "type": "integer" },
    });
    let many = many.to_string();
    let pieces: Json = (0..100)
        .map(|index| (format!("{index}{}", &large[..20_000]), json!(&large[..30_000])))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let mut longest = 0;
    for value in [json!({ "n": large }), json!({ &large: "x" }), pieces] {
        let tools = [
            Described::new("gives", &many),
            Described { input: &many, ..Described::new("takes", &many) },
        ];
        let component = provider(&tools, &declared(&value.to_string()));
        let served = Served::configured(&component, |config| {
            for component in &mut config.components {
                component.limits.result_bytes_max = 16 << 20;
                component.limits.argument_bytes_max = 16 << 20;
            }
        });
        for (tool, arguments) in [("gives", &json!({})), ("takes", &value)] {
            let result = served.call(tool, arguments);
            assert_eq!(result["isError"], true);
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            let told = text.strip_prefix(&format!("Error executing tool {tool}: "));
            let told = told.unwrap_or_else(|| panic!("{text}"));
            longest = longest.max(told.len());
            assert!(told.contains("validation error"), "{told}");
            // A key is where it is wrong, and shown in part.
            assert!(!told.contains(&large[..100]), "{told}");
        }
    }
    assert!(longest <= 2 << 10, "{longest}");
    note(20, "bytes of the longest error about 5 MB", longest);
}

/// 64 MB, of a guest that has one of them. What the host takes while it reads them is far more for
/// some types: for a set of flags, 25 times what wasmtime counts.
fn lists_that_are_one_in_memory_meet_the_result_limit() {
    const MEGABYTE: usize = 1_000_000;
    const GROWS_BYTES_MAX: u64 = 64 << 20;
    let package = Package::parse(
        "package hostile:values;\ninterface api { texts: func() -> list<string>; \
         escaped: func() -> list<string>; \
         bytes: func() -> list<list<u8>>; numbers: func() -> list<list<u64>>; \
         record r { a: u8 } records: func() -> list<list<r>>; ones: func() -> list<list<list<u8>>>; \
         enum e { a, b } enums: func() -> list<list<e>>; \
         flags f { a, b, c, d, e, f, g, h } sets: func() -> list<list<f>>; \
         letters: func() -> list<list<string>>; options: func() -> list<list<option<u8>>>; \
         good: func() -> list<list<u8>>; }\nworld w { export api; }\n",
    );
    let same = |value: Value, times: usize| Value::Same(Box::new(value), times);
    // What fits in one list is counted before it is read, so of values that are dynamic each list has a
    // few thousand.
    const FEW: usize = 4_000;
    let piece = |function: &str| match function {
        "texts" => Value::String("x".repeat(MEGABYTE)),
        // In JSON, six bytes for each.
        "escaped" => Value::String("\u{1}".repeat(MEGABYTE)),
        "bytes" | "numbers" => same(Value::Integer(1), FEW),
        "records" => same(Value::Fields(vec![Value::Integer(1)]), FEW),
        "ones" => same(same(Value::Integer(1), 1), FEW),
        "enums" => same(Value::Case(0, None), FEW),
        "sets" => same(Value::Flags(vec![true; 8]), FEW),
        "letters" => same(Value::String("x".to_owned()), FEW),
        "options" => same(Value::Option(Some(Box::new(Value::Integer(1)))), FEW),
        other => panic!("there is no `{other}`"),
    };
    let exports = package.component(|function| {
        Gives::Value(match function.name.as_str() {
            "good" => same(same(Value::Integer(104), 2), 2),
            name @ ("texts" | "escaped") => same(piece(name), 64),
            name => same(piece(name), 64 * MEGABYTE / FEW),
        })
    });
    let content = format!("ok(content([text({{text: \"{}\"}})]))", "x".repeat(MEGABYTE));
    let tool = Described { output: None, ..Described::new("blocks", N) };
    let blocks = provider_requiring("[]", &[tool], |ty| repeated(wave::parse(ty, &content)));
    let files: [(&str, &[u8]); 3] = [
        (
            "portcullis.toml",
            b"[components.a]\npath = \"a.wasm\"\n[components.b]\npath = \"b.wasm\"\n",
        ),
        ("a.wasm", &exports),
        ("b.wasm", &blocks),
    ];
    let good = json!({ "result": ["aGg=", "aGg="] });
    let told = "the result has more than 4194304 bytes; ask for less, or have the operator raise \
                `result_bytes_max`";
    for tool in [
        "texts", "escaped", "bytes", "numbers", "records", "ones", "enums", "sets", "letters",
        "options", "blocks",
    ] {
        // A server of its own, since what the allocator keeps of one is there for the next.
        let mut server = serve(&files);
        assert_eq!(server.call("good", json!({}))["structuredContent"], good);
        let grown = server.grows_by(|server| {
            assert_eq!(server.call(tool, json!({})), tool_error(tool, told));
        });
        note(21, &format!("memory that 64 MB in `{tool}` take"), format!("{} KiB", grown >> 10));
        assert!(grown < GROWS_BYTES_MAX, "{tool}: {grown}");
        assert_eq!(server.call("good", json!({}))["structuredContent"], good);
    }
}

/// An outcome of one block of content, with it 64 times.
fn repeated(outcome: Value) -> Value {
    match outcome {
        Value::Case(index, Some(inner)) => Value::Case(index, Some(Box::new(repeated(*inner)))),
        Value::List(mut blocks) => {
            Value::Same(Box::new(blocks.pop().expect("there is a block")), 64)
        }
        other => panic!("no content: {other:?}"),
    }
}

fn a_type_of_99_levels_is_refused() {
    let deep = |outer: &str, levels: usize| {
        format!("{}u8{}", format!("{outer}<").repeat(levels), ">".repeat(levels))
    };
    let wit = format!(
        "package hostile:values;\ninterface api {{\n\
         lists: func() -> {lists};\noptions: func(it: {options});\ngood: func() -> u8;\n}}\n\
         world w {{ export api; }}\n",
        lists = deep("list", 98),
        options = deep("option", 98),
    );
    let package = Package::parse(&wit);
    let served = Served::component(&package.component(|function| match function.name.as_str() {
        "good" => Gives::Value(Value::Integer(1)),
        _ => Gives::Trap,
    }));
    assert_eq!(served.call("good", &json!({}))["structuredContent"], json!({ "result": 1 }));
    assert_eq!(served.refused.len(), 2, "{:?}", served.refused);
    for (_, reason) in &served.refused {
        assert!(reason.contains("has types nested deeper than "), "{reason}");
    }
}

fn a_key_that_is_there_twice_is_refused() {
    for json in [
        r#"{"n":1,"n":2}"#,
        r#"{"n":1,"\u006e":2}"#,
        r#"{"n":1,"a":{"b":[{"c":1,"c":1}]}}"#,
        r#"{"\ud83c\udf27":1,"🌧":2,"n":1}"#,
    ] {
        for outcome in [
            declared(json),
            format!(
                "ok(full({{content: [], value: some({{json: \"{{\\\"n\\\":1}}\", schema: declared}}), \
                 meta: [{{key: \"a\", value: {}}}], is-error: false}}))",
                wave::quoted(json)
            ),
        ] {
            let served = Served::component(&provider(&[Described::new("get", N)], &outcome));
            let result = served.call("get", &json!({}));
            assert_eq!(result["isError"], true, "{json}: {result:?}");
            assert_eq!(result.get("structuredContent"), None, "{json}: {result:?}");
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            assert!(text.contains("the result is not JSON: "), "{text}");
        }
    }
}

/// Where a map is published as an object.
fn a_key_that_is_there_twice_in_a_map_is_refused() {
    let package = Package::parse(
        "package hostile:values;\ninterface api { texts: func() -> map<string, u8>; \
         numbers: func() -> list<map<u16, u8>>; }\nworld w { export api; }\n",
    );
    let served = Served::component(&package.component(|function| {
        let ty = package.result(function).expect("both give something");
        Gives::Value(wave::parse(
            &ty,
            match function.name.as_str() {
                "texts" => r#"[("a", 1), ("b", 2), ("a", 3)]"#,
                _ => "[[(1, 1), (1, 2)]]",
            },
        ))
    }));
    for tool in ["texts", "numbers"] {
        let result = served.call(tool, &json!({}));
        assert_eq!(result["isError"], true, "{tool}: {result:?}");
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains("cannot be published"), "{text}");
    }
}
