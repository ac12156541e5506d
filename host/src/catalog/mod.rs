//! The tools that are served, by the names that clients use.
//!
//! A catalog never changes once it is built: a call keeps the one that it started with, and
//! listing reads it without running anything.

use std::collections::HashMap;
use std::sync::Arc;

use crate::component::{Component, Loaded, Prompt, Resource, Template, Tool, fold};
use crate::config::Rules;
use crate::present::URI_BYTES_MAX;

/// A snapshot of all tools.
#[derive(Debug, Default)]
pub struct Catalog {
    components: Vec<Loaded>,
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    /// Components by what URIs they have, and which of their resources each is.
    resources: Vec<(Loaded, usize)>,
    templates: Vec<(Loaded, usize)>,
    prompts: Vec<PromptEntry>,
    refused: Vec<Refused>,
    rules: Rules,
}

/// A prompt under the name that clients use.
#[derive(Clone, Debug)]
pub(crate) struct PromptEntry {
    /// The name, with the component's prefix.
    pub(crate) name: String,
    component: Loaded,
    index: usize,
}

impl PromptEntry {
    /// The component that the prompt belongs to.
    pub(crate) fn component(&self) -> &Component {
        &self.component
    }

    /// The prompt.
    pub(crate) fn prompt(&self) -> &Prompt {
        &self.component.surface.prompts[self.index]
    }
}

/// A tool under the name that clients use.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name, with the component's prefix.
    pub name: String,
    component: Loaded,
    index: usize,
}

/// A tool that is not served.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Whose it is.
    pub component: String,
    /// Its name, cleaned.
    pub tool: String,
    /// Why, and what to do.
    pub reason: String,
}

impl Entry {
    /// The component that the tool belongs to.
    #[must_use]
    pub fn component(&self) -> &Component {
        &self.component
    }

    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &Tool {
        &self.component.tools[self.index]
    }
}

impl Catalog {
    /// Names the tools of `components`, whose results keep to `rules`. Of two tools whose names a reader would take for one,
    /// the earlier keeps the name.
    #[must_use]
    pub fn build(
        components: Vec<Loaded>,
        rules: Rules,
        published: impl Fn(&Component, &str) -> String,
    ) -> Self {
        let mut catalog = Self { rules, ..Self::default() };
        let mut holders: HashMap<String, (Arc<str>, String)> = HashMap::new();
        for component in components {
            catalog.refused.extend(component.refused.iter().map(|refusal| Refused {
                component: component.id.to_string(),
                tool: refusal.tool.clone(),
                reason: refusal.reason.clone(),
            }));
            for (index, tool) in component.tools.iter().enumerate() {
                let name = published(&component, &tool.name);
                if let Some((holder, held)) = holders.get(&fold(&name)) {
                    catalog.refused.push(Refused {
                        component: component.id.to_string(),
                        tool: tool.name.clone(),
                        reason: format!(
                            "component `{holder}` has a tool `{held}` already, which a reader \
                             takes for the same; write `prefix = \"{id}\"` under \
                             `[components.{id}]` in portcullis.toml",
                            id = component.id
                        ),
                    });
                    continue;
                }
                holders.insert(fold(&name), (component.id.clone(), name.clone()));
                catalog.by_name.insert(name.clone(), catalog.entries.len());
                catalog.entries.push(Entry { name, component: component.clone(), index });
            }
            catalog.add_surface(&component, &published);
            catalog.components.push(component);
        }
        catalog
    }

