//! Values of arguments.

use serde_json::{Value as Json, json};

use super::super::testing::{function, map, ty};
use super::super::*;

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}

/// The value that JSON says, of a type that needs these items.
fn read(items: &str, wit: &str, json: Json) -> Value {
    decode(&ty(items, wit), &json, "X").unwrap()
}

/// What is wrong with JSON, and where.
fn fault_of(ty: &Type, json: Json) -> String {
    let mismatch = decode(ty, &json, "X").unwrap_err();
    let mut errors = mismatch.errors();
    let (path, message) = errors.next().unwrap();
    assert_eq!(errors.next(), None);
    if path.is_empty() { message.to_owned() } else { format!("{path}: {message}") }
}

/// Where and what is wrong.
fn faults(items: &str, wit: &str, json: Json) -> Vec<(String, String)> {
    let mismatch = decode(&ty(items, wit), &json, "X").unwrap_err();
    let owned = |(path, message): (&str, &str)| (path.to_owned(), message.to_owned());
    mismatch.errors().map(owned).collect()
}

fn fault(items: &str, wit: &str, json: Json) -> String {
    fault_of(&ty(items, wit), json)
}

#[test]
fn integral_numbers_are_integers_however_they_are_spelled() {
    assert_eq!(read("", "u64", json!(u64::MAX)), Value::U64(u64::MAX));
    assert_eq!(read("", "s64", json!(i64::MIN)), Value::S64(i64::MIN));
    assert_eq!(read("", "u8", json!(5.0)), Value::U8(5));
    assert_eq!(read("", "s16", json!(1e3)), Value::S16(1000));
    let part = "Input should be a valid integer, got a number with a fractional part";
    assert_eq!(fault("", "u8", json!(5.5)), part);
    assert_eq!(fault("", "u8", json!(256)), "Input should be less than or equal to 255");
    assert_eq!(fault("", "u8", json!(-1)), "Input should be greater than or equal to 0");
    assert_eq!(fault("", "u8", json!(1e300)), "Input should be less than or equal to 255");
    assert_eq!(fault("", "u8", json!("7")), "Input should be a valid integer");
}

#[test]
fn integers_as_text_are_read_exactly() {
    let ty = Type::Integer(Integer::U64, Written::Text);
    let read = |json: Json| decode(&ty, &json, "X").map_err(|error| error.to_string());
    assert_eq!(read(json!("18446744073709551615")), Ok(Value::U64(u64::MAX)));
    let error = |message: &str| Err(format!("1 validation error for X\n  {message}"));
    let above = "Input should be less than or equal to 18446744073709551615";
    assert_eq!(read(json!("18446744073709551616")), error(above));
    assert_eq!(read(json!("01")), error("String should match pattern '^(0|[1-9][0-9]*)$'"));
    assert_eq!(read(json!(1)), error("Input should be a valid string"));
}

#[test]
fn floats_bytes_and_characters_are_read() {
    assert_eq!(read("", "f32", json!(0.1)), Value::F32(0.1));
    assert_eq!(read("", "f64", json!(1)), Value::F64(1.0));
    assert_eq!(fault("", "f32", json!(1e300)), "Input should be a finite number");
    assert_eq!(read("", "list<u8>", json!("AP8=")), Value::Bytes(vec![0, 255]));
    for bad in ["AP8", "AP9=", "-_==", "A"] {
        assert_eq!(fault("", "list<u8>", json!(bad)), "String should be valid base64", "{bad}");
    }
    assert_eq!(read("", "char", json!("ü")), Value::Char('ü'));
    assert_eq!(fault("", "char", json!("ab")), "String should have at most 1 character");
    assert_eq!(fault("", "char", json!("")), "String should have at least 1 character");
}

#[test]
fn every_fault_is_told_with_its_place_in_the_order_of_declaration() {
    let items =
        "record street { name: string, number: u8 } record p { home: street, tags: list<string> }";
    assert_eq!(
        faults(items, "p", json!({"tags": ["a", 1, null], "home": {"number": -1}, "x": 1})),
        [
            ("home.name", "Field required"),
            ("home.number", "Input should be greater than or equal to 0"),
            ("tags.1", "Input should be a valid string"),
            ("tags.2", "Input should be a valid string"),
            ("x", "Extra inputs are not permitted"),
        ]
        .map(|(path, message)| (path.to_owned(), message.to_owned()))
    );
    let home = json!({"home": "x", "tags": "y"});
    let found = faults(items, "p", home);
    assert_eq!(found[0].1, "Input should be a valid dictionary or instance of Street");
    assert_eq!(found[1].1, "Input should be a valid list");
}

#[test]
fn faults_are_bounded_in_number() {
    let many = Json::Array(vec![json!(1); 100_000]);
    let ty = ty("", "list<list<string>>");
    let mismatch = decode(&ty, &many, "X").unwrap_err();
    assert_eq!(mismatch.errors().count(), 256);
    assert!(mismatch.to_string().starts_with("at least 256 validation errors for X\n"));
}

