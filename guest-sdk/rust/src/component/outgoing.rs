//! What this crate says, in the host's words.

use super::bindings::exports::portcullis::guest::tools as wit;
use super::bindings::portcullis::guest::types;
use crate::ask::{Asked, Asks, Question};
use crate::call::ClientAbilities;
use crate::content::{Annotations, Body, Content, Media};
use crate::describe::{Component, Descriptor};
use crate::error::{Error, Kind};
use crate::log::Level;
use crate::output::{Contract, Outcome};
use crate::prompt::Message;
use crate::requires::{self, Directory};
use crate::resource::{Embedded, ResourceBody};

/// The component's description.
pub(super) fn component(component: Component) -> wit::Component {
    wit::Component {
        name: component.name,
        version: component.version,
        requires: requirements(component.requires),
        tools: component.tools.into_iter().map(descriptor).collect(),
        extensions: Vec::new(),
    }
}

fn requirements(needs: requires::All) -> wit::Requirements {
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    let directory = |it: Directory| wit::DirectoryNeed {
        guest_path: it.guest_path.to_owned(),
        access: if it.writes { wit::Access::ReadWrite } else { wit::Access::ReadOnly },
    };
    wit::Requirements {
        http: owned(needs.http),
        directories: needs.directories.into_iter().map(directory).collect(),
        environment: owned(needs.environment),
        secrets: owned(needs.secrets),
        client: abilities(needs.client),
    }
}

fn descriptor(tool: Descriptor) -> wit::Descriptor {
    wit::Descriptor {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        input_schema: tool.input_schema.to_string(),
        output: match tool.contract {
            Contract::Typed(schema) => wit::OutputContract::Typed(schema.to_string()),
            Contract::ContentOnly => wit::OutputContract::ContentOnly,
        },
        hints: wit::Hints {
            read_only: tool.hints.read_only,
            destructive: tool.hints.destructive,
            idempotent: tool.hints.idempotent,
            open_world: tool.hints.open_world,
        },
        own_content: tool.own_content,
        extensions: Vec::new(),
    }
}

/// What a call gives.
pub(super) fn outcome(outcome: Outcome) -> wit::Outcome {
    match outcome {
        Outcome::Value(json) => {
            wit::Outcome::Value(wit::TypedValue { json, schema: wit::ValueSchema::Declared })
        }
        Outcome::Content(blocks) => wit::Outcome::Content(contents(blocks)),
        Outcome::Full(full) => {
            let schema = match full.exact_schema {
                Some(schema) => wit::ValueSchema::Exact(schema.to_string()),
                None => wit::ValueSchema::Declared,
            };
            let entry = |(key, value): (String, serde_json::Value)| wit::MetaEntry {
                key,
                value: value.to_string(),
            };
            wit::Outcome::Full(wit::FullResult {
                content: contents(full.content),
                value: full.json.map(|json| wit::TypedValue { json, schema }),
                meta: full.meta.into_iter().map(entry).collect(),
                is_error: full.is_error,
            })
        }
    }
}

/// What is asked, where that is why there is no outcome.
pub(super) fn asks_or_fails(error: Error) -> Result<types::InputRequired, types::Failure> {
    match error.kind {
        Kind::Asks(asks) => Ok(*asks),
        _ => Err(failure(error)),
    }
}

/// Questions, and all answers so far as their state.
pub(super) fn asks(asks: Asks) -> types::InputRequired {
    let question = |(key, Question(asked)): (String, Question)| types::KeyedQuestion {
        key,
        question: match asked {
            Asked::Form { message, schema } => {
                types::Question::Form(types::Form { message, schema: schema.to_string() })
            }
            Asked::Url { message, url } => types::Question::Url(types::UrlVisit { message, url }),
            Asked::Sampling(sampling) => types::Question::Sampling(types::Sampling {
                messages: sampling.messages.into_iter().map(message).collect(),
                system_prompt: sampling.system_prompt,
                tokens_max: sampling.tokens_max,
                temperature: sampling.temperature,
                stop_sequences: sampling.stop_sequences,
                model_hints: sampling.model_hints,
            }),
            Asked::Roots => types::Question::Roots,
        },
    };
    types::InputRequired {
        questions: asks.questions.into_iter().map(question).collect(),
        state: Some(asks.state.into_bytes()),
    }
}

