//! The adapter for components that export `portcullis:guest/tools@0.1.0`.
//!
//! It translates between WIT and the host's own words and decides nothing.

use wasmtime::component::InstancePre;

use super::descriptor::{Descriptor, Hints};
use super::outcome::{
    Answer, Body, Content, Full, GuestFailure, LinkSaid, Notes, Outcome, Said, Typed,
};
use crate::grants::{Ability, Access, RequiredDir, Requires};
use crate::sandbox::bindings::exports::portcullis::guest::tools::{self as wit, GuestIndices};
use crate::sandbox::bindings::portcullis::guest::types as words;
use crate::sandbox::{Enclosure, Guest, Ran};

/// A linked component and where its exports are.
pub(crate) struct Provider {
    pre: InstancePre<Guest>,
    tools: GuestIndices,
}

/// What a component says of itself.
pub(crate) struct Description {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) tools: Vec<Descriptor>,
    /// What it requires beyond running.
    pub(crate) requires: Requires,
}

/// The facts of a call that a guest is told.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) call_id: String,
    pub(crate) wants_progress: bool,
    pub(crate) principal: Option<String>,
}

impl Provider {
    /// The interface that makes a component a provider.
    pub(crate) const INTERFACE: &str = "portcullis:guest/tools";

    /// Finds the exports.
    ///
    /// # Errors
    /// When the interface lacks a function.
    pub(crate) fn new(pre: InstancePre<Guest>) -> wasmtime::Result<Self> {
        let tools = GuestIndices::new(&pre)?;
        Ok(Self { pre, tools })
    }

    pub(crate) fn pre(&self) -> &InstancePre<Guest> {
        &self.pre
    }

    /// Loads the interface on a fresh instance, which finds a record that is not ours, and
    /// lets the component describe itself.
    pub(crate) async fn describe(
        &self,
        mut enclosure: Enclosure,
    ) -> Ran<Result<Result<Description, String>, OtherInterface>> {
        let (store, deadline) = enclosure.open();
        let ended = deadline
            .bind(async {
                let instance = self.pre.instantiate_async(&mut *store).await?;
                let guest = match self.tools.load(&mut *store, &instance) {
                    Ok(guest) => guest,
                    Err(error) => return Ok(Err(OtherInterface(format!("{error:#}")))),
                };
                let described = guest.call_describe(store).await?;
                Ok(Ok(described.map(Description::from)))
            })
            .await;
        enclosure.close(ended)
    }

    /// Calls a tool on a fresh instance.
    pub(crate) async fn call(
        &self,
        mut enclosure: Enclosure,
        tool: &str,
        arguments: &str,
        facts: Facts,
    ) -> Answer {
        let request = request(facts, &enclosure);
        let (store, deadline) = enclosure.open();
        let ended = deadline
            .bind(async {
                let instance = self.pre.instantiate_async(&mut *store).await?;
                let guest = self.tools.load(&mut *store, &instance)?;
                let said = guest.call_call(store, tool, arguments, &request).await?;
                Ok(said.map(Outcome::from).map_err(GuestFailure::from))
            })
            .await;
        enclosure.close(ended)
    }
}

/// The interface is there, but not as version 0.1.0 has it.
#[derive(Debug)]
pub(crate) struct OtherInterface(pub(crate) String);

fn request(facts: Facts, enclosure: &Enclosure) -> wit::Request {
    wit::Request {
        call_id: facts.call_id,
        time_left_ms: u64::try_from(enclosure.time_left().as_millis()).unwrap_or(u64::MAX),
        client: words::ClientAbilities::empty(),
        answers: Vec::new(),
        state: None,
        wants_progress: facts.wants_progress,
        wants_log: None,
        principal: facts.principal,
        trace: None,
        extensions: Vec::new(),
    }
}

impl From<wit::Component> for Description {
    fn from(component: wit::Component) -> Self {
        Self {
            name: component.name,
            version: component.version,
            tools: component.tools.into_iter().map(Descriptor::from).collect(),
            requires: requires(component.requires),
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
            wit::Outcome::InputRequired(_) => Self::InputRequired,
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

fn contents(blocks: Vec<words::Content>) -> Vec<Said<Content>> {
    blocks.into_iter().map(content).collect()
}

fn content(block: words::Content) -> Said<Content> {
    match block {
        words::Content::Text(block) => {
            Said { what: Content::Text(block.text), notes: block.annotations.map(Notes::from) }
        }
        words::Content::Image(words::Media { data: bytes, mime_type, annotations }) => {
            Said { what: Content::Image { bytes, mime_type }, notes: annotations.map(Notes::from) }
        }
        words::Content::Audio(words::Media { data: bytes, mime_type, annotations }) => {
            Said { what: Content::Audio { bytes, mime_type }, notes: annotations.map(Notes::from) }
        }
        words::Content::Link(link) => Said {
            what: Content::Link(LinkSaid {
                uri: link.uri,
                name: link.name,
                title: link.title,
                description: link.description,
                mime_type: link.mime_type,
                size: link.size,
            }),
            notes: link.annotations.map(Notes::from),
        },
        words::Content::Embedded(words::EmbeddedResource { contents, annotations }) => Said {
            what: Content::Embedded {
                uri: contents.uri,
                mime_type: contents.mime_type,
                contents: match contents.body {
                    words::ResourceBody::Text(text) => Body::Text(text),
                    words::ResourceBody::Bytes(bytes) => Body::Bytes(bytes),
                },
            },
            notes: annotations.map(Notes::from),
        },
    }
}

impl From<words::Annotations> for Notes {
    fn from(annotations: words::Annotations) -> Self {
        Self {
            user: annotations.audience.contains(words::Audience::USER),
            assistant: annotations.audience.contains(words::Audience::ASSISTANT),
            priority: annotations.priority,
            last_modified: annotations.last_modified,
        }
    }
}

impl From<wit::Failure> for GuestFailure {
    fn from(failure: wit::Failure) -> Self {
        let message = failure.message;
        match failure.kind {
            words::FailureKind::ToolError => Self::Tool(message),
            words::FailureKind::InvalidArguments => Self::InvalidArguments(message),
            words::FailureKind::MissingClientAbility(client) => {
                let named: Vec<&str> = abilities(client).map(Ability::word).collect();
                match named.is_empty() {
                    true => Self::MissingAbility(message),
                    false => {
                        Self::MissingAbility(format!("{message} (needs {})", named.join(", ")))
                    }
                }
            }
            words::FailureKind::NotFound => Self::NotFound(message),
            words::FailureKind::Internal => Self::Internal(message),
        }
    }
}

fn abilities(client: words::ClientAbilities) -> impl Iterator<Item = Ability> {
    let known = [
        (words::ClientAbilities::ELICIT_FORM, Ability::ElicitForm),
        (words::ClientAbilities::ELICIT_URL, Ability::ElicitUrl),
        (words::ClientAbilities::SAMPLING, Ability::Sampling),
        (words::ClientAbilities::ROOTS, Ability::Roots),
    ];
    known.into_iter().filter(move |(flag, _)| client.contains(*flag)).map(|(_, ability)| ability)
}
