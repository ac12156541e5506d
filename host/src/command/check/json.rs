//! The report for programs.

use serde_json::{Value, json};

use super::report::{Component, Outcome, Report, Tool, Verdict};
use crate::clients::{Effect, Finding};

impl Report {
    /// Everything, each finding with all its places and sources.
    pub(super) fn json(&self) -> Value {
        let names: Vec<&str> = self.clients.iter().map(|client| client.name()).collect();
        let components: Vec<Value> = self.components.iter().map(component_json).collect();
        let counts = self.counts();
        json!({
            "clients": names,
            "components": components,
            "summary": {
                "components": counts.components,
                "fine": counts.fine,
                "degraded": counts.degraded,
                "rejected": counts.rejected,
                "refused": counts.refused,
                "notLoaded": counts.not_loaded,
                "passedOver": counts.passed_over,
            },
        })
    }
}

fn component_json(component: &Component) -> Value {
    let (id, path) = (&component.id, component.path.display().to_string());
    match &component.outcome {
        Outcome::Loaded { digest, lacks, tools, refused } => {
            let tools: Vec<Value> = tools.iter().map(tool_json).collect();
            let refused = refused.iter().map(|r| json!({"tool": r.tool, "reason": r.reason}));
            let refused: Vec<Value> = refused.collect();
            json!({
                "id": id, "path": path, "sha256": digest, "lacks": lacks, "tools": tools,
                "refused": refused,
            })
        }
        Outcome::NotLoaded { found, reason } => {
            json!({"id": id, "path": path, "error": reason, "passedOver": found})
        }
    }
}

fn tool_json(tool: &Tool) -> Value {
    let findings: Vec<Value> = tool.findings.iter().map(finding_json).collect();
    let verdict = match tool.verdict() {
        Verdict::Fine => "fine",
        Verdict::Degraded => "degraded",
        Verdict::Rejected => "rejected",
    };
    json!({"name": tool.name, "verdict": verdict, "findings": findings})
}

fn finding_json(finding: &Finding) -> Value {
    let clients = finding.evidence.iter().map(|evidence| {
        let effect = match evidence.effect {
            Effect::Rejects => "rejects",
            Effect::Degrades => "degrades",
        };
        json!({
            "client": evidence.client.name(),
            "effect": effect,
            "source": evidence.source.to_string(),
        })
    });
    let clients: Vec<Value> = clients.collect();
    json!({
        "rule": finding.rule.id,
        "says": finding.rule.says,
        "at": finding.at,
        "clients": clients,
    })
}