/// One message.
pub(super) fn message(message: Message) -> types::Message {
    types::Message {
        role: if message.from_user { types::Role::User } else { types::Role::Assistant },
        content: content(message.content),
    }
}

/// Why there is no outcome.
pub(super) fn failure(error: Error) -> types::Failure {
    use types::FailureKind;
    let kind = match error.kind {
        Kind::Tool => FailureKind::ToolError,
        Kind::InvalidArguments => FailureKind::InvalidArguments,
        Kind::MissingAbility(needed) => FailureKind::MissingClientAbility(abilities(needed)),
        Kind::NotFound => FailureKind::NotFound,
        Kind::Internal => FailureKind::Internal,
        // Nothing can be asked there.
        Kind::Asks(_) => FailureKind::ToolError,
    };
    types::Failure { kind, message: error.message }
}

/// How urgent a line is.
pub(super) fn level(level: Level) -> types::LogLevel {
    match level {
        Level::Debug => types::LogLevel::Debug,
        Level::Info => types::LogLevel::Info,
        Level::Notice => types::LogLevel::Notice,
        Level::Warning => types::LogLevel::Warning,
        Level::Error => types::LogLevel::Error,
        Level::Critical => types::LogLevel::Critical,
        Level::Alert => types::LogLevel::Alert,
        Level::Emergency => types::LogLevel::Emergency,
    }
}

fn abilities(abilities: ClientAbilities) -> types::ClientAbilities {
    use types::ClientAbilities as Flag;
    let flags = [
        (abilities.elicit_form, Flag::ELICIT_FORM),
        (abilities.elicit_url, Flag::ELICIT_URL),
        (abilities.sampling, Flag::SAMPLING),
        (abilities.roots, Flag::ROOTS),
    ];
    let set = flags.into_iter().filter(|(set, _)| *set);
    set.fold(Flag::empty(), |all, (_, flag)| all | flag)
}

fn contents(blocks: Vec<Content>) -> Vec<types::Content> {
    blocks.into_iter().map(content).collect()
}

fn content(block: Content) -> types::Content {
    let annotations = block.annotations.map(annotations);
    match block.body {
        Body::Text(text) => types::Content::Text(types::TextBlock { text, annotations }),
        Body::Image(image) => types::Content::Image(media(image, annotations)),
        Body::Audio(audio) => types::Content::Audio(media(audio, annotations)),
        Body::Link(link) => types::Content::Link(types::ResourceLink {
            uri: link.uri,
            name: link.name,
            title: link.title,
            description: link.description,
            mime_type: link.mime_type,
            size: link.size,
            annotations,
        }),
        Body::Embedded(resource) => types::Content::Embedded(types::EmbeddedResource {
            contents: resource_contents(resource),
            annotations,
        }),
    }
}

/// A resource's contents.
pub(super) fn resource_contents(resource: Embedded) -> types::ResourceContents {
    types::ResourceContents {
        uri: resource.uri,
        mime_type: resource.mime_type,
        body: match resource.body {
            ResourceBody::Text(text) => types::ResourceBody::Text(text),
            ResourceBody::Bytes(bytes) => types::ResourceBody::Bytes(bytes),
        },
    }
}

fn media(media: Media, annotations: Option<types::Annotations>) -> types::Media {
    types::Media { data: media.data, mime_type: media.mime_type, annotations }
}

fn annotations(annotations: Annotations) -> types::Annotations {
    use types::Audience;
    let flags =
        [(annotations.for_user, Audience::USER), (annotations.for_assistant, Audience::ASSISTANT)];
    let set = flags.into_iter().filter(|(set, _)| *set);
    types::Annotations {
        audience: set.fold(Audience::empty(), |all, (_, flag)| all | flag),
        priority: annotations.priority,
        last_modified: annotations.last_modified,
    }
}
