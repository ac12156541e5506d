//! The way of what is no tool: a resource that is read, a prompt that is filled in, a value that is
//! suggested. The stages are those of a call.

use serde_json::{Map, Value};

use super::errand::{Came, Errand, Kind, Rejected, returned};
use super::receipt::Open;
use super::{Caller, Failure, content, json_bytes, leak, questions, traced};
use crate::component::{
    Adapter, Component, ContentsSaid, Given, PromptSaid, Provider, Role, Subject, Suggested,
};
use crate::config::Rules;
use crate::host::Host;
use crate::present::{Block, Resource, clean};

/// The messages of a prompt, checked.
#[derive(Debug)]
pub(crate) struct Messages {
    pub(crate) description: Option<String>,
    pub(crate) messages: Vec<(Role, Block)>,
}

/// What may come after what was typed, checked.
#[derive(Debug, Default)]
pub(crate) struct Suggestions {
    /// At most [`VALUES_MAX`].
    pub(crate) values: Vec<String>,
    pub(crate) total: Option<u32>,
    pub(crate) more: bool,
}

/// What an argument to be completed belongs to, as clients know it.
#[derive(Debug)]
pub(crate) enum Completed {
    Prompt(String),
    Template(String),
}

/// Contents that one resource may have.
const CONTENTS_MAX: usize = 1000;
/// Messages of a prompt.
const MESSAGES_MAX: usize = 1000;
/// Suggestions at a time (MCP 2025-11-25, completion).
const VALUES_MAX: usize = 100;
/// Bytes of a suggestion, and of a prompt's description.
const TEXT_BYTES_MAX: usize = 4096;

impl Host {
    /// Reads the resource at `uri`.
    ///
    /// # Errors
    /// Why it is not there.
    pub(crate) async fn read(
        &self,
        uri: &str,
        caller: Caller,
    ) -> Result<Came<Vec<Resource>>, Rejected> {
        let trace = caller.trace.clone();
        traced(self.read_at(uri, caller), trace.as_ref()).await
    }

    /// Fills in the prompt `name`.
    ///
    /// # Errors
    /// Why it is not there.
    pub(crate) async fn prompt(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        caller: Caller,
    ) -> Result<Came<Messages>, Rejected> {
        let trace = caller.trace.clone();
        traced(self.fill_in(name, arguments, caller), trace.as_ref()).await
    }

    /// Suggests values of the argument `name` that go on from `typed`, where `settled` have theirs.
    ///
    /// # Errors
    /// Why there are none. A component that suggests nothing is no error.
    pub(crate) async fn complete(
        &self,
        completed: &Completed,
        (name, typed): (&str, &str),
        settled: Vec<(String, String)>,
        caller: Caller,
    ) -> Result<Suggestions, Rejected> {
        let trace = caller.trace.clone();
        traced(self.suggest(completed, (name, typed), settled, caller), trace.as_ref()).await
    }

    async fn read_at(
        &self,
        uri: &str,
        mut caller: Caller,
    ) -> Result<Came<Vec<Resource>>, Rejected> {
        let catalog = self.catalog();
        let allowed = &caller.identity.allowed;
        let found = catalog.resource(uri).filter(|component| allowed.has_all_of(component));
        let Some(component) = found else {
            let shown = clean::bounded(uri, 200);
            return Err(Rejected::not_found(format!("Resource not found: {shown}")));
        };
        let errand = Errand { component, kind: Kind::Resource, name: uri };
        let mut receipt = Open::new(errand, &caller, self.next_call_id(), self);
        let work = async {
            self.admit(errand, &caller, &mut receipt)?;
            let fuel = component.limits.result_bytes_max;
            let enclosure = self.enclose(errand, fuel, &caller, &receipt).await?;
            let facts = caller.facts(receipt.call_id());
            let answer = provider(component)?.read(enclosure, uri, facts).await;
            match returned(errand, answer, &mut receipt)? {
                Given::Whole(said) => {
                    contents(uri, said, component, catalog.rules()).map(Came::Given)
                }
                Given::Asks(asks) => {
                    let rules = content::Rules::of(component, catalog.rules());
                    let secrets = &component.effective.secrets;
                    questions::check(asks, &caller, rules, secrets).map(Came::Asks)
                }
                Given::Extended => Err(later()),
            }
        };
        let attempted = work.await;
        let word = word_of(&attempted);
        self.conclude(errand, attempted, receipt, word).await
    }

