//! Names and descriptions.
//!
//! Clients put the server's name before a tool's; how long that is, nobody here can know.

use serde_json::Value;

use super::Client::{ClaudeCode, Codex, CopilotCli, Cursor, Gemini, OpenAi, VsCode};
use super::places::{Part, whether};
use super::rule::{Effect, Evidence, Rule, Source, degrades, rejects};

/// Characters that APIs take in a name.
const NAME_CHARS_MAX: usize = 64;
/// Characters that leave 20 for a server's name where both together have at most 60.
const NAME_CHARS_WITH_SERVER: usize = 40;
/// Characters that leave one for a server's name in Cursor, which counts something between.
const NAME_CHARS_CURSOR: usize = 58;
const DESCRIPTION_CHARS_OPENAI: usize = 1024;
const DESCRIPTION_UNITS_CLAUDE: usize = 2048;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "name-characters",
        says: "a name with other characters than `A-Z a-z 0-9 _ -` is refused, and every request \
               with it; rename the tool",
        evidence: &[
            rejects(ClaudeCode, "microsoft/wassette#56"),
            rejects(CopilotCli, "github/copilot-cli#1879"),
            rejects(Codex, "openai/codex#8174"),
            rejects(OpenAi, "openai/codex#8174"),
            degrades(VsCode, "microsoft/vscode#308463"),
        ],
        find: |definition| {
            at_name(definition, |name| !name.chars().all(|c| is_word(c) || c == '-'))
        },
    },
    Rule {
        id: "name-word",
        says: "Cursor takes `A-Z a-z 0-9 _` alone: it leaves other tools out, or calls them with \
               `_` for `-`; write `_`",
        evidence: &[
            rejects(Cursor, "webstudio-is/webstudio#5960"),
            rejects(Cursor, "webflow/mcp-server#13"),
        ],
        find: |definition| at_name(definition, |name| !name.chars().all(is_word)),
    },
    Rule {
        id: "name-double-underscore",
        says: "the model does not find a tool with `__` in its name; write `_`",
        evidence: &[degrades(Cursor, "cursor/cursor#3452")],
        find: |definition| at_name(definition, |name| name.contains("__")),
    },
    Rule {
        id: "name-start",
        says: "a function's name begins with a letter or `_`; rename the tool, or give its \
               component a `prefix`",
        evidence: &[rejects(Gemini, "google-gemini/gemini-cli#2966")],
        find: |definition| at_name(definition, |name| !name.starts_with(begins_word)),
    },
    Rule {
        id: "name-length",
        says: "a name of more than 64 characters is refused, and every request with it; shorten \
               it, or its `prefix`",
        evidence: &[
            rejects(ClaudeCode, "anthropics/claude-code#2412"),
            rejects(VsCode, "microsoft/vscode#243602"),
            rejects(Codex, "openai/codex#1289"),
            rejects(OpenAi, "openai/codex#1289"),
            rejects(Gemini, "google-gemini/gemini-cli#2966"),
            rejects(CopilotCli, "microsoft/mcp#842"),
        ],
        find: |definition| longer(definition, NAME_CHARS_MAX),
    },
    Rule {
        id: "name-length-cursor",
        says: "Cursor leaves out a tool whose name and server's name have more than 60 \
               characters, as this one has whatever the server is called; shorten it, or its \
               `prefix`",
        evidence: &[rejects(Cursor, "ComposioHQ/composio#2788")],
        find: |definition| longer(definition, NAME_CHARS_CURSOR),
    },
    Rule {
        id: "name-with-server",
        says: "the server's name is put before this one, and both may then be too long (60 \
               characters in Cursor, 64 elsewhere): the tool is left out, or gets a cut name; \
               keep it within 40 characters, and the server's name short",
        evidence: &[
            degrades(Cursor, "awslabs/mcp#1283"),
            degrades(CopilotCli, "microsoft/mcp#842"),
            degrades(Codex, "openai/codex#1289"),
            degrades(Gemini, "google-gemini/gemini-cli#20987"),
        ],
        find: |definition| longer(definition, NAME_CHARS_WITH_SERVER),
    },
    Rule {
        id: "parameter-name",
        says: "a parameter's name has 1 to 64 of `A-Z a-z 0-9 _ . -`, or every request is \
               refused; rename the parameter",
        evidence: &[rejects(ClaudeCode, "anthropics/claude-code#34771")],
        find: |definition| {
            at_parameters(definition, |name| name.chars().all(|c| is_word(c) || ".-".contains(c)))
        },
    },
    Rule {
        id: "parameter-name-word",
        says: "a parameter's name begins with a letter or `_` and has at most 64 of \
               `A-Z a-z 0-9 _`; rename the parameter",
        evidence: &[Evidence {
            client: Gemini,
            effect: Effect::Rejects,
            source: Source::Page {
                title: "FunctionDeclaration (Vertex AI)",
                address: "https://cloud.google.com/vertex-ai/generative-ai/docs/reference/java/latest/com.google.cloud.vertexai.api.FunctionDeclarationOrBuilder",
            },
        }],
        find: |definition| {
            at_parameters(definition, |name| {
                name.starts_with(begins_word) && name.chars().all(is_word)
            })
        },
    },
    Rule {
        id: "description-length",
        says: "a description of more than 1024 characters is refused; shorten it, and say the \
               rest in the descriptions of the parameters",
        evidence: &[
            rejects(OpenAi, "modelcontextprotocol/servers#799"),
            rejects(OpenAi, "getsentry/sentry-mcp#106"),
        ],
        find: |definition| {
            at_description(definition, |text| text.chars().count() > DESCRIPTION_CHARS_OPENAI)
        },
    },
    Rule {
        id: "description-cut",
        says: "versions of Claude Code cut a description after 2048 characters, and the model \
               does not see the rest; shorten it, or say first what matters",
        evidence: &[degrades(ClaudeCode, "anthropics/claude-code#87650")],
        find: |definition| {
            at_description(definition, |text| {
                text.encode_utf16().count() > DESCRIPTION_UNITS_CLAUDE
            })
        },
    },
];

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

const fn begins_word(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn at_name(definition: &Value, holds: impl Fn(&str) -> bool) -> Vec<String> {
    whether(definition["name"].as_str().is_some_and(holds), "/name".to_owned())
}

fn longer(definition: &Value, chars_max: usize) -> Vec<String> {
    at_name(definition, |name| name.chars().count() > chars_max)
}

fn at_description(definition: &Value, holds: impl Fn(&str) -> bool) -> Vec<String> {
    whether(definition["description"].as_str().is_some_and(holds), "/description".to_owned())
}

/// The parameters whose names are empty, too long, or not `legal`.
fn at_parameters(definition: &Value, legal: impl Fn(&str) -> bool) -> Vec<String> {
    let properties = Part::Input.of(definition).and_then(|root| root["properties"].as_object());
    let names = properties.into_iter().flatten().map(|(name, _)| name.as_str());
    let fits = |name: &str| (1..=NAME_CHARS_MAX).contains(&name.chars().count()) && legal(name);
    names
        .filter(|name| !fits(name))
        .map(|name| Part::Input.pointer(&["properties", name]))
        .collect()
}
