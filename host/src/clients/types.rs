//! Types: what a value may be, and clients that need it said in one way.

use serde_json::{Map, Value};

use super::Client::{ClaudeCode, Codex, CopilotCli, Cursor, Gemini, OpenAi, VsCode};
use super::places::{Part, Place, types};
use super::rule::{Effect, Evidence, Rule, Source, degrades, rejects};
use crate::schema::is_annotation;

/// The greatest integer up to which all are exact in double precision: 2^53 - 1.
const EXACT_MAX: f64 = 9_007_199_254_740_991.0;

/// How Codex rewrites the schemas of arguments.
const CODEX_REWRITES: Source = Source::Page {
    title: "json_schema.rs (Codex)",
    address: "https://github.com/openai/codex/blob/1048c68e183b97cfec9f78d5c2b951b026350c07/codex-rs/tools/src/json_schema.rs",
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "array-items",
        says: "an array without `items` is refused; say what its items are, `items: {}` for any",
        evidence: &[
            rejects(VsCode, "microsoft/vscode#246119"),
            rejects(OpenAi, "PrefectHQ/fastmcp#2464"),
            rejects(Gemini, "anomalyco/opencode#5832"),
        ],
        find: |definition| {
            Part::Input.find(definition, |schema| {
                types(schema).contains(&"array") && !schema.contains_key("items")
            })
        },
    },
    Rule {
        id: "boolean-schema",
        says: "`true` or `false` as the schema of a property is refused, in some clients with all \
               tools of the server; write `{}` for `true`, and leave the property out for `false`",
        evidence: &[
            rejects(ClaudeCode, "anthropics/claude-code#82949"),
            rejects(VsCode, "microsoft/vscode-copilot-release#7636"),
            rejects(CopilotCli, "github/copilot-cli#4623"),
            Evidence { client: Codex, effect: Effect::Degrades, source: CODEX_REWRITES },
        ],
        find: |definition| at_properties(definition, Value::is_boolean),
    },
    Rule {
        id: "untyped-property",
        says: "a value for a property that may be anything arrives as a string; say its `type`, \
               or take a string and parse it",
        evidence: &[
            degrades(ClaudeCode, "anthropics/claude-code#82652"),
            Evidence { client: Codex, effect: Effect::Degrades, source: CODEX_REWRITES },
        ],
        find: |definition| {
            at_properties(definition, |schema| schema.as_object().is_some_and(is_untyped))
        },
    },
    Rule {
        id: "type-list",
        says: "a list of types is not understood, and a good value may be refused; write `anyOf`, \
               or leave `null` out where the property is optional",
        evidence: &[
            rejects(Cursor, "cursor/cursor#3778"),
            rejects(Gemini, "nanbingxyz/5ire#218"),
            degrades(CopilotCli, "github/copilot-cli#4623"),
        ],
        find: |definition| {
            Part::Input
                .find_keywords(definition, |keyword, value| keyword == "type" && value.is_array())
        },
    },
    Rule {
        id: "enum-type",
        says: "an `enum` without a `type` beside it is refused; write `type: string`",
        evidence: &[rejects(Gemini, "google-gemini/gemini-cli#4400")],
        find: |definition| {
            Part::Input.find(definition, |schema| {
                schema.contains_key("enum") && !schema.contains_key("type")
            })
        },
    },
    Rule {
        id: "enum-values",
        says: "Gemini's models take strings alone in an `enum`, and no empty one: others get every \
               request refused; write the values as strings",
        evidence: &[
            rejects(Gemini, "google-gemini/gemini-cli#4127"),
            rejects(Gemini, "sbroenne/mcp-server-excel#607"),
            degrades(CopilotCli, "github/copilot-cli#4835"),
        ],
        find: |definition| {
            Part::Input.find_keywords(definition, |keyword, value| {
                let mut values = value.as_array().into_iter().flatten();
                keyword == "enum" && values.any(|value| value.as_str().is_none_or(str::is_empty))
            })
        },
    },
    Rule {
        id: "required-null",
        says: "null for a required parameter arrives as the text \"null\"; make the parameter \
               optional",
        evidence: &[degrades(ClaudeCode, "anthropics/claude-code#81911")],
        find: |definition| {
            let Some(root) = Part::Input.of(definition) else { return Vec::new() };
            let required = root["required"].as_array().into_iter().flatten();
            let names = required.filter_map(Value::as_str);
            names
                .filter(|name| takes_null(&root["properties"][*name]))
                .map(|name| Part::Input.pointer(&["properties", name]))
                .collect()
        },
    },
    Rule {
        id: "large-integer",
        says: "integers beyond 2^53 - 1 are rounded where there is structured content; publish \
               them as strings",
        evidence: &[degrades(ClaudeCode, "anthropics/claude-code#78762")],
        find: |definition| {
            Part::Output.find(definition, |schema| {
                let beyond = |bound: &str| {
                    schema.get(bound).and_then(Value::as_f64).is_some_and(|v| v.abs() > EXACT_MAX)
                };
                types(schema).contains(&"integer") && (beyond("maximum") || beyond("minimum"))
            })
        },
    },
];

/// The schemas of properties for which `holds`.
fn at_properties(definition: &Value, holds: impl Fn(&Value) -> bool) -> Vec<String> {
    let schemas = Part::Input.schemas(definition).into_iter();
    let holds = |place: &Place| place.under == Some("properties") && holds(place.schema);
    schemas.filter(holds).map(|place| place.pointer).collect()
}

/// Whether nothing in `schema` restricts a value.
fn is_untyped(schema: &Map<String, Value>) -> bool {
    schema.keys().all(|keyword| is_annotation(keyword))
}

/// Whether `schema` says in as many words that a value may be null.
fn takes_null(schema: &Value) -> bool {
    let Value::Object(map) = schema else { return false };
    let arms = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| map.get(keyword)?.as_array());
    types(map).contains(&"null") || arms.flatten().any(takes_null)
}