    async fn fill_in(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        mut caller: Caller,
    ) -> Result<Came<Messages>, Rejected> {
        let catalog = self.catalog();
        let allowed = &caller.identity.allowed;
        let found = catalog.prompt(name).filter(|entry| allowed.has_all_of(entry.component()));
        let Some(entry) = found else {
            let shown = clean::bounded(name, 100);
            return Err(Rejected::arguments(format!("Unknown prompt: {shown}")));
        };
        let component = entry.component();
        let prompt = entry.prompt();
        let errand = Errand { component, kind: Kind::Prompt, name };
        let mut receipt = Open::new(errand, &caller, self.next_call_id(), self);
        let work = async {
            self.admit(errand, &caller, &mut receipt)?;
            let bytes_max = component.limits.argument_bytes_max;
            let bytes = json_bytes(&arguments);
            receipt.took(bytes);
            if bytes > bytes_max {
                return Err(Failure::ArgumentsTooLarge { bytes_max });
            }
            let arguments = prompt.arguments(arguments).map_err(Failure::Parameters)?;
            let fuel = component.limits.result_bytes_max;
            let enclosure = self.enclose(errand, fuel, &caller, &receipt).await?;
            let facts = caller.facts(receipt.call_id());
            let answer =
                provider(component)?.prompt(enclosure, &prompt.name, arguments, facts).await;
            match returned(errand, answer, &mut receipt)? {
                Given::Whole(said) => messages(said, component, catalog.rules()).map(Came::Given),
                Given::Asks(asks) => {
                    let rules = content::Rules::of(component, catalog.rules());
                    let secrets = &component.effective.secrets;
                    questions::check(asks, &caller, rules, secrets).map(Came::Asks)
                }
                Given::Extended => Err(later()),
            }
        };
        let attempted = work.await;
        let word = word_of(&attempted);
        self.conclude(errand, attempted, receipt, word).await
    }

    async fn suggest(
        &self,
        completed: &Completed,
        (name, typed): (&str, &str),
        settled: Vec<(String, String)>,
        mut caller: Caller,
    ) -> Result<Suggestions, Rejected> {
        let catalog = self.catalog();
        let unknown = |what: &str, name: &str| {
            Rejected::arguments(format!("Unknown {what}: {}", clean::bounded(name, 200)))
        };
        let allowed = &caller.identity.allowed;
        let (component, subject, shown, known) = match completed {
            Completed::Prompt(prompt) => {
                let found = catalog.prompt(prompt);
                let Some(entry) = found.filter(|entry| allowed.has_all_of(entry.component()))
                else {
                    return Err(unknown("prompt", prompt));
                };
                let known = entry.prompt().parameters.iter().any(|it| it.name == name);
                let subject = Subject::Prompt(entry.prompt().name.clone());
                (entry.component(), subject, prompt, known)
            }
            Completed::Template(template) => {
                let found = catalog.template(template);
                let Some((component, found)) = found.filter(|(it, _)| allowed.has_all_of(it))
                else {
                    return Err(unknown("resource template", template));
                };
                let known = found.pattern.variables().any(|variable| variable == name);
                let component: &Component = component;
                (component, Subject::Template(template.clone()), template, known)
            }
        };
        if !known {
            return Err(unknown(&format!("argument of {}", clean::bounded(shown, 100)), name));
        }
        if !component.surface.completes {
            return Ok(Suggestions::default());
        }
        let errand = Errand { component, kind: Kind::Completion, name: shown };
        let mut receipt = Open::new(errand, &caller, self.next_call_id(), self);
        let work = async {
            self.admit(errand, &caller, &mut receipt)?;
            let bytes_max = component.limits.argument_bytes_max;
            let bytes = settled.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
            receipt.took(bytes + typed.len());
            if bytes + typed.len() > bytes_max {
                return Err(Failure::ArgumentsTooLarge { bytes_max });
            }
            let fuel = component.limits.result_bytes_max;
            let enclosure = self.enclose(errand, fuel, &caller, &receipt).await?;
            let facts = caller.facts(receipt.call_id());
            let provider = provider(component)?;
            let answer =
                provider.complete(enclosure, &subject, (name, typed), settled, facts).await;
            suggestions(returned(errand, answer, &mut receipt)?, component)
        };
        let attempted = work.await;
        self.conclude(errand, attempted, receipt, "ok").await
    }
}

fn word_of<T>(attempted: &Result<Came<T>, Failure>) -> &'static str {
    match attempted {
        Ok(Came::Asks(_)) => "asks",
        Ok(Came::Given(_)) | Err(_) => "ok",
    }
}

/// Only providers have anything beside tools.
fn provider(component: &Component) -> Result<&Provider, Failure> {
    match &component.adapter {
        Adapter::Provider(provider) => Ok(provider),
        Adapter::Typed(_) => Err(Failure::NotYet("has tools alone")),
    }
}

fn later() -> Failure {
    Failure::NotYet("answers in words of a later portcullis:guest")
}

