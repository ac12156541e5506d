//! Schemas that mean harm.

use crate::schema::{Bounds, Input, Output, Refs, Refused, Style, Unverified};
use serde_json::{Value, json};

fn output(schema: &Value) -> Result<Output, Refused> {
    Output::load(&schema.to_string(), "t", Style::default(), &Bounds::default())
}

fn input(schema: &Value) -> Result<Input, Refused> {
    Input::load(&schema.to_string(), "t", Style::default(), &Bounds::default())
}

#[test]
fn references_that_leave_the_document_are_refused_and_named() {
    for reference in [
        "http://127.0.0.1:9/s.json",
        "https://example.com/s.json#/a",
        "file:///etc/passwd",
        "other.json",
        "//host/s",
        "/etc/passwd",
        "data:application/json,{}",
    ] {
        for keyword in ["$ref", "$dynamicRef"] {
            let error = output(&json!({"items": {keyword: reference}})).unwrap_err();
            assert!(matches!(error, Refused::Outside { .. }), "{error}");
            assert!(error.to_string().contains(reference), "{error}");
            let error = input(&json!({"properties": {"a": {keyword: reference}}})).unwrap_err();
            assert!(matches!(error, Refused::Outside { .. }), "{error}");
        }
        let error = output(&json!({"$defs": {"a": {"$id": reference}}})).unwrap_err();
        assert!(matches!(error, Refused::Keyword { .. }), "{error}");
    }
}

fn bomb(keyword: &str, levels: usize) -> Value {
    let mut defs = serde_json::Map::new();
    for level in 0..levels {
        let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
        defs.insert(format!("d{level}"), json!({keyword: [next, next]}));
    }
    defs.insert(format!("d{levels}"), json!({"type": "integer"}));
    json!({"$ref": "#/$defs/d0", "$defs": defs})
}

#[test]
fn a_bomb_of_references_is_refused() {
    for keyword in ["anyOf", "allOf", "oneOf"] {
        let result = output(&bomb(keyword, 20));
        assert!(matches!(result, Err(Refused::TooDeep { .. })), "{result:?}");
        let result = output(&bomb(keyword, 12));
        assert!(matches!(result, Err(Refused::TooManySteps { .. })), "{result:?}");
        let style = Style { refs: Refs::Inline, titles: true };
        let bomb = bomb(keyword, 20).to_string();
        let result = Output::load(&bomb, "t", style, &Bounds::default());
        assert!(result.is_err());
    }
}

#[test]
fn a_bomb_that_grows_with_the_value_is_checked_in_time() {
    // Both arms descend into the same part of the value.
    let mut defs = serde_json::Map::new();
    for level in 0..30 {
        let next = json!({"items": {"$ref": format!("#/$defs/d{}", level + 1)}, "type": "array"});
        defs.insert(format!("d{level}"), json!({"anyOf": [next, next]}));
    }
    defs.insert("d30".into(), json!({"type": "integer"}));
    let schema = json!({"$ref": "#/$defs/d0", "$defs": defs});
    let schema = output(&schema).unwrap();
    let value = format!("{}\"x\"{}", "[".repeat(30), "]".repeat(30));
    let result = schema.verify(&value);
    assert!(matches!(result, Err(Unverified::Mismatch(_))));
}

pub(super) fn expressions() -> Value {
    let operands = json!({"left": {"$ref": "#/$defs/E"}, "right": {"$ref": "#/$defs/E"}});
    let arm = |op: &str| {
        let mut properties = operands.clone();
        properties["op"] = json!({"const": op});
        json!({"type": "object", "properties": properties, "required": ["op", "left", "right"]})
    };
    json!({
        "$ref": "#/$defs/E",
        "$defs": {"E": {"anyOf": [{"type": "number"}, arm("add"), arm("mul"), arm("sub")]}},
    })
}

#[test]
fn a_recursive_union_is_explained_in_time() {
    let schema = output(&expressions()).unwrap();
    let mut value = json!("wrong");
    for _ in 0..45 {
        value = json!({"op": "mul", "left": value, "right": 1});
    }
    let text = value.to_string();
    let result = schema.verify(&text);
    let error = result.unwrap_err().to_string();
    assert!(error.len() <= 2048);
}

