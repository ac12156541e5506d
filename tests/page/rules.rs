//! Which rules allow a deviation, and which recorded tools are refused by the compiler instead.

use serde_json::Value;

/// Lines of the design's section on structured output, which come before a recorded rule: a key,
/// and the line.
const DESIGN: &[(&str, &str)] = &[
    (
        "C2",
        "a full result's structured content exists only under a declared schema and is always \
         checked, with is-error too; its own content only where the descriptor says so",
    ),
    ("E1", "the text of an error of a tool begins `Error executing tool NAME: `"),
    (
        "I1-I5",
        "accepted for arguments: numeric strings for numbers, integral numbers for integers, \
         \"true\"/\"false\" for booleans, a JSON string for an object or array parameter that has \
         no string arm; nothing else is coerced; an unknown argument is a tool error that names \
         it and the nearest known one",
    ),
    ("V2", "paths may hold a guest's map keys: bounded and escaped"),
    ("W5", "scalar keys are stringified, compound keys become pairs"),
    (
        "s64",
        "s64, u64: integer with minimum and maximum by default; `string` mode per tool for \
         clients that round; exact",
    ),
];

/// The recorded tools whose counterpart in Rust does not compile, and whether that deviates: by
/// rule F3 the recorded one is silently unstructured, by rule F2 it is refused.
pub(super) const REFUSED_AT_COMPILE_TIME: &[(&str, bool)] =
    &[("get_station", true), ("get_station_forced", false)];

pub(super) fn is_refused_at_compile_time(tool: &str) -> bool {
    REFUSED_AT_COMPILE_TIME.iter().any(|(refused, _)| *refused == tool)
}

/// Whether `rule` may stand in the table: a recorded rule on which this project improves, or a
/// line of the design.
pub(super) fn allow(rule: &str) -> Result<(), String> {
    if let Some(key) = rule.strip_prefix("design 7: ") {
        let known = DESIGN.iter().any(|(known, _)| *known == key);
        return if known { Ok(()) } else { Err(format!("the design has no line {key}")) };
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