#[test]
fn a_variant_that_is_none_is_told_the_legal_cases() {
    let items = "variant verb { get, set(string), drop(u8) } enum color { red, green }";
    assert_eq!(read(items, "verb", json!("get")), Value::Variant("get".to_owned(), None));
    let set = Value::Variant("set".to_owned(), Some(Box::new(text("x"))));
    assert_eq!(read(items, "verb", json!({"set": "x"})), set);
    let legal = "Input should be 'get', or an object with one key, 'set' or 'drop'";
    for json in [
        json!("set"),
        json!("put"),
        json!({"get": null}),
        json!({}),
        json!(1),
        json!({"set": "x", "drop": 1}),
    ] {
        assert_eq!(fault(items, "verb", json), legal);
    }
    assert_eq!(fault(items, "verb", json!({"drop": "x"})), "drop: Input should be a valid integer");
    assert_eq!(fault(items, "color", json!("blue")), "Input should be 'red' or 'green'");
    assert_eq!(
        fault("", "tuple<result<u8>>", json!(["ok"])),
        "0: Input should be 'err', or an object with one key, 'ok'"
    );
    assert_eq!(
        fault("variant v { a(u8) }", "v", json!("a")),
        "Input should be an object with one key, 'a'"
    );
}

#[test]
fn flags_are_a_set_of_names() {
    let items = "flags perm { r, w, x }";
    let set = Value::Flags(vec!["r".to_owned(), "x".to_owned()]);
    assert_eq!(read(items, "perm", json!(["x", "r"])), set);
    assert_eq!(fault(items, "perm", json!(["x", "x"])), "List should have no item twice");
    assert_eq!(fault(items, "perm", json!(["q"])), "0: Input should be 'r', 'w' or 'x'");
}

#[test]
fn tuples_and_fixed_lists_have_their_length() {
    let pair = "tuple<u8, string>";
    assert_eq!(read("", pair, json!([1, "a"])), Value::Tuple(vec![Value::U8(1), text("a")]));
    assert_eq!(fault("", pair, json!([1])), "1: Field required");
    let long = "Tuple should have at most 2 items after validation, not 3";
    assert_eq!(fault("", pair, json!([1, "a", 2])), long);
    let short = "List should have at least 2 items after validation, not 1";
    assert_eq!(fault("", "list<bool, 2>", json!([true])), short);
    let two = Value::FixedList(vec![Value::Bool(true), Value::Bool(false)]);
    assert_eq!(read("", "list<bool, 2>", json!([true, false])), two);
}

#[test]
fn keys_are_read_by_their_type() {
    let entry = |key: Value| Value::Map(vec![(key, Value::Bool(true))]);
    let read = |key: &str, json: Json| decode(&map("", key, "bool"), &json, "X").unwrap();
    let fault = |key: &str, json: Json| fault_of(&map("", key, "bool"), json);
    assert_eq!(read("s8", json!({"-1": true})), entry(Value::S8(-1)));
    assert_eq!(read("f64", json!({"1": true})), entry(Value::F64(1.0)));
    assert_eq!(read("bool", json!({"true": true})), entry(Value::Bool(true)));
    let pair = Value::Tuple(vec![Value::U8(1), Value::U8(2)]);
    assert_eq!(read("tuple<u8, u8>", json!([[[1, 2], true]])), entry(pair));
    let range = "01.[key]: Key should be a valid integer from -128 to 127";
    assert_eq!(fault("s8", json!({"01": true})), range);
    let twice = "Dictionary should have no key twice";
    assert_eq!(fault("f64", json!({"1": true, "1.0": true})), twice);
    assert_eq!(fault("tuple<u8, u8>", json!([[[1, 2], true], [[1, 2], false]])), twice);
}

#[test]
fn options_within_options_are_told_apart() {
    let wit = "option<option<string>>";
    let some = |value| Value::Option(Some(Box::new(value)));
    assert_eq!(read("", wit, json!(null)), Value::Option(None));
    assert_eq!(read("", wit, json!({"some": null})), some(Value::Option(None)));
    assert_eq!(read("", wit, json!({"some": "x"})), some(some(text("x"))));
    let message = "Input should be null, or an object with one key, 'some'";
    assert_eq!(fault("", wit, json!("x")), message);
}

#[test]
fn what_is_left_out_is_its_default_or_none() {
    let mut function = function("f: func(city: string, units: option<string>, days-ahead: u8);");
    function.parameters[2].notes.default = Some(json!(3));
    let arguments = |json: Json| {
        decode_arguments(&function, json.as_object().unwrap(), "fArguments")
            .map_err(|error| error.to_string())
    };
    let expected = vec![text("Oslo"), Value::Option(None), Value::U8(3)];
    assert_eq!(arguments(json!({"city": "Oslo"})), Ok(expected));
    let given = json!({"city": "Oslo", "units": "K", "days_ahead": 5});
    let units = Value::Option(Some(Box::new(text("K"))));
    assert_eq!(arguments(given), Ok(vec![text("Oslo"), units, Value::U8(5)]));
    let message = "1 validation error for fArguments\ncity\n  Field required";
    assert_eq!(arguments(json!({})), Err(message.to_owned()));
}

#[test]
fn a_list_of_pairs_can_be_a_map() {
    let (key, value) = (Type::String, Type::Integer(Integer::U8, Written::Number));
    let pairs = Type::Pairs(std::sync::Arc::new(Entry { key, value }));
    let json = json!({"a": 1, "b": 2});
    let pair = |key: &str, n| Value::Tuple(vec![text(key), Value::U8(n)]);
    let expected = Value::List(vec![pair("a", 1), pair("b", 2)]);
    assert_eq!(decode(&pairs, &json, "X").unwrap(), expected);
    assert_eq!(encode(&pairs, &expected).unwrap(), r#"{"a":1,"b":2}"#);
    let twice = Value::List(vec![pair("a", 1), pair("a", 2)]);
    assert_eq!(encode(&pairs, &twice).unwrap_err().to_string(), "`a` is a key that is there twice");
}
