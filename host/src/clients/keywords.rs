//! Keywords, formats and patterns that some APIs do not take.

use serde_json::{Map, Value};

use super::Client::{ClaudeCode, Codex, Gemini, OpenAi};
use super::places::{Part, types};
use super::rule::{Effect, Evidence, Rule, Source, degrades, rejects};
use super::sizes::STRUCTURED_OUTPUTS;

/// The fields of Gemini's `Schema`, an excerpt of OpenAPI 3.0.
const GEMINI_FIELDS: [&str; 23] = [
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "default",
    "items",
    "minItems",
    "maxItems",
    "enum",
    "properties",
    "propertyOrdering",
    "required",
    "minProperties",
    "maxProperties",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "example",
    "anyOf",
    // References have rules of their own.
    "$ref",
];
/// Formats that OpenAI takes.
const OPENAI_FORMATS: [&str; 9] =
    ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
/// Formats that JSON Schema defines, in any of its drafts from 7 on.
const FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];
/// Keywords that OpenAI's strict mode does not take.
const NOT_STRICT: [&str; 7] =
    ["allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"];

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "one-of",
        says: "`oneOf` in the arguments is refused, and every request with it; write `anyOf`",
        evidence: &[rejects(OpenAi, "can1357/oh-my-pi#920"), rejects(Codex, "justrach/codedb#440")],
        find: |definition| at_keywords(definition, &["oneOf"]),
    },
    Rule {
        id: "not-without-type",
        says: "a schema under `not` must have a `type`; write it, or say what is allowed instead",
        evidence: &[rejects(OpenAi, "moltis-org/moltis#694")],
        find: |definition| {
            Part::Input.find_keywords(definition, |keyword, value| {
                keyword == "not" && value.get("type").is_none()
            })
        },
    },
    Rule {
        id: "strict-keyword",
        says: "OpenAI's strict mode does not take `allOf`, `not`, `if` and `dependent…`; write \
               what is allowed with `anyOf` and properties",
        evidence: &[Evidence {
            client: OpenAi,
            effect: Effect::Degrades,
            source: STRUCTURED_OUTPUTS,
        }],
        find: |definition| at_keywords(definition, &NOT_STRICT),
    },
    Rule {
        id: "gemini-keyword",
        says: "a client that passes schemas on as they are gets the request refused: the Gemini \
               API knows only some keywords of OpenAPI 3.0; leave the keyword out, or say it in \
               the description",
        evidence: &[
            rejects(Gemini, "modelcontextprotocol/servers#1624"),
            rejects(Gemini, "promptfoo/promptfoo#6902"),
            Evidence {
                client: Gemini,
                effect: Effect::Rejects,
                source: Source::Page {
                    title: "Schema (Vertex AI)",
                    address: "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/Schema",
                },
            },
        ],
        find: |definition| {
            let known = |keyword: &str| keyword == "$defs" || GEMINI_FIELDS.contains(&keyword);
            Part::Input.find_keywords(definition, |keyword, _| !known(keyword))
        },
    },
    Rule {
        id: "foreign-format",
        says: "each `format` that JSON Schema does not define draws a warning of clients that \
               compile the schema with Ajv, as Claude Code does; leave it out",
        evidence: &[
            degrades(ClaudeCode, "ZhangHanDong/mempal#84"),
            degrades(ClaudeCode, "anthropics/claude-code#88882"),
        ],
        find: |definition| {
            at_formats(definition, Part::Output, |_, format| !FORMATS.contains(&format))
        },
    },
    Rule {
        id: "openai-format",
        says: "a `format` that OpenAI does not know is refused in strict mode, as `uri` is; leave \
               it out, or say it in the description",
        evidence: &[rejects(OpenAi, "1jehuang/jcode#543")],
        find: |definition| {
            at_formats(definition, Part::Input, |_, format| !OPENAI_FORMATS.contains(&format))
        },
    },
    Rule {
        id: "gemini-format",
        says: "the Gemini API takes a string's `format` only if it is `enum` or `date-time`; leave \
               it out, or say it in the description",
        evidence: &[rejects(Gemini, "google-gemini/gemini-cli#2237")],
        find: |definition| {
            at_formats(definition, Part::Input, |schema, format| {
                types(schema).contains(&"string") && !["enum", "date-time"].contains(&format)
            })
        },
    },
    Rule {
        id: "pattern-look-around",
        says: "a `pattern` with look-around is refused, and every request with it; write it \
               without",
        evidence: &[
            rejects(OpenAi, "can1357/oh-my-pi#2784"),
            rejects(Codex, "can1357/oh-my-pi#2784"),
        ],
        find: |definition| {
            let looks_around = |pattern: &str| {
                ["(?=", "(?!", "(?<=", "(?<!"].into_iter().any(|group| pattern.contains(group))
            };
            Part::Input.find_keywords(definition, |keyword, value| {
                keyword == "pattern" && value.as_str().is_some_and(looks_around)
            })
        },
    },
];

fn at_keywords(definition: &Value, keywords: &[&str]) -> Vec<String> {
    Part::Input.find_keywords(definition, |keyword, _| keywords.contains(&keyword))
}

/// The formats for which `holds`.
fn at_formats(
    definition: &Value,
    part: Part,
    holds: impl Fn(&Map<String, Value>, &str) -> bool,
) -> Vec<String> {
    let found = part.find(definition, |schema| {
        schema.get("format").and_then(Value::as_str).is_some_and(|format| holds(schema, format))
    });
    found.into_iter().map(|schema| schema + "/format").collect()
}
