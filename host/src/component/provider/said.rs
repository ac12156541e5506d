//! What components say in words of the interface, in the host's own.

use super::{Description, completion, prompts, resources, wit};
use crate::component::asks::Message;
use crate::component::descriptor::{Descriptor, Hints};
use crate::component::outcome::{ContentsSaid, Full, Given, Outcome, PromptSaid, Suggested, Typed};
use crate::component::surface::{Parameter, Prompt, ResourceSaid, SurfaceSaid};
use crate::component::words::{abilities, contents};
use crate::grants::{Access, RequiredDir, Requires};

impl From<wit::Component> for Description {
    fn from(component: wit::Component) -> Self {
        Self {
            name: component.name,
            version: component.version,
            tools: component.tools.into_iter().map(Descriptor::from).collect(),
            requires: requires(component.requires),
            surface: SurfaceSaid::default(),
        }
    }
}

fn requires(requirements: wit::Requirements) -> Requires {
    let wit::Requirements { http, directories, environment, secrets, client } = requirements;
    let directories = directories.into_iter().map(|need| RequiredDir {
        path: need.guest_path,
        access: match need.access {
            wit::Access::ReadOnly => Access::ReadOnly,
            wit::Access::ReadWrite => Access::ReadWrite,
        },
    });
    Requires {
        http,
        directories: directories.collect(),
        environment,
        secrets,
        client: abilities(client).collect(),
    }
}

impl From<wit::Descriptor> for Descriptor {
    fn from(descriptor: wit::Descriptor) -> Self {
        Self {
            name: descriptor.name,
            title: descriptor.title,
            description: descriptor.description,
            input: descriptor.input_schema,
            output: match descriptor.output {
                wit::OutputContract::Typed(schema) => Some(schema),
                wit::OutputContract::ContentOnly => None,
            },
            hints: Hints {
                read_only: descriptor.hints.read_only,
                destructive: descriptor.hints.destructive,
                idempotent: descriptor.hints.idempotent,
                open_world: descriptor.hints.open_world,
            },
            own_content: descriptor.own_content,
        }
    }
}

impl From<wit::Outcome> for Outcome {
    fn from(outcome: wit::Outcome) -> Self {
        match outcome {
            wit::Outcome::Value(value) => Self::Value(value.into()),
            wit::Outcome::Content(blocks) => Self::Content(contents(blocks)),
            wit::Outcome::Full(full) => Self::Full(Full {
                content: contents(full.content),
                value: full.value.map(Typed::from),
                meta: full.meta.into_iter().map(|entry| (entry.key, entry.value)).collect(),
                is_error: full.is_error,
            }),
            wit::Outcome::InputRequired(asks) => Self::InputRequired(asks.into()),
            wit::Outcome::Extended(_) => Self::Extended,
        }
    }
}

impl From<wit::TypedValue> for Typed {
    fn from(value: wit::TypedValue) -> Self {
        Self {
            json: value.json,
            exact: match value.schema {
                wit::ValueSchema::Declared => None,
                wit::ValueSchema::Exact(schema) => Some(schema),
            },
        }
    }
}

impl SurfaceSaid {
    pub(super) fn add(&mut self, catalog: resources::ResourceCatalog) {
        self.resources = catalog.entries.into_iter().map(ResourceSaid::from).collect();
        self.templates = catalog.templates.into_iter().map(ResourceSaid::from).collect();
    }
}

impl From<resources::ResourceEntry> for ResourceSaid {
    fn from(entry: resources::ResourceEntry) -> Self {
        Self {
            uri: entry.uri,
            name: entry.name,
            title: entry.title,
            description: entry.description,
            mime_type: entry.mime_type,
            size: entry.size,
            notes: entry.annotations.map(Into::into),
        }
    }
}

impl From<resources::ResourceTemplate> for ResourceSaid {
    fn from(template: resources::ResourceTemplate) -> Self {
        Self {
            uri: template.uri_template,
            name: template.name,
            title: template.title,
            description: template.description,
            mime_type: template.mime_type,
            size: None,
            notes: template.annotations.map(Into::into),
        }
    }
}

impl From<prompts::Prompt> for Prompt {
    fn from(prompt: prompts::Prompt) -> Self {
        let parameter = |it: prompts::PromptParameter| Parameter {
            name: it.name,
            title: it.title,
            description: it.description,
            required: it.required,
        };
        Self {
            name: prompt.name,
            title: prompt.title,
            description: prompt.description,
            parameters: prompt.parameters.into_iter().map(parameter).collect(),
        }
    }
}

impl From<resources::ReadOutcome> for Given<Vec<ContentsSaid>> {
    fn from(outcome: resources::ReadOutcome) -> Self {
        match outcome {
            resources::ReadOutcome::Contents(contents) => {
                Self::Whole(contents.into_iter().map(ContentsSaid::from).collect())
            }
            resources::ReadOutcome::InputRequired(asks) => Self::Asks(asks.into()),
            resources::ReadOutcome::Extended(_) => Self::Extended,
        }
    }
}

impl From<prompts::PromptOutcome> for Given<PromptSaid> {
    fn from(outcome: prompts::PromptOutcome) -> Self {
        match outcome {
            prompts::PromptOutcome::Messages(said) => Self::Whole(PromptSaid {
                description: said.description,
                messages: said.messages.into_iter().map(Message::from).collect(),
            }),
            prompts::PromptOutcome::InputRequired(asks) => Self::Asks(asks.into()),
            prompts::PromptOutcome::Extended(_) => Self::Extended,
        }
    }
}

impl From<completion::Suggestions> for Suggested {
    fn from(said: completion::Suggestions) -> Self {
        Self { values: said.values, total: said.total, more: said.more }
    }
}
