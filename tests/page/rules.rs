//! Which rules allow a deviation, and which recorded tools are refused by the compiler instead.

use serde_json::Value;

/// Lines of the design, which come before a recorded rule: the section, a key, and the line.
const DESIGN: &[(&str, &str)] = &[
    (
        "7: C2",
        "a full result's structured content exists only under a declared schema and is always \
         checked, with is-error too; its own content only where the descriptor says so",
    ),
    ("7: E1", "the text of an error of a tool begins `Error executing tool NAME: `"),
    (
        "7: I1-I5",
        "accepted for arguments: numeric strings for numbers, integral numbers for integers, \
         \"true\"/\"false\" for booleans, a JSON string for an object or array parameter that has \
         no string arm; nothing else is coerced; an unknown argument is a tool error that names \
         it and the nearest known one",
    ),
    ("7: constraints", "descriptions and constraints are published"),
    ("7: V2", "paths may hold a guest's map keys: bounded and escaped"),
    ("7: W5", "scalar keys are stringified, compound keys become pairs"),
    ("7: formats", "formats and `contentEncoding` that a schema names are asserted, not ignored"),
    (
        "7: integers",
        "integers beyond the ranges of s64 and u64 in JSON text, duplicate keys, and lone \
         surrogates are refused: two readers would not agree on them",
    ),
    (
        "7: s64",
        "s64, u64: integer with minimum and maximum by default; `string` mode per tool for \
         clients that round; exact",
    ),
    ("7: bool, string", "boolean, string"),
    (
        "7: tuple",
        "`prefixItems` with minItems and maxItems and `items: {anyOf: …}` (never `items: false`: \
         draft-07 clients reject valid data; some demand `items`)",
    ),
    ("7: map", "map<string or scalar, T>: object with additionalProperties"),
    (
        "7: record",
        "object; field names kebab → snake; an option field is `anyOf [T, null]`, and may be left \
         out of arguments",
    ),
    ("7: option", "`anyOf [T, null]`"),
    (
        "7: variant",
        "externally tagged `oneOf`: `{\"case\": payload}`; a case without payload is the bare string",
    ),
    ("7: enum, flags", "string enum; unique array of names"),
    (
        "2: meta",
        "a component's id is its key in the config, or else its file's stem; grants, lock, caches \
         and meta prefix go by it",
    ),
    ("threats 9: media", "bad images, blobs: MIME, base64, size checked"),
    (
        "6: hidden",
        "shown escaped in texts: C0 but \\n and \\t, C1, bidi controls, tag characters, zero-width \
         characters but ZWJ and ZWNJ; structured content stays exact",
    ),
];

/// What languages themselves do, which no SDK undoes.
const OF_LANGUAGES: &[(&str, &str)] = &[
    (
        "python: docstrings",
        "since 3.13 the compiler takes the common indentation out of docstrings (What's New In Python \
         3.13, Other Language Changes)",
    ),
    (
        "python: repr",
        "the repr of a datetime names the class of its time zone, which for JSON is that of the \
         library that reads it",
    ),
];

/// The recorded tools whose counterpart in Rust does not compile, and whether that deviates: by
/// rule F3 the recorded one is silently unstructured, by rule F2 it is refused.
pub(super) const REFUSED_AT_COMPILE_TIME: &[(&str, bool)] =
    &[("get_station", true), ("get_station_forced", false)];

pub(super) fn is_refused_at_compile_time(tool: &str) -> bool {
    REFUSED_AT_COMPILE_TIME.iter().any(|(refused, _)| *refused == tool)
}

/// Whether `rule` may stand in the table: a recorded rule on which this project improves, a line of
/// the design, or what a language does.
pub(crate) fn allow(rule: &str) -> Result<(), String> {
    if let Some(key) = rule.strip_prefix("design ") {
        let known = DESIGN.iter().any(|(known, _)| *known == key);
        return if known { Ok(()) } else { Err(format!("the design has no line {key}")) };
    }
    if OF_LANGUAGES.iter().any(|(known, _)| *known == rule) {
        return Ok(());
    }
    let file: Value = serde_json::from_str(include_str!("../golden/rules.json"))
        .unwrap_or_else(|error| panic!("tests/golden/rules.json: {error}"));
    let rules = file["rules"].as_array().unwrap_or_else(|| panic!("there are no rules"));
    match rules.iter().find(|known| known["id"] == rule) {
        Some(known) if known["verdict"] == "improve" => Ok(()),
        Some(known) => Err(format!("rule {rule} is to {}", known["verdict"])),
        None => Err(format!("there is no rule {rule}")),
    }
}
