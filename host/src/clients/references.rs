//! References within schemas, which many clients do not follow.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Client::{ClaudeCode, Codex, CopilotCli, Cursor, Gemini, VsCode};
use super::places::Part;
use super::rule::{Rule, degrades, rejects};
use crate::schema::percent_decoded;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "reference",
        says: "`$ref` is not followed: the model sees no type there, or the request is refused; \
               write `refs = \"inline\"` under `[schema]` in portcullis.toml",
        evidence: &[
            rejects(VsCode, "microsoft/vscode#286415"),
            rejects(CopilotCli, "github/copilot-cli#1876"),
            rejects(Gemini, "google-gemini/gemini-cli#13326"),
            degrades(Codex, "openai/codex#3152"),
            degrades(Cursor, "IvanMurzak/Unity-MCP#284"),
        ],
        find: |definition| Part::Input.find_keywords(definition, |keyword, _| keyword == "$ref"),
    },
    Rule {
        id: "recursive-reference",
        says: "a type that contains itself is refused, and every request with it; end it at some \
               depth, or take that part as a string of JSON",
        evidence: &[rejects(Gemini, "google-gemini/gemini-cli#14945")],
        find: |definition| {
            let all = all(definition, Part::Input);
            let recursive = all.iter().filter(|reference| leads_back(reference, &all));
            recursive.map(Reference::pointer).collect()
        },
    },
    Rule {
        id: "dangling-reference",
        says: "a `$ref` that finds nothing from the root of its schema loses all tools of the \
               server; put what it refers to into `$defs` at the root",
        evidence: &[
            rejects(ClaudeCode, "anthropics/claude-code#81111"),
            rejects(Cursor, "davideast/stitch-mcp#184"),
        ],
        find: |definition| {
            let parts = [Part::Input, Part::Output].into_iter();
            let all = parts.flat_map(|part| all(definition, part));
            let dangling = all.filter(|reference| {
                reference.target.as_ref().is_none_or(|target| definition.pointer(target).is_none())
            });
            dangling.map(|reference| reference.pointer()).collect()
        },
    },
    Rule {
        id: "dynamic-reference",
        says: "a tool with `$dynamicRef` in its arguments is left out; write `$ref`",
        evidence: &[
            rejects(VsCode, "microsoft/vscode#251315"),
            rejects(VsCode, "microsoft/vscode-json-languageservice#323"),
        ],
        find: |definition| {
            Part::Input.find_keywords(definition, |keyword, _| keyword == "$dynamicRef")
        },
    },
];

/// A `$ref`.
struct Reference {
    /// The pointer of the schema that has it.
    holder: String,
    /// The pointer of what it leads to; none if it is no pointer.
    target: Option<String>,
}

impl Reference {
    fn pointer(&self) -> String {
        format!("{}/$ref", self.holder)
    }
}

/// All references of a part, but those to anchors, with pointers from the definition's root.
fn all(definition: &Value, part: Part) -> Vec<Reference> {
    let mut found = Vec::new();
    for place in part.schemas(definition) {
        let Some(reference) = place.schema.get("$ref").and_then(Value::as_str) else { continue };
        let fragment = reference.strip_prefix('#').and_then(percent_decoded);
        if fragment.as_ref().is_some_and(|name| !name.is_empty() && !name.starts_with('/')) {
            continue;
        }
        let target = fragment.map(|fragment| part.pointer(&[]) + &fragment);
        found.push(Reference { holder: place.pointer, target });
    }
    found
}

/// Whether what `start` leads to leads to `start` again.
fn leads_back(start: &Reference, all: &[Reference]) -> bool {
    let mut seen = BTreeSet::new();
    let mut next: Vec<&str> = start.target.as_deref().into_iter().collect();
    while let Some(target) = next.pop() {
        if !seen.insert(target) {
            continue;
        }
        if is_within(&start.holder, target) {
            return true;
        }
        let inner = all.iter().filter(|reference| is_within(&reference.holder, target));
        next.extend(inner.filter_map(|reference| reference.target.as_deref()));
    }
    false
}

/// Whether `pointer` is `outer` or something in it.
fn is_within(pointer: &str, outer: &str) -> bool {
    pointer.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