    /// Adds what a component has beside tools. Of two components, the earlier keeps a URI and a
    /// name.
    fn add_surface(&mut self, component: &Loaded, published: &impl Fn(&Component, &str) -> String) {
        let surface = &component.surface;
        let mut refused = Vec::new();
        let mut refuse = |what: String, holder: &str, advice: &str| {
            refused.push(Refused {
                component: component.id.to_string(),
                tool: what,
                reason: format!("component `{holder}` has it already; {advice}"),
            });
        };
        let one = "serve one of the two";
        for (index, resource) in surface.resources.iter().enumerate() {
            match self.resource(&resource.uri) {
                Some(holder) if holder.id != component.id => {
                    refuse(format!("resource {}", resource.uri), &holder.id, one);
                }
                Some(_) | None => self.resources.push((component.clone(), index)),
            }
        }
        for (index, template) in surface.templates.iter().enumerate() {
            let is_same = |(holder, at): &&(Loaded, usize)| {
                holder.surface.templates[*at].pattern.is_same(&template.pattern)
            };
            match self.templates.iter().find(is_same) {
                Some((holder, _)) => {
                    refuse(format!("template {}", template.words.uri), &holder.id, one);
                }
                None => self.templates.push((component.clone(), index)),
            }
        }
        let advice = format!(
            "write `prefix = \"{id}\"` under `[components.{id}]` in portcullis.toml",
            id = component.id
        );
        for (index, prompt) in surface.prompts.iter().enumerate() {
            let name = published(component, &prompt.name);
            match self.prompts.iter().find(|held| fold(&held.name) == fold(&name)) {
                Some(held) => {
                    refuse(format!("prompt {}", prompt.name), &held.component.id, &advice);
                }
                None => {
                    self.prompts.push(PromptEntry { name, component: component.clone(), index })
                }
            }
        }
        self.refused.extend(refused);
    }

    /// The component that has the resource at `uri`: one that lists it, or else one with a template
    /// of it.
    pub(crate) fn resource(&self, uri: &str) -> Option<&Loaded> {
        if uri.len() > URI_BYTES_MAX {
            return None;
        }
        let listed = self.resources().find(|(_, it)| it.uri == uri);
        let component = listed.map(|(component, _)| component);
        component.or_else(|| {
            let found = self.templates().find(|(_, it)| it.pattern.matches(uri));
            found.map(|(component, _)| component)
        })
    }

    /// The template that is written so.
    pub(crate) fn template(&self, text: &str) -> Option<(&Loaded, &Template)> {
        self.templates().find(|(_, it)| it.pattern.as_str() == text)
    }

    /// The prompt of exactly this name.
    pub(crate) fn prompt(&self, name: &str) -> Option<&PromptEntry> {
        self.prompts.iter().find(|it| it.name == name)
    }

    /// All served resources, in the order of the components and of their own.
    pub(crate) fn resources(&self) -> impl Iterator<Item = (&Loaded, &Resource)> {
        self.resources.iter().map(|(it, index)| (it, &it.surface.resources[*index]))
    }

    /// All served templates, likewise.
    pub(crate) fn templates(&self) -> impl Iterator<Item = (&Loaded, &Template)> {
        self.templates.iter().map(|(it, index)| (it, &it.surface.templates[*index]))
    }

    /// All served prompts, likewise.
    pub(crate) fn prompts(&self) -> &[PromptEntry] {
        &self.prompts
    }

    /// Whether any component suggests values.
    pub(crate) fn completes(&self) -> bool {
        self.components.iter().any(|it| it.surface.completes)
    }

    /// The tool of exactly this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.by_name.get(name).map(|index| &self.entries[*index])
    }

    /// The served name that is nearest to `name`, where one is near.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Option<&str> {
        let near = |entry: &&Entry| strsim::jaro_winkler(name, &entry.name) > 0.8;
        let closer = |a: &&Entry, b: &&Entry| {
            strsim::jaro_winkler(name, &a.name).total_cmp(&strsim::jaro_winkler(name, &b.name))
        };
        self.entries.iter().filter(near).max_by(closer).map(|entry| entry.name.as_str())
    }

    /// All served tools, in the order of the components and of their tools.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What results must keep to beside their schemas.
    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The tools that are not served.
    #[must_use]
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// The components, those without a served tool included.
    #[must_use]
    pub fn components(&self) -> &[Arc<Component>] {
        &self.components
    }
}
