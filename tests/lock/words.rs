//! Every word of a definition is locked.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{Place, listed, status};
use crate::generated::{Described, declared, provider};
use crate::harness::{named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "lock",
        named![
            every_leaf_of_a_definition_is_locked,
            the_order_of_keys_raises_no_alarm,
            the_same_bytes_again_raise_no_alarm,
        ],
    )
}

/// A tool with something of everything.
struct Words {
    title: Value,
    description: Value,
    input: Value,
    output: Value,
    read_only: Value,
    own_content: Value,
}

impl Words {
    fn new() -> Self {
        Self {
            title: json!("A title"),
            description: json!("Does something."),
            input: json!({
                "type": "object",
                "properties": {
                    "city": { "type": "string", "description": "Which city.", "maxLength": 80 },
                    "days": { "type": "integer", "minimum": 1, "maximum": 14, "default": 3 },
                    "unit": { "enum": ["celsius", "kelvin", null] },
                },
                "required": ["city"],
                "additionalProperties": false,
            }),
            output: json!({
                "type": "object",
                "properties": {
                    "temperature": { "type": ["number", "null"], "description": "In the unit." },
                    "rows": { "type": "array", "items": { "$ref": "#/$defs/Row" }, "maxItems": 9 },
                },
                "required": ["temperature"],
                "$defs": { "Row": { "type": "object", "properties": { "n": { "const": 1.5 } } } },
            }),
            read_only: json!(true),
            own_content: json!(false),
        }
    }