/// What was read at `uri`: that resource itself, or what is below it.
fn contents(
    uri: &str,
    said: Vec<ContentsSaid>,
    component: &Component,
    rules: &Rules,
) -> Result<Vec<Resource>, Failure> {
    let rules = content::Rules::of(component, rules);
    if said.is_empty() || said.len() > CONTENTS_MAX {
        return Err(broken(format!("{} contents, not 1 to {CONTENTS_MAX}", said.len())));
    }
    let mut bytes = 0_usize;
    let mut checked = Vec::with_capacity(said.len());
    for (index, said) in said.into_iter().enumerate() {
        let at = said.uri.clone();
        if !is_at_or_below(&at, uri) {
            let shown = clean::bounded(&at, 100);
            return Err(broken(format!(
                "contents.{index}: `{shown}` is neither the resource that was read nor below it"
            )));
        }
        let made = content::resource(at, said)
            .map_err(|what| broken(format!("contents.{index}: {what}")))?;
        bytes = bytes.saturating_add(made.bytes());
        if bytes > rules.bytes_max {
            return Err(Failure::ResultTooLarge { bytes_max: rules.bytes_max });
        }
        checked.push(made);
    }
    let secrets = &component.effective.secrets;
    let leaked =
        secrets.iter().find(|secret| checked.iter().any(|it| leak::in_resource(it, secret)));
    match leaked {
        Some(secret) => Err(Failure::Secret { name: secret.name.clone() }),
        None => Ok(checked),
    }
}

/// Whether `uri` is `root` or begins with it as with a directory, and climbs nowhere.
fn is_at_or_below(uri: &str, root: &str) -> bool {
    if uri == root {
        return true;
    }
    let Some(rest) = uri.strip_prefix(root.trim_end_matches('/')) else { return false };
    let climbs = |part: &str| {
        matches!(part.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | ".." | "")
    };
    rest.strip_prefix('/').is_some_and(|below| {
        crate::present::marks::uri(uri).is_ok() && !below.split(['/', '?', '#']).any(climbs)
    })
}

fn messages(said: PromptSaid, component: &Component, rules: &Rules) -> Result<Messages, Failure> {
    let rules = content::Rules::of(component, rules);
    if said.messages.is_empty() || said.messages.len() > MESSAGES_MAX {
        let count = said.messages.len();
        return Err(broken(format!("{count} messages, not 1 to {MESSAGES_MAX}")));
    }
    if said.description.as_ref().is_some_and(|text| text.len() > TEXT_BYTES_MAX) {
        return Err(broken(format!("a description of more than {TEXT_BYTES_MAX} bytes")));
    }
    let mut bytes = 0_usize;
    let mut messages = Vec::with_capacity(said.messages.len());
    for (index, message) in said.messages.into_iter().enumerate() {
        let block = content::block(message.content, rules)
            .map_err(|what| broken(format!("messages.{index}: {what}")))?;
        bytes = bytes.saturating_add(block.bytes());
        if bytes > rules.bytes_max {
            return Err(Failure::ResultTooLarge { bytes_max: rules.bytes_max });
        }
        messages.push((message.role, block));
    }
    let description = said.description.as_deref().map(clean::text);
    for secret in &component.effective.secrets {
        let is_in = |text: &String| secret.text.is_in(text.as_bytes());
        if description.as_ref().is_some_and(is_in)
            || messages.iter().any(|(_, block)| leak::in_block(block, secret))
        {
            return Err(Failure::Secret { name: secret.name.clone() });
        }
    }
    Ok(Messages { description, messages })
}

fn suggestions(said: Suggested, component: &Component) -> Result<Suggestions, Failure> {
    let bytes_max = component.limits.result_bytes_max;
    let bytes: usize = said.values.iter().map(String::len).sum();
    if bytes > bytes_max {
        return Err(Failure::ResultTooLarge { bytes_max });
    }
    if said.values.len() > VALUES_MAX {
        return Err(broken(format!("{} suggestions, more than {VALUES_MAX}", said.values.len())));
    }
    let secrets = &component.effective.secrets;
    for (index, value) in said.values.iter().enumerate() {
        if value.len() > TEXT_BYTES_MAX {
            return Err(broken(format!(
                "values.{index}: a suggestion of {} bytes, more than {TEXT_BYTES_MAX}",
                value.len()
            )));
        }
        // It becomes an argument, so it is not shown as something else.
        if !clean::is_clean(value) {
            return Err(broken(format!("values.{index}: hides characters")));
        }
        if let Some(secret) = secrets.iter().find(|it| it.text.is_in(value.as_bytes())) {
            return Err(Failure::Secret { name: secret.name.clone() });
        }
    }
    Ok(Suggestions { values: said.values, total: said.total, more: said.more })
}

fn broken(what: String) -> Failure {
    Failure::Contract(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_at_the_uri_or_below_it() {
        let root = "test://files/a";
        for uri in [root, "test://files/a/b", "test://files/a/b/c.txt"] {
            assert!(is_at_or_below(uri, root), "{uri}");
        }
        assert!(is_at_or_below("test://files/b", "test://files/"));
        for uri in [
            "test://files/ab",
            "test://files",
            "test://files/a/../b",
            "test://files/a/%2E%2e/b",
            "test://files/a//b",
            "test://files/a/",
            "file:///etc/passwd",
        ] {
            assert!(!is_at_or_below(uri, root), "{uri}");
        }
    }
}
