//! Results that are bytes alone, whatever the parameters: some are called with static types and
//! some dynamically, and nobody can tell.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value as Json, json};

use crate::generated::{Gives, Package, Served, wave};

/// Types of parameters, and an argument of each.
fn parameters() -> [(&'static str, Json); 11] {
    [
        ("bool", json!(true)),
        ("s32", json!(-7)),
        ("s64", json!(i64::MIN)),
        ("u32", json!(7)),
        ("u64", json!(u64::MAX)),
        ("f64", json!(0.5)),
        ("string", json!("a b")),
        ("list<u8>", json!(BASE64_STANDARD.encode([0, 1, 255]))),
        ("u8", json!(255)),
        ("option<string>", json!(null)),
        ("list<string>", json!(["x"])),
    ]
}

pub(super) fn bytes_come_out_whatever_goes_in() {
    let parameters = parameters();
    let mut functions = vec![("f".to_owned(), String::new(), Map::new())];
    for (i, (first, argument)) in parameters.iter().enumerate() {
        let arguments = Map::from_iter([("a".to_owned(), argument.clone())]);
        functions.push((format!("f{i}"), format!("a: {first}"), arguments.clone()));
        for (j, (second, other)) in parameters.iter().enumerate() {
            let mut both = arguments.clone();
            both.insert("b".to_owned(), other.clone());
            functions.push((format!("f{i}-n{j}"), format!("a: {first}, b: {second}"), both));
        }
    }
    let items: String = functions
        .iter()
        .map(|(name, parameters, _)| format!("{name}: func({parameters}) -> list<u8>;\n"))
        .collect();
    let package = Package::parse(&format!(
        "package law:bytes;\ninterface api {{\n{items}}}\nworld w {{ export api; }}\n"
    ));
    let component = package.component(|function| {
        let ty = package.result(function).expect("every function gives bytes");
        Gives::Value(wave::parse(&ty, "[104, 105, 0, 255]"))
    });
    let served = Served::component(&component);
    assert_eq!(served.definitions.len(), 1 + 11 + 11 * 11);
    // RFC 4648, section 4, by hand: 68 69 00 ff.
    let expected = json!({
        "content": [{ "type": "text", "text": "aGkA/w==" }],
        "structuredContent": { "result": "aGkA/w==" },
        "isError": false,
    });
    for (name, _, arguments) in functions {
        let result = served.call(&name.replace('-', "_"), &Json::Object(arguments));
        assert_eq!(Json::Object(result), expected, "{name}");
    }
}
