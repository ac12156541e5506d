//! Which changes nobody who relied on the approved contract can tell.
//!
//! What cannot be decided is no such change.

use serde_json::{Map, Value};

use super::Entry;
use crate::schema::{
    Bounds, Output, Style, accepts_all_arguments_of, accepts_all_of, says_the_same,
};

/// Whether `now` has the resources, templates and prompts of `approved`, and its tools with the same texts, whose arguments accept all
/// that they accepted and whose results promise all that they promised, and imports no more.
pub(super) fn passes(approved: &Entry, now: &Entry) -> bool {
    let imported = |name: &String| {
        let interface = release(name);
        approved.imports.iter().any(|approved| release(approved) == interface)
    };
    approved.beside == now.beside
        && approved.tools.len() == now.tools.len()
        && now.imports.iter().all(imported)
        && now.tools.iter().all(|tool| {
            let before = approved.tool(&tool.name);
            before.is_some_and(|before| tool_passes(&before.definition, &tool.definition))
        })
}

fn tool_passes(before: &Value, after: &Value) -> bool {
    let [input, output] = ["inputSchema", "outputSchema"];
    let rest = |definition: &Value| -> Option<Map<String, Value>> {
        let mut fields = definition.as_object()?.clone();
        fields.retain(|key, _| key != input && key != output);
        Some(fields)
    };
    let outputs = match (before.get(output), after.get(output)) {
        (Some(before), Some(after)) => {
            accepts_all_of(before, after)
                && says_the_same(before, after)
                && wraps(before).is_some_and(|wrapped| wraps(after) == Some(wrapped))
        }
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    rest(before) == rest(after)
        && outputs
        && accepts_all_arguments_of(&after[input], &before[input])
        && says_the_same(&before[input], &after[input])
}

/// Whether values of an output schema are published in a property of an object; none: it is
/// refused.
fn wraps(schema: &Value) -> Option<bool> {
    let bounds = Bounds::default();
    let output = Output::load(&schema.to_string(), "tool", Style::default(), &bounds);
    output.ok().map(|output| output.wraps())
}

/// An interface with its version as far as compatible ones share it: `wasi:io/streams@0.2` of
/// `wasi:io/streams@0.2.6` (WIT: semver).
fn release(import: &str) -> (&str, Option<String>) {
    let Some((interface, version)) = import.split_once('@') else { return (import, None) };
    let parts: Vec<&str> = version.split('.').collect();
    // What is before a release is compatible with nothing else.
    let release = match parts.as_slice() {
        _ if version.contains('-') => version.to_owned(),
        ["0", minor, _] => format!("0.{minor}"),
        [major, _, _] => (*major).to_owned(),
        _ => version.to_owned(),
    };
    (interface, Some(release))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_compared_by_what_is_compatible_with_them() {
        let same = |a, b| release(a) == release(b);
        assert!(same("wasi:io/streams@0.2.0", "wasi:io/streams@0.2.12"));
        assert!(same("a:b/c@1.0.0", "a:b/c@1.9.3"));
        assert!(same("plain", "plain"));
        assert!(!same("wasi:io/streams@0.2.0", "wasi:io/streams@0.3.0"));
        assert!(!same("wasi:io/streams@0.2.0", "wasi:io/poll@0.2.0"));
        assert!(!same("a:b/c@1.0.0", "a:b/c@2.0.0"));
        assert!(!same("a:b/c@1.0.0-rc.1", "a:b/c@1.0.0"));
        assert!(!same("a:b/c@1.0.0", "a:b/c"));
    }
}
