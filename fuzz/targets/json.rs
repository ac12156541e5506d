//! Lines of JSON, changed so that most of them stay JSON.

use libfuzzer_sys::fuzzer_mutate;
use serde_json::{Map, Value, json};

/// Changes an input of `size` bytes in place and gives its new size. `words` are keys to add.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32, words: &[&str]) -> usize {
    let mut dice = Dice(u64::from(seed) | 1 << 32);
    let changed = if dice.below(4) == 0 { None } else { lines(&data[..size], &mut dice, words) };
    match changed {
        Some(changed) if changed.len() <= max_size => {
            data[..changed.len()].copy_from_slice(&changed);
            changed.len()
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
}

fn lines(input: &[u8], dice: &mut Dice, words: &[&str]) -> Option<Vec<u8>> {
    let mut lines = std::str::from_utf8(input).ok()?.trim_end().splitn(3, '\n');
    let mut values = Vec::new();
    for line in &mut lines {
        values.push(serde_json::from_str::<Value>(line).ok()?);
    }
    for _ in 0..=dice.below(4) {
        let mut donor = values[dice.below(values.len())].clone();
        let found = pick(&mut donor, dice).take();
        let line = dice.below(values.len());
        change(pick(&mut values[line], dice), found, dice, words);
    }
    let written: Vec<_> = values.iter().map(Value::to_string).collect();
    Some(written.join("\n").into_bytes())
}

/// One of the values that `value` is made of.
fn pick<'v>(value: &'v mut Value, dice: &mut Dice) -> &'v mut Value {
    let parts = match value {
        Value::Array(items) => items.len(),
        Value::Object(entries) => entries.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    };
    if parts == 0 || dice.below(3) == 0 {
        return value;
    }
    let index = dice.below(parts);
    let part = match value {
        Value::Array(items) => items.get_mut(index),
        Value::Object(entries) => entries.values_mut().nth(index),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    };
    match part {
        Some(part) => pick(part, dice),
        None => unreachable!("the index is below the number of parts"),
    }
}

fn change(value: &mut Value, found: Value, dice: &mut Dice, words: &[&str]) {
    match (dice.below(8), &mut *value) {
        (0, _) => *value = found,
        (1, _) => *value = scalar(dice),
        (2, _) => {
            let inner = value.take();
            *value = match dice.below(3) {
                0 => json!([inner]),
                1 => json!({ dice.one(words): inner }),
                _ => Value::String(inner.to_string()),
            };
        }
        (3, Value::Array(items)) if !items.is_empty() => {
            items.remove(dice.below(items.len()));
        }
        (3, Value::Object(entries)) if !entries.is_empty() => {
            let key = entries.keys().nth(dice.below(entries.len())).cloned();
            entries.shift_remove(&key.unwrap_or_default());
        }
        (_, Value::Array(items)) => items.push(found),
        (_, Value::Object(entries)) => {
            let key = dice.one(words);
            let entry = if dice.below(4) == 0 { found } else { meant(key, found, dice) };
            entries.insert(key.to_owned(), entry);
        }
        (_, _) => *value = scalar(dice),
    }
}

/// What goes with `key` in a schema.
fn meant(key: &str, found: Value, dice: &mut Dice) -> Value {
    let kinds = ["object", "array", "string", "integer", "number", "boolean", "null"];
    let references = ["#", "#/$defs/a", "#/$defs/b", "#/properties/a", "#/items", "#a"];
    match key {
        "type" if dice.below(2) == 0 => json!([dice.one(&kinds), dice.one(&kinds)]),
        "type" => json!(dice.one(&kinds)),
        "$ref" | "$dynamicRef" => json!(dice.one(&references)),
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => json!([found, {"type": dice.one(&kinds)}]),
        "enum" | "examples" => json!([found, scalar(dice)]),
        "required" => json!(["a"]),
        "properties" | "$defs" | "patternProperties" | "dependentSchemas" => {
            Value::Object(Map::from_iter([(dice.one(&["a", "b"]).to_owned(), found)]))
        }
        "items"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "additionalProperties"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties" => found,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            json!(dice.one(&[0.5, 1.0, 2.0, 1e16]))
        }
        "minItems" | "maxItems" | "minLength" | "maxLength" | "minProperties" | "maxProperties"
        | "minContains" | "maxContains" => json!(dice.below(3)),
        "format" => json!(dice.one(&["date", "date-time", "uuid", "uri", "regex", "int32"])),
        "pattern" => json!(dice.one(&["^a", "[0-9]+$", "(a|b)*", "\\d", "\\p{L}{2}"])),
        _other => scalar(dice),
    }
}

fn scalar(dice: &mut Dice) -> Value {
    let texts = [
        "",
        "a",
        "b",
        "1",
        "-0",
        "1.0",
        "1e3",
        "1e400",
        "0x1",
        " 1",
        "true",
        "null",
        "[]",
        "{}",
        "{\"a\":1,\"a\":2}",
        "9007199254740993",
        "18446744073709551616",
        "YQ==",
        "2020-02-30",
        "date-time",
        "uuid",
        "regex",
        "base64",
        "^a",
        "[",
        "(a*)*",
        "~1",
        "%61",
        "\u{e9}",
    ];
    let floats = [0.0, -0.0, 0.1, 1.0, -1.5, 1e15, 9007199254740992.0, 1e19, 1e300, 5e-324];
    let integers = [0, 1, -1, 2, 255, 256, 9007199254740993, i64::MAX, i64::MIN];
    match dice.below(8) {
        0 => Value::Null,
        1 => Value::Bool(dice.below(2) == 0),
        2 => json!({}),
        3 => json!(u64::MAX),
        4 => json!(dice.one(&floats)),
        5 => json!(dice.one(&integers)),
        _ => json!(dice.one(&texts)),
    }
}

/// Keywords of schemas, and two names.
pub const SCHEMA: &[&str] = &[
    "a",
    "b",
    "$anchor",
    "$defs",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$ref",
    "$schema",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "default",
    "definitions",
    "dependentRequired",
    "dependentSchemas",
    "description",
    "else",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "result",
    "then",
    "title",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
];

/// Numbers from a seed (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 32).map_or(0, |number| number % count)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}
