//! JSON of results.

use super::super::testing::{function, map, ty};
use super::super::*;

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}

fn some(value: Value) -> Value {
    Value::Option(Some(Box::new(value)))
}

const NONE: Value = Value::Option(None);

/// The JSON of a value of a type that needs these items.
fn written(items: &str, wit: &str, value: Value) -> String {
    encode(&ty(items, wit), &value).unwrap()
}

#[test]
fn integers_are_exact() {
    assert_eq!(written("", "u64", Value::U64(u64::MAX)), "18446744073709551615");
    assert_eq!(written("", "s64", Value::S64(i64::MIN)), "-9223372036854775808");
    assert_eq!(written("", "u64", Value::U64(1_915_883_588_174_806_058)), "1915883588174806058");
    let as_text = Type::Integer(Integer::U64, Written::Text);
    assert_eq!(encode(&as_text, &Value::U64(u64::MAX)).unwrap(), "\"18446744073709551615\"");
}

#[test]
fn floats_are_shortest_and_keep_their_spelling() {
    for (value, expected) in [
        (3.0, "3.0"),
        (-0.0, "-0.0"),
        (16.2, "16.2"),
        (1e16, "1e+16"),
        (1e-7, "1e-7"),
        (f64::MAX, "1.7976931348623157e+308"),
        (5e-324, "5e-324"),
    ] {
        assert_eq!(written("", "f64", Value::F64(value)), expected);
    }
    assert_eq!(written("", "f32", Value::F32(0.1)), "0.1");
    assert_eq!(written("", "f32", Value::F32(1.0)), "1.0");
    assert_eq!(written("", "f32", Value::F32(f32::MAX)), "3.4028235e+38");
}

#[test]
fn what_json_cannot_say_is_named_with_its_place() {
    let fault = |items: &str, wit: &str, value| encode(&ty(items, wit), &value).unwrap_err();
    let nan = || Value::F64(f64::NAN);
    assert_eq!(fault("", "f64", nan()).to_string(), "the value is NaN, which JSON cannot say");
    let record = "record data { readings: list<option<f64>> }";
    let values = Value::List(vec![NONE, some(Value::F64(f64::NEG_INFINITY))]);
    let data = Value::Record(vec![("readings".to_owned(), values)]);
    let error = fault(record, "data", data);
    assert_eq!(error.path(), "readings.1");
    assert_eq!(error.to_string(), "`readings.1` is infinite, which JSON cannot say");
    assert_eq!(error.under("result").path(), "result.readings.1");
    let entries = vec![(text("a b"), nan())];
    assert_eq!(fault("", "map<string, f64>", Value::Map(entries)).path(), "a b");
    let infinite = Value::Variant("deep".to_owned(), Some(Box::new(Value::F32(f32::INFINITY))));
    assert_eq!(fault("variant v { deep(f32) }", "v", infinite).path(), "deep");
}

#[test]
fn a_place_is_bounded_and_clean() {
    let key = format!("\u{202e}\n{}", "k".repeat(10_000));
    let entries = Value::Map(vec![(text(&key), Value::F64(f64::NAN))]);
    let error = encode(&ty("", "map<string, f64>"), &entries).unwrap_err();
    assert!(error.path().len() <= 64, "{error}");
    assert!(crate::present::clean::is_clean(error.path()));
}

#[test]
fn a_key_that_is_there_twice_is_refused() {
    let entry = |key: Value| (key, Value::Bool(true));
    let twice = Value::Map(vec![entry(text("a")), entry(text("b")), entry(text("a"))]);
    let error = encode(&ty("", "map<string, bool>"), &twice).unwrap_err();
    assert_eq!(error.to_string(), "`a` is a key that is there twice");
    let pair = |n| Value::Tuple(vec![Value::U8(n), Value::U8(n)]);
    let twice = Value::Map(vec![entry(pair(1)), entry(pair(2)), entry(pair(1))]);
    let error = encode(&map("", "tuple<u8, u8>", "bool"), &twice).unwrap_err();
    assert_eq!(error.to_string(), "`2` has a key that is there twice");
    let nan = Value::Map(vec![entry(Value::F64(f64::NAN))]);
    let error = encode(&map("", "f64", "bool"), &nan).unwrap_err();
    assert_eq!(error.to_string(), "`0.[key]` is not a finite number");
}

