//! The report for people.
//!
//! It repeats words of authors and names of files; none of them hides a character.

use super::super::terminal::Ink;
use super::report::{Counts, Outcome, Report, Tool, Verdict};
use crate::catalog::Refused;
use crate::clients::{Client, Effect, Finding};
use crate::present::clean;

/// Places that are named of one finding.
const PLACES_MAX: usize = 3;
/// Bytes of a pointer.
const POINTER_BYTES_MAX: usize = 160;

impl Report {
    /// One line for each tool, what was found under it, and the counts in the last line. `ink`
    /// makes words stand out.
    pub(super) fn text(&self, ink: impl Fn(Ink, &str) -> String) -> String {
        let mut lines = Vec::new();
        for component in &self.components {
            let path = clean::text(component.path.display().to_string());
            let name = format!("{} ({path})", ink(Ink::Bold, &component.id));
            match &component.outcome {
                Outcome::Loaded { digest: _, lacks, tools, refused } => {
                    lines.push(name);
                    for lack in lacks {
                        let word = ink(Ink::Yellow, "lacks    ");
                        lines.push(format!("  {word} {}; its calls fail", one_line(lack)));
                    }
                    tools.iter().for_each(|tool| tell_tool(tool, &ink, &mut lines));
                    refused.iter().for_each(|tool| tell_refused(tool, &ink, &mut lines));
                }
                Outcome::NotLoaded { found, reason } => {
                    let word = match found {
                        true => ink(Ink::Yellow, "passed over"),
                        false => ink(Ink::Red, "not loaded"),
                    };
                    lines.push(format!("{name} {word}"));
                    lines.push(format!("    {}", one_line(reason)));
                }
            }
        }
        lines.push(self.counts().text());
        lines.join("\n")
    }
}

fn tell_tool(tool: &Tool, ink: &impl Fn(Ink, &str) -> String, lines: &mut Vec<String>) {
    let word = match tool.verdict() {
        Verdict::Fine => ink(Ink::Green, "fine     "),
        Verdict::Degraded => ink(Ink::Yellow, "degraded "),
        Verdict::Rejected => ink(Ink::Red, "rejected "),
    };
    lines.push(format!("  {word} {}", tool.name));
    tool.findings.iter().for_each(|finding| tell_finding(finding, lines));
}

fn tell_refused(tool: &Refused, ink: &impl Fn(Ink, &str) -> String, lines: &mut Vec<String>) {
    lines.push(format!("  {} {}", ink(Ink::Red, "refused  "), one_line(&tool.tool)));
    lines.push(format!("    {}", one_line(&tool.reason)));
}

/// What was found and where, what hurts, in which clients, and how that is known.
fn tell_finding(finding: &Finding, lines: &mut Vec<String>) {
    let shown: Vec<String> = finding.at.iter().take(PLACES_MAX).map(|at| pointer(at)).collect();
    let more = match finding.at.len().saturating_sub(PLACES_MAX) {
        0 => String::new(),
        count => format!(" and {}", counted(count, "more place")),
    };
    lines.push(format!("    {} at {}{more}", finding.rule.id, shown.join(", ")));
    lines.push(format!("      {}", finding.rule.says));
    for (effect, does) in [(Effect::Rejects, "rejected by"), (Effect::Degrades, "degraded in")] {
        let who = clients_with(finding, effect);
        if !who.is_empty() {
            lines.push(format!("      {does} {}", who.join(", ")));
        }
    }
}

/// The clients in which a finding has `effect`, each with its sources.
fn clients_with(finding: &Finding, effect: Effect) -> Vec<String> {
    let known = Client::ALL.into_iter().filter_map(|client| {
        let evidence = finding.evidence.iter();
        let about = evidence.filter(|known| known.client == client && known.effect == effect);
        let sources: Vec<String> = about.map(|known| known.source.to_string()).collect();
        (!sources.is_empty()).then(|| format!("{} ({})", client.name(), sources.join("; ")))
    });
    known.collect()
}

fn pointer(at: &str) -> String {
    clean::bounded(&at.replace('\n', "\\n"), POINTER_BYTES_MAX)
}