#[test]
fn deep_schemas_and_values_are_refused_without_using_up_the_stack() {
    let deep = format!("{}{{}}{}", r#"{"items":"#.repeat(4000), "}".repeat(4000));
    let error = Output::load(&deep, "t", Style::default(), &Bounds::default()).unwrap_err();
    assert!(error.to_string().contains("deeper"), "{error}");
    let deep = format!("{}{{}}{}", r#"{"properties":{"a":"#.repeat(2000), "}}".repeat(2000));
    assert!(Input::load(&deep, "t", Style::default(), &Bounds::default()).is_err());
    let any = output(&json!({})).unwrap();
    let value = "[".repeat(4000) + &"]".repeat(4000);
    assert!(matches!(any.verify(&value), Err(Unverified::NotJson(_))));
}

/// The most levels that the bounds allow, in a thread with the stack that tokio gives a worker.
#[test]
fn what_passes_the_bounds_fits_the_stack() {
    let run = || {
        let mut defs = serde_json::Map::new();
        // As many references in place for each level of the value as are allowed.
        for level in 0..14 {
            defs.insert(
                format!("d{level}"),
                json!({"allOf": [{"$ref": format!("#/$defs/d{}", level + 1)}]}),
            );
        }
        let below = json!({"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/d0"}}, {"type": "null"}]});
        defs.insert("d14".into(), below);
        let author = json!({"$ref": "#/$defs/d0", "$defs": defs});
        let schema = output(&author).unwrap();
        let deep = format!("{}{}{}", "[".repeat(99), 1, "]".repeat(99));
        schema.verify(&deep).unwrap_err();
        let deep = format!("{}{}", "[".repeat(99), "]".repeat(99));
        schema.verify(&deep).unwrap();
        let parameter = json!({"a": {"$ref": "#/$defs/d0"}});
        let schema = input(&json!({"properties": parameter, "$defs": author["$defs"]})).unwrap();
        let value: Value = serde_json::from_str(&deep).unwrap();
        let arguments = serde_json::Map::from_iter([("a".to_owned(), json!(deep))]);
        schema.check(arguments).unwrap();
        let arguments = serde_json::Map::from_iter([("a".to_owned(), value)]);
        schema.check(arguments).unwrap();
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn deep_schemas_and_remembered_values_fit_the_stack() {
    let run = || {
        let mut schema = json!({"type": ["string", "null"]});
        for level in 0..30 {
            schema = if level % 2 == 0 {
                json!({"type": ["array", "null"], "items": schema})
            } else {
                json!({"type": ["object", "null"], "additionalProperties": schema})
            };
        }
        let schema = output(&schema).unwrap();
        schema.verify("null").unwrap();
        let schema = output(&expressions()).unwrap();
        let mut value = json!("wrong");
        for _ in 0..98 {
            value = json!({"op": "mul", "left": value, "right": 1});
        }
        schema.verify(&value.to_string()).unwrap_err();
        let mut value = json!(1);
        for _ in 0..98 {
            value = json!({"op": "mul", "left": value, "right": 1});
        }
        schema.verify(&value.to_string()).unwrap();
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn endless_references_are_refused() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
        json!({"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}}),
        json!({"type": "object", "allOf": [{"$ref": "#"}]}),
        json!({"$anchor": "a", "not": {"$ref": "#a"}}),
    ] {
        for refs in [Refs::Defs, Refs::Inline] {
            let style = Style { refs, titles: true };
            let error = Output::load(&schema.to_string(), "t", style, &Bounds::default());
            assert!(matches!(error, Err(Refused::Endless { .. })), "{schema} {error:?}");
        }
    }
}

#[test]
fn catastrophic_patterns_take_linear_time() {
    for pattern in [r"^(a+)+$", r"^(a|aa)+$", r"^(.*a){20}$", r"^([a-z]+)*\d$"] {
        let schema = output(&json!({"type": "string", "pattern": pattern})).unwrap();
        let value = json!("a".repeat(50_000) + "!").to_string();
        let result = schema.verify(&value).is_err();
        assert!(result);
    }
}

#[test]
fn patterns_that_the_engine_does_not_take_are_refused_and_named() {
    for pattern in [r"(?=a)b", r"(?<!a)b", r"(a)\1", "(", r"\w{1000}{1000}", r"(\pL{50}){50}"] {
        for schema in [
            json!({"type": "string", "pattern": pattern}),
            json!({"type": "object", "patternProperties": {pattern: {"type": "string"}}}),
        ] {
            let error = output(&schema);
            let error = error.unwrap_err();
            assert!(error.to_string().contains(pattern), "{error}");
            assert!(matches!(error, Refused::Pattern { .. }), "{error:?}");
        }
    }
}

#[test]
fn too_many_cases_are_refused() {
    let many: Vec<_> = (0..10_000).map(|case| json!(format!("c{case}"))).collect();
    let bounds = Bounds { schema_bytes_max: 1 << 20, ..Bounds::default() };
    for schema in [
        json!({"enum": many}),
        json!({"anyOf": many.iter().map(|case| json!({"const": case})).collect::<Vec<_>>()}),
        json!({"items": {"oneOf": many.iter().map(|case| json!({"const": case})).collect::<Vec<_>>()}}),
    ] {
        let error = Output::load(&schema.to_string(), "t", Style::default(), &bounds).unwrap_err();
        assert!(matches!(error, Refused::TooManyCases { cases: 10_000, .. }), "{error}");
        let error = output(&schema).unwrap_err();
        assert!(matches!(error, Refused::TooLarge { .. }), "{error}");
    }
    let fits: Vec<_> = (0..256).collect();
    assert!(output(&json!({"enum": fits})).is_ok());
}
