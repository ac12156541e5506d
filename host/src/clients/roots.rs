//! The roots of both schemas.
//!
//! What the host publishes is in order here; these rules say why it must be.

use serde_json::Value;

use super::Client::{ClaudeCode, Codex, CopilotCli, OpenAi};
use super::places::{Part, whether};
use super::rule::{Rule, rejects};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "root-union",
        says: "`anyOf`, `oneOf` or `allOf` at the root of the arguments is refused, and every \
               request with it; put the union into a property",
        evidence: &[
            rejects(ClaudeCode, "anthropics/claude-code#45106"),
            rejects(ClaudeCode, "makenotion/notion-mcp-server#341"),
            rejects(OpenAi, "langchain-ai/langchainjs#9804"),
            rejects(Codex, "Dicklesworthstone/flywheel_connectors#49"),
        ],
        find: |definition| {
            let Some(Value::Object(root)) = Part::Input.of(definition) else { return Vec::new() };
            let unions = ["anyOf", "oneOf", "allOf"].into_iter();
            let found = unions.filter(|keyword| root.contains_key(*keyword));
            found.map(|keyword| Part::Input.pointer(&[keyword])).collect()
        },
    },
    Rule {
        id: "root-type",
        says: "the root of the arguments must have `type: object`; write it",
        evidence: &[rejects(OpenAi, "langchain-ai/langchainjs#9804")],
        find: |definition| root_without_type(definition, Part::Input),
    },
    Rule {
        id: "root-properties",
        says: "a tool without parameters still needs `properties: {}`, or every request is \
               refused; write it",
        evidence: &[
            rejects(OpenAi, "openai/openai-agents-python#454"),
            rejects(CopilotCli, "github/copilot-cli#1825"),
        ],
        find: |definition| {
            let root = Part::Input.of(definition);
            let missing = root.is_some_and(|root| root.get("properties").is_none());
            whether(missing, Part::Input.pointer(&[]))
        },
    },
    Rule {
        id: "output-root",
        says: "the root of the result must have `type: object`, or all tools of the server are \
               lost; wrap the value in a property",
        evidence: &[rejects(ClaudeCode, "opentokenz/mcpx#28")],
        find: |definition| root_without_type(definition, Part::Output),
    },
    Rule {
        id: "output-dialect",
        says: "a result of another dialect than JSON Schema 2020-12 is refused at the call; leave \
               `$schema` out",
        evidence: &[rejects(ClaudeCode, "anthropics/claude-code#88882")],
        find: |definition| {
            let dialect = Part::Output.of(definition).and_then(|root| root.get("$schema"));
            let other = dialect
                .and_then(Value::as_str)
                .is_some_and(|dialect| dialect.strip_suffix('#').unwrap_or(dialect) != DIALECT);
            whether(other, Part::Output.pointer(&["$schema"]))
        },
    },
];

fn root_without_type(definition: &Value, part: Part) -> Vec<String> {
    let missing = part.of(definition).is_some_and(|root| root["type"] != "object");
    whether(missing, part.pointer(&[]))
}