fn one_line(text: &str) -> String {
    clean::text(text).replace('\n', " ")
}

impl Counts {
    fn text(&self) -> String {
        let mut said = vec![
            format!("{} fine", self.fine),
            format!("{} degraded", self.degraded),
            format!("{} rejected by a client", self.rejected),
            format!("{} refused", self.refused),
        ];
        let components = [(self.not_loaded, "not loaded"), (self.passed_over, "passed over")];
        for (count, what) in components.into_iter().filter(|(count, _)| *count > 0) {
            said.push(format!("{} {what}", counted(count, "component")));
        }
        let tools = self.fine + self.degraded + self.rejected + self.refused;
        let (tools, components) = (counted(tools, "tool"), counted(self.components, "component"));
        format!("{tools} of {components}: {}", said.join(", "))
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::report::Component;
    use super::*;
    use crate::clients;

    fn tool(name: &str, output: serde_json::Value) -> Tool {
        let definition = json!({
            "name": name,
            "inputSchema": {"type": "object", "properties": {}},
            "outputSchema": output,
        });
        let clients = [Client::ClaudeCode];
        Tool { name: name.to_owned(), findings: clients::check(&definition, &clients) }
    }

    fn component(id: &str, outcome: Outcome) -> Component {
        Component { id: id.to_owned(), path: format!("{id}.wasm").into(), outcome }
    }

    fn report() -> Report {
        let ids: serde_json::Map<_, _> = ["a\u{202e}", "b", "c", "d"]
            .into_iter()
            .map(|name| (name.to_owned(), json!({"type": "integer", "maximum": u64::MAX})))
            .collect();
        let tools = vec![
            tool("now", json!({"type": "object"})),
            tool("ids", json!({"type": "object", "properties": ids})),
            tool("old", json!({"type": "array"})),
        ];
        let refused = vec![Refused {
            component: "times".to_owned(),
            tool: "a b".to_owned(),
            reason: "rename\nit".to_owned(),
        }];
        let failed = |found, reason: &str| Outcome::NotLoaded { found, reason: reason.to_owned() };
        Report {
            clients: vec![Client::ClaudeCode],
            components: vec![
                component(
                    "times",
                    Outcome::Loaded {
                        digest: String::new(),
                        lacks: vec!["random numbers".to_owned()],
                        tools,
                        refused,
                    },
                ),
                component("gone", failed(false, "it is not there")),
                component("notes", failed(true, "it is text")),
            ],
        }
    }

    #[test]
    fn each_tool_has_a_line_and_the_counts_are_last() {
        let says = |id| clients::rules().find(|rule| rule.id == id).unwrap().says;
        let integers = says("large-integer");
        let root = says("output-root");
        let at = "/outputSchema/properties";
        assert_eq!(
            report().text(|_, text| text.to_owned()),
            format!(
                "times (times.wasm)\n  \
                 lacks     random numbers; its calls fail\n  \
                 fine      now\n  \
                 degraded  ids\n    \
                 large-integer at {at}/a\\u{{202e}}, {at}/b, {at}/c and 1 more place\n      \
                 {integers}\n      \
                 degraded in claude-code (anthropics/claude-code#78762)\n  \
                 rejected  old\n    \
                 output-root at /outputSchema\n      \
                 {root}\n      \
                 rejected by claude-code (opentokenz/mcpx#28)\n  \
                 refused   a b\n    \
                 rename it\n\
                 gone (gone.wasm) not loaded\n    \
                 it is not there\n\
                 notes (notes.wasm) passed over\n    \
                 it is text\n\
                 4 tools of 1 component: 1 fine, 1 degraded, 1 rejected by a client, 1 refused, \
                 1 component not loaded, 1 component passed over"
            )
        );
    }

    #[test]
    fn the_status_says_the_worst() {
        let mut report = report();
        let mut status = || {
            let status = report.status();
            report.components.pop();
            status
        };
        // With all; without what was passed over; without what does not load; without anything.
        assert_eq!([status(), status(), status(), status()], [2, 2, 1, 2]);
    }
}
