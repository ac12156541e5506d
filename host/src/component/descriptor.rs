//! From what a component says of a tool to a tool, or to the reason why not.
//!
//! Names follow one rule for all clients, and no text of a tool holds a character that a
//! reader could not see.

use serde_json::{Map, Value};

use crate::grants::Effective;
use crate::present::clean;
use crate::schema::{Bounds, Input, Output, Style, strict_json};

use super::{Contract, Refusal, Tool};

/// The longest name of a tool, in characters, its prefix included.
pub(crate) const NAME_CHARS_MAX: usize = 64;

/// What a component says of a tool, whatever way it said it.
#[derive(Debug)]
pub(crate) struct Descriptor {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    /// JSON Schema text.
    pub(crate) input: String,
    /// JSON Schema text; none: content only.
    pub(crate) output: Option<String>,
    pub(crate) hints: Hints,
    pub(crate) own_content: bool,
}

/// How a tool says that it behaves; none: no statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Changes nothing.
    pub read_only: Option<bool>,
    /// May destroy or overwrite something.
    pub destructive: Option<bool>,
    /// The same call again changes nothing more.
    pub idempotent: Option<bool>,
    /// Deals with things outside of a closed world.
    pub open_world: Option<bool>,
}

impl Hints {
    /// What may be published of a component with these grants. One that writes to a directory is
    /// not known to change nothing, and one that sends requests deals with an open world.
    pub(super) fn under(self, effective: &Effective) -> Self {
        let read_only = self.read_only.map(|claimed| claimed && !effective.writes());
        let open_world = self.open_world.map(|claimed| claimed || !effective.http.is_empty());
        Self { read_only, open_world, ..self }
    }
}

impl Descriptor {
    /// Checks the texts and compiles the schemas. `published` is the name that clients see,
    /// by which titles go.
    ///
    /// # Errors
    /// A [`Refusal`] of this tool alone.
    pub(crate) fn compile(
        self,
        published: &str,
        style: Style,
        bounds: &Bounds,
    ) -> Result<Tool, Refusal> {
        let refuse = |reason: String| Refusal { tool: shown_name(&self.name), reason };
        check_name("tool", published).map_err(refuse)?;
        for (what, text) in [("title", &self.title), ("description", &self.description)] {
            check_text(what, text.as_deref(), bounds).map_err(refuse)?;
        }
        let input = Input::load(&self.input, published, style, bounds)
            .map_err(|fault| refuse(format!("its input schema is refused: {fault}")))?;
        let contract = match &self.output {
            Some(schema) => Output::load(schema, published, style, bounds)
                .map(|output| Contract::Typed(Box::new(output)))
                .map_err(|fault| refuse(format!("its output schema is refused: {fault}")))?,
            None => Contract::ContentOnly,
        };
        Ok(Tool {
            name: self.name,
            title: self.title,
            description: self.description,
            input,
            contract,
            hints: self.hints,
            own_content: self.own_content,
        })
    }
}

impl Descriptor {
    /// Whether clients take its name, the config's prefix aside.
    pub(super) fn has_legal_name(&self) -> bool {
        check_name("tool", &self.name).is_ok()
    }

    /// All that the component says of the tool, as a lock keeps it.
    pub(super) fn definition(&self) -> Value {
        // What is not JSON that all read alike is a text.
        let schema =
            |text: &String| strict_json(text).unwrap_or_else(|_| Value::String(text.clone()));
        let Hints { read_only, destructive, idempotent, open_world } = self.hints;
        let hints = [
            ("readOnlyHint", read_only),
            ("destructiveHint", destructive),
            ("idempotentHint", idempotent),
            ("openWorldHint", open_world),
        ];
        let hints: Map<String, Value> = hints
            .into_iter()
            .filter_map(|(key, hint)| Some((key.to_owned(), Value::Bool(hint?))))
            .collect();
        let fields = [
            ("name", Some(self.name.clone().into())),
            ("title", self.title.clone().map(Value::String)),
            ("description", self.description.clone().map(Value::String)),
            ("inputSchema", Some(schema(&self.input))),
            ("outputSchema", self.output.as_ref().map(schema)),
            ("annotations", (!hints.is_empty()).then_some(Value::Object(hints))),
            ("ownContent", self.own_content.then_some(Value::Bool(true))),
        ];
        let said = fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        Value::Object(said.collect())
    }
}

/// A tool's name for people, whatever a component calls it: one line, bounded and clean.
pub(super) fn shown_name(name: &str) -> String {
    clean::bounded(&name.replace(['\n', '\t'], " "), 80)
}

/// Clients take `[A-Za-z0-9_-]`, at most 64 characters.
pub(super) fn check_name(kind: &str, name: &str) -> Result<(), String> {
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > NAME_CHARS_MAX || !name.chars().all(legal) {
        return Err(format!(
            "a {kind}'s name has 1 to {NAME_CHARS_MAX} of A-Z a-z 0-9 _ -, its prefix included"
        ));
    }
    Ok(())
}

pub(super) fn check_text(what: &str, text: Option<&str>, bounds: &Bounds) -> Result<(), String> {
    let Some(text) = text else { return Ok(()) };
    if text.len() > bounds.description_bytes_max {
        return Err(format!(
            "its {what} has {} bytes, more than {}",
            text.len(),
            bounds.description_bytes_max
        ));
    }
    if !clean::is_clean(text) {
        return Err(format!(
            "its {what} holds control, bidirectional, tag or zero-width characters: {}",
            clean::bounded(text, 120)
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(name: &str, description: &str) -> Result<Tool, Refusal> {
        Descriptor {
            name: name.to_owned(),
            title: None,
            description: Some(description.to_owned()),
            input: r#"{"type":"object","properties":{}}"#.to_owned(),
            output: Some(r#"{"type":"string"}"#.to_owned()),
            hints: Hints::default(),
            own_content: false,
        }
        .compile(name, Style::default(), &Bounds::default())
    }

    #[test]
    fn names_that_some_client_refuses_are_refused() {
        assert!(described(&"a".repeat(64), "").is_ok());
        for name in ["", "a.b", "a/b", "ä", "a b", &"a".repeat(65)] {
            assert!(described(name, "").is_err(), "{name}");
        }
    }

    #[test]
    fn descriptions_that_hide_something_are_refused() {
        assert!(described("a", "Two lines,\nand a tab\t.").is_ok());
        for text in ["\u{1b}[2J", "\u{202e}txt", "\u{e0041}", "a\u{200b}b", "\u{85}"] {
            assert!(described("a", text).is_err(), "{text:?}");
        }
    }
}
