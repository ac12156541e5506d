//! What clients are known to reject, and what is known to hurt in them.
//!
//! Everything here is data about others, and pure. A rule is about a client only where a public
//! report or a page of documentation says so.

mod keywords;
mod names;
mod places;
mod references;
mod roots;
mod rule;
mod sizes;
#[cfg(test)]
mod twins;
mod types;

use serde_json::Value;

pub use rule::{Effect, Evidence, Rule, Source};

/// A client, or an API that clients pass tools on to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// Claude Code, and the API behind it.
    ClaudeCode,
    /// Copilot in VS Code.
    VsCode,
    /// Cursor.
    Cursor,
    /// Codex.
    Codex,
    /// Gemini CLI, and clients that pass tools on to the Gemini API.
    Gemini,
    /// Clients that pass tools on to the OpenAI API.
    OpenAi,
    /// GitHub Copilot CLI.
    CopilotCli,
}

impl Client {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::ClaudeCode,
        Self::VsCode,
        Self::Cursor,
        Self::Codex,
        Self::Gemini,
        Self::OpenAi,
        Self::CopilotCli,
    ];

    /// What it is called on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::VsCode => "vscode",
            Self::Cursor => "cursor",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::OpenAi => "openai",
            Self::CopilotCli => "copilot-cli",
        }
    }

    /// The client of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|client| client.name() == name)
    }
}

/// Something in a definition that a rule is about.
#[derive(Debug)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// What is known of the clients that were asked about; never empty.
    pub evidence: Vec<&'static Evidence>,
    /// JSON pointers into the definition; never empty. They hold an author's words.
    pub at: Vec<String>,
}

impl Finding {
    /// Whether one of the clients rejects the tool.
    #[must_use]
    pub fn rejects(&self) -> bool {
        self.evidence.iter().any(|evidence| evidence.effect == Effect::Rejects)
    }
}

/// All rules.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    [names::RULES, roots::RULES, types::RULES, references::RULES, keywords::RULES, sizes::RULES]
        .into_iter()
        .flatten()
}

/// What is known to hurt in one of `clients`. `definition` is a tool as `tools/list` gives it.
#[must_use]
pub fn check(definition: &Value, clients: &[Client]) -> Vec<Finding> {
    rules().filter_map(|rule| find(rule, definition, clients)).collect()
}

fn find(rule: &'static Rule, definition: &Value, clients: &[Client]) -> Option<Finding> {
    let asked = |evidence: &&Evidence| clients.contains(&evidence.client);
    let evidence: Vec<&Evidence> = rule.evidence.iter().filter(asked).collect();
    if evidence.is_empty() {
        return None;
    }
    let at = (rule.find)(definition);
    (!at.is_empty()).then_some(Finding { rule, evidence, at })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_client_has_a_name_and_a_rule() {
        for client in Client::ALL {
            assert_eq!(Client::named(client.name()), Some(client));
            let about = |rule: &Rule| rule.evidence.iter().any(|e| e.client == client);
            assert!(rules().any(about), "{}", client.name());
        }
        assert_eq!(Client::named("emacs"), None);
    }

    #[test]
    fn every_rule_has_a_name_of_its_own_and_says_what_to_do() {
        let mut ids = BTreeSet::new();
        for rule in rules() {
            assert!(ids.insert(rule.id), "{} is there twice", rule.id);
            assert!(!rule.evidence.is_empty(), "{}", rule.id);
            assert!(rule.says.contains("; "), "{} does not say what to do", rule.id);
            assert!(!rule.says.ends_with('.'), "{}", rule.id);
        }
    }

    #[test]
    fn every_source_is_a_thread_or_a_page() {
        for evidence in rules().flat_map(|rule| rule.evidence) {
            match evidence.source {
                Source::Thread(thread) => {
                    let (repository, number) = thread.split_once('#').unwrap();
                    let (owner, name) = repository.split_once('/').unwrap();
                    assert!(!owner.is_empty() && !name.is_empty(), "{thread}");
                    assert!(number.parse::<u32>().is_ok_and(|number| number > 0), "{thread}");
                }
                Source::Page { title, address } => {
                    assert!(!title.is_empty());
                    assert!(url::Url::parse(address).unwrap().scheme() == "https", "{address}");
                }
            }
        }
    }

    #[test]
    fn only_the_clients_that_were_asked_about_are_named() {
        let definition = twins::input(serde_json::json!({"properties": {"a": {"type": "array"}}}));
        let named = |clients: &[Client]| -> Vec<Client> {
            let findings = check(&definition, clients);
            let found = findings.iter().filter(|finding| finding.rule.id == "array-items");
            found.flat_map(|finding| &finding.evidence).map(|evidence| evidence.client).collect()
        };
        assert_eq!(named(&[Client::VsCode]), [Client::VsCode]);
        assert_eq!(named(&[Client::Cursor]), []);
        assert_eq!(named(&Client::ALL), [Client::VsCode, Client::OpenAi, Client::Gemini]);
    }
}