    fn parts(&mut self) -> [(&'static str, &mut Value); 6] {
        [
            ("title", &mut self.title),
            ("description", &mut self.description),
            ("inputSchema", &mut self.input),
            ("outputSchema", &mut self.output),
            ("readOnlyHint", &mut self.read_only),
            ("ownContent", &mut self.own_content),
        ]
    }

    fn component(&self) -> Vec<u8> {
        self.component_with(&self.input.to_string(), &self.output.to_string())
    }

    fn component_with(&self, input: &str, output: &str) -> Vec<u8> {
        let tool = Described {
            title: self.title.as_str(),
            description: self.description.as_str().expect("a text"),
            input,
            read_only: self.read_only == true,
            own_content: self.own_content == true,
            ..Described::new("get", output)
        };
        provider(&[tool], &declared("{}"))
    }
}

/// The pointers (RFC 6901) to all that is neither an object nor an array.
fn leaves(value: &Value, pointer: &str, found: &mut Vec<String>) {
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                leaves(value, &format!("{pointer}/{}", escaped(key)), found);
            }
        }
        Value::Array(array) => {
            for (index, value) in array.iter().enumerate() {
                leaves(value, &format!("{pointer}/{index}"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            found.push(pointer.to_owned());
        }
    }
}

/// Another value in the place of a leaf, which still makes a schema where it was one.
fn mutated(leaf: &Value) -> Value {
    match leaf {
        Value::Bool(value) => json!(!value),
        Value::Number(number) if number.is_i64() => json!(number.as_i64().expect("one") + 1),
        Value::Number(_) => json!(2.5),
        Value::String(text) => match text.as_str() {
            "integer" => json!("number"),
            "number" => json!("integer"),
            "string" | "null" => json!("boolean"),
            "array" | "object" => json!("string"),
            "#/$defs/Row" => json!("#/$defs"),
            "city" => json!("days"),
            "temperature" => json!("rows"),
            text => json!(format!("{text} ")),
        },
        Value::Null => json!(0),
        Value::Object(_) | Value::Array(_) => panic!("no leaf: {leaf}"),
    }
}

/// Each leaf of the definition, changed alone: the mutants that load, with the place of the change.
fn mutants() -> Vec<(String, Words)> {
    let mut places = Vec::new();
    for (part, value) in Words::new().parts() {
        let mut found = Vec::new();
        leaves(value, "", &mut found);
        places.extend(found.into_iter().map(|pointer| (part, pointer)));
    }
    let mutant = |(part, pointer): (&'static str, String)| {
        let mut words = Words::new();
        let mut parts = words.parts();
        let (_, value) = parts.iter_mut().find(|(name, _)| *name == part).expect("it has it");
        let leaf = value.pointer_mut(&pointer).expect("it is there");
        *leaf = mutated(leaf);
        (format!("{part}{pointer}"), words)
    };
    places.into_iter().map(mutant).collect()
}

fn every_leaf_of_a_definition_is_locked() {
    let mutants = mutants();
    // 2 texts, 13 leaves of the input, 10 of the output, and 2 marks.
    assert_eq!(mutants.len(), 27);
    let id = |index: usize| format!("t{index}");
    let config: String = (0..mutants.len())
        .map(|index| {
            let id = id(index);
            format!("[components.{id}]\npath = \"{id}.wasm\"\nprefix = \"{id}\"\n")
        })
        .collect();
    let original = Words::new().component();
    let place = Place::configured(&config, &original);
    for index in 0..mutants.len() {
        place.write(&format!("{}.wasm", id(index)), &original);
    }
    place.approve();
    for (index, (_, words)) in mutants.iter().enumerate() {
        place.write(&format!("{}.wasm", id(index)), &words.component());
    }
    let mut server = place.serve(&[]);
    let names: Vec<String> = (0..mutants.len()).map(|index| format!("{}_get", id(index))).collect();
    assert_eq!(listed(&mut server), names);
    let report = status(&server);
    let components = report["components"].as_array().expect("a list");
    assert_eq!(components.len(), mutants.len());
    for ((place, _), component) in mutants.iter().zip(components) {
        // The approved version is served, and the mutant waits, for more than its bytes: or it does
        // not load at all.
        assert_eq!(component["serves"]["generation"], 1, "{place}");
        let waiting = component["waiting"].as_array().expect("a list");
        let in_tool = |difference: &&Value| difference["path"][0] == "tools";
        assert!(waiting.iter().any(|difference| in_tool(&difference)), "{place}: {component}");
    }
    drop(server);
    // In mode `compatible` a word that a model reads waits as well.
    let texts = ["title", "description", "inputSchema/properties/city/description"];
    let mut server = place.serve(&["--lock-mode", "compatible"]);
    assert_eq!(listed(&mut server), names);
    let report = status(&server);
    for (index, (place, _)) in mutants.iter().enumerate() {
        if texts.contains(&place.as_str()) {
            let waiting = &report["components"][index]["waiting"];
            assert_ne!(*waiting, json!([]), "{place}");
        }
    }
}

fn the_order_of_keys_raises_no_alarm() {
    let words = Words::new();
    let place = Place::approved(&words.component());
    let reversed = |value: &Value| reversed(value).to_string();
    let (input, output) = (reversed(&words.input), reversed(&words.output));
    assert_ne!(input, words.input.to_string());
    place.replace(&words.component_with(&input, &output));
    // Other bytes, and the same words: new code that has to be approved, or passes.
    assert_eq!(place.differs_in(), ["digest"]);
    let mut server = place.serve(&["--lock-mode", "compatible"]);
    assert_eq!(listed(&mut server), ["get"]);
    assert_eq!(status(&server)["components"][0]["waiting"], json!([]));
}

/// The same value with the keys of each object the other way round.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(
            object.iter().rev().map(|(key, value)| (key.clone(), reversed(value))).collect(),
        ),
        Value::Array(array) => array.iter().map(reversed).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

fn the_same_bytes_again_raise_no_alarm() {
    let words = Words::new();
    let place = Place::approved(&words.component());
    let mut server = place.serve(&[]);
    assert_eq!(listed(&mut server), ["get"]);
    place.replace(&Words::new().component());
    server.hang_up();
    server.wait_for_log("reloading");
    let component = &status(&server)["components"][0];
    assert_eq!(
        (&component["waiting"], &component["serves"]["generation"]),
        (&json!([]), &json!(1))
    );
    assert!(!server.log().contains("waits to be approved"), "{}", server.log());
}
