//! The tools that are served, by the names that clients use.
//!
//! A catalog never changes once it is built: a call keeps the one that it started with, and
//! listing reads it without running anything.

use std::collections::HashMap;
use std::sync::Arc;

use crate::component::{Component, Loaded, Tool, fold};
use crate::config::Rules;

/// A snapshot of all tools.
#[derive(Debug, Default)]
pub struct Catalog {
    components: Vec<Loaded>,
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    refused: Vec<Refused>,
    rules: Rules,
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
            catalog.components.push(component);
        }
        catalog
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