#[test]
fn keys_are_written_as_a_reader_expects() {
    let written = |key: &str, items: &str, value: Value| {
        let entries = Value::Map(vec![(value, Value::Bool(true))]);
        encode(&map(items, key, "bool"), &entries).unwrap()
    };
    assert_eq!(written("bool", "", Value::Bool(true)), r#"{"true":true}"#);
    assert_eq!(written("s64", "", Value::S64(-1)), r#"{"-1":true}"#);
    assert_eq!(written("f64", "", Value::F64(1.0)), r#"{"1.0":true}"#);
    assert_eq!(written("char", "", Value::Char('ü')), r#"{"ü":true}"#);
    assert_eq!(
        written("c", "enum c { dark-red }", Value::Enum("dark-red".to_owned())),
        r#"{"dark-red":true}"#
    );
    let pair = Value::Tuple(vec![Value::U8(1), Value::U8(2)]);
    assert_eq!(written("tuple<u8, u8>", "", pair), "[[[1,2],true]]");
}

#[test]
fn options_within_options_differ() {
    let nested = |value| written("", "option<option<string>>", value);
    assert_eq!(nested(NONE), "null");
    assert_eq!(nested(some(NONE)), r#"{"some":null}"#);
    assert_eq!(nested(some(some(text("x")))), r#"{"some":"x"}"#);
    let thrice = written("", "option<option<option<bool>>>", some(some(NONE)));
    assert_eq!(thrice, r#"{"some":{"some":null}}"#);
}

#[test]
fn cases_keep_their_names() {
    let items = "variant v { not-found, in-part(u8) } flags f { r, w-x }";
    let case = |name: &str, payload| Value::Variant(name.to_owned(), payload);
    assert_eq!(written(items, "v", case("not-found", None)), r#""not-found""#);
    let part = Some(Box::new(Value::U8(3)));
    assert_eq!(written(items, "v", case("in-part", part)), r#"{"in-part":3}"#);
    let both = Value::Flags(vec!["w-x".to_owned(), "r".to_owned()]);
    assert_eq!(written(items, "f", both), r#"["r","w-x"]"#);
    let ok =
        Value::List(vec![Value::Result(Ok(None)), Value::Result(Err(Some(Box::new(text("e")))))]);
    assert_eq!(written("", "list<result<_, string>>", ok), r#"["ok",{"err":"e"}]"#);
}

#[test]
fn bytes_and_texts_are_written_as_the_table_says() {
    assert_eq!(written("", "list<u8>", Value::Bytes(vec![0, 255])), r#""AP8=""#);
    let listed = Value::List(vec![Value::U8(0), Value::U8(255)]);
    assert_eq!(written("", "list<u8>", listed), r#""AP8=""#);
    assert_eq!(
        written("", "string", text("a\"\\\n\u{0}ü\u{202e}")),
        "\"a\\\"\\\\\\n\\u0000ü\u{202e}\""
    );
}

#[test]
fn fields_are_in_the_order_of_declaration() {
    let items = "record r { zip-code: string, age: u8 }";
    let value = |names: [&str; 2]| {
        let [zip, age] = names.map(str::to_owned);
        Value::Record(vec![(zip, text("1")), (age, Value::U8(2))])
    };
    assert_eq!(written(items, "r", value(["zip-code", "age"])), r#"{"zip_code":"1","age":2}"#);
    let error = encode(&ty(items, "r"), &value(["age", "zip-code"])).unwrap_err();
    assert_eq!(error.to_string(), "the value is not of its type");
}

#[test]
fn a_value_of_another_type_is_an_error() {
    let items = "record r { a: u8 } variant v { a, b(u8) } enum e { a } flags f { a }";
    let values = [
        Value::Bool(true),
        Value::U16(1),
        text("a"),
        Value::List(vec![Value::Bool(true)]),
        Value::Record(vec![]),
        Value::Variant("b".to_owned(), None),
        Value::Variant("c".to_owned(), None),
        Value::Enum("b".to_owned()),
        Value::Flags(vec!["a".to_owned(), "a".to_owned()]),
        Value::Tuple(vec![]),
        Value::Result(Ok(None)),
        some(Value::U16(1)),
    ];
    for wit in [
        "u8",
        "char",
        "f32",
        "list<u8>",
        "list<string>",
        "list<u8, 1>",
        "map<u8, u8>",
        "tuple<u8>",
        "option<u8>",
        "result<u8>",
        "r",
        "v",
        "e",
        "f",
    ] {
        for value in &values {
            assert!(encode(&ty(items, wit), value).is_err(), "{wit} {value:?}");
        }
    }
}

fn returned(wit: &str, result: Option<Value>) -> Returned {
    let items = "record why { code: u8 } enum kind { not-found }";
    let function = function(&format!("{items} f: func() {wit};"));
    encode_returned(&function, result.as_ref(), usize::MAX).unwrap()
}

#[test]
fn what_a_function_gives_is_its_value_or_its_error() {
    let json = |json: &str| Returned::Value(json.to_owned());
    assert_eq!(returned("", None), json("null"));
    assert_eq!(returned("-> string", Some(text("a"))), json("\"a\""));
    let ok = |value: Option<Value>| Some(Value::Result(Ok(value.map(Box::new))));
    assert_eq!(returned("-> result<u8, string>", ok(Some(Value::U8(1)))), json("1"));
    assert_eq!(returned("-> result<_, string>", ok(None)), json("null"));
}

#[test]
fn what_is_too_large_is_given_up() {
    let within = |wit: &str, value: Value, bytes_max| {
        encode_returned(&function(&format!("f: func() {wit};")), Some(&value), bytes_max)
    };
    let texts = || Value::List(vec![text("\u{1}"); 3]);
    let json = r#"["\u0001","\u0001","\u0001"]"#;
    let whole = Ok(Returned::Value(json.to_owned()));
    assert_eq!(within("-> list<string>", texts(), json.len()), whole);
    for bytes_max in 0..json.len() {
        assert_eq!(within("-> list<string>", texts(), bytes_max), Ok(Returned::TooLarge));
    }
    let err = Value::Result(Err(Some(Box::new(text("abc")))));
    assert_eq!(within("-> result<_, string>", err, 4), Ok(Returned::TooLarge));
    // Keys that are cut are not taken for one.
    let entry = |key: &str| (text(key), Value::U8(1));
    let map = Value::Map(vec![entry("abc"), entry("abd"), entry("abe")]);
    assert_eq!(within("-> map<string, u8>", map, 8), Ok(Returned::TooLarge));
}

#[test]
fn an_error_is_its_own_text_and_any_other_is_json() {
    let err = |wit: &str, value: Option<Value>| match returned(
        wit,
        Some(Value::Result(Err(value.map(Box::new)))),
    ) {
        Returned::Error(text) => text,
        other => panic!("no error: {other:?}"),
    };
    assert_eq!(err("-> result<u8, string>", Some(text("say \"no\""))), "say \"no\"");
    assert_eq!(err("-> result<u8, kind>", Some(Value::Enum("not-found".to_owned()))), "not-found");
    let why = Value::Record(vec![("code".to_owned(), Value::U8(7))]);
    assert_eq!(err("-> result<u8, why>", Some(why)), r#"{"code":7}"#);
    assert_eq!(err("-> result<u8>", None), "");
}
