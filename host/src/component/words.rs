//! Between the words that all of `portcullis:guest` shares and the host's own.
//!
//! It translates and decides nothing.

use super::asks::{
    Asks, Heard, Message, Question, Reply, Role, Root, Sampling, SamplingReply, UserReply,
};
use super::outcome::{Body, Content, ContentsSaid, GuestFailure, LinkSaid, Notes, Said};
use crate::grants::Ability;
use crate::sandbox::bindings::portcullis::guest::types as wit;
use crate::sandbox::{Enclosure, Level};

/// The facts of a call that a guest is told.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) call_id: String,
    pub(crate) wants_progress: bool,
    pub(crate) wants_log: Option<Level>,
    pub(crate) abilities: Vec<Ability>,
    pub(crate) principal: Option<String>,
    /// `traceparent` and `tracestate`.
    pub(crate) trace: Option<(String, Option<String>)>,
    /// What came back of the questions of an earlier round, each under its key.
    pub(crate) answers: Vec<(String, Reply)>,
    /// What the guest gave in the earlier round.
    pub(crate) state: Option<Vec<u8>>,
}

pub(super) fn request(facts: Facts, enclosure: &Enclosure) -> wit::Request {
    wit::Request {
        call_id: facts.call_id,
        time_left_ms: u64::try_from(enclosure.time_left().as_millis()).unwrap_or(u64::MAX),
        client: flags(&facts.abilities),
        answers: facts.answers.into_iter().map(answer).collect(),
        state: facts.state,
        wants_progress: facts.wants_progress,
        wants_log: facts.wants_log.map(level),
        principal: facts.principal,
        trace: facts.trace.map(|(parent, state)| wit::TraceContext { parent, state }),
        extensions: Vec::new(),
    }
}

fn level(level: Level) -> wit::LogLevel {
    match level {
        Level::Debug => wit::LogLevel::Debug,
        Level::Info => wit::LogLevel::Info,
        Level::Notice => wit::LogLevel::Notice,
        Level::Warning => wit::LogLevel::Warning,
        Level::Error => wit::LogLevel::Error,
        Level::Critical => wit::LogLevel::Critical,
        Level::Alert => wit::LogLevel::Alert,
        Level::Emergency => wit::LogLevel::Emergency,
    }
}

fn answer((key, reply): (String, Reply)) -> wit::Answer {
    let reply = match reply {
        Reply::Form(reply) => wit::Reply::Form(user_reply(reply)),
        Reply::Url(reply) => wit::Reply::Url(user_reply(reply)),
        Reply::Sampling(reply) => wit::Reply::Sampling(sampling_reply(reply)),
        Reply::Roots(roots) => {
            let root = |Root { uri, name }| wit::Root { uri, name };
            wit::Reply::Roots(roots.into_iter().map(root).collect())
        }
    };
    wit::Answer { key, reply }
}

fn user_reply(reply: UserReply) -> wit::UserReply {
    match reply {
        UserReply::Accepted(json) => wit::UserReply::Accepted(json),
        UserReply::Declined => wit::UserReply::Declined,
        UserReply::Cancelled => wit::UserReply::Cancelled,
    }
}

fn sampling_reply(reply: SamplingReply) -> wit::SamplingReply {
    let heard = |heard| match heard {
        Heard::Text(text) => wit::Content::Text(wit::TextBlock { text, annotations: None }),
        Heard::Image { bytes, mime_type } => {
            wit::Content::Image(wit::Media { data: bytes, mime_type, annotations: None })
        }
        Heard::Audio { bytes, mime_type } => {
            wit::Content::Audio(wit::Media { data: bytes, mime_type, annotations: None })
        }
    };
    wit::SamplingReply {
        role: match reply.role {
            Role::User => wit::Role::User,
            Role::Assistant => wit::Role::Assistant,
        },
        content: reply.content.into_iter().map(heard).collect(),
        model: reply.model,
        stop_reason: reply.stop_reason,
    }
}

impl From<wit::InputRequired> for Asks {
    fn from(asks: wit::InputRequired) -> Self {
        let keyed = |asked: wit::KeyedQuestion| (asked.key, asked.question.into());
        Self { questions: asks.questions.into_iter().map(keyed).collect(), state: asks.state }
    }
}

impl From<wit::Question> for Question {
    fn from(question: wit::Question) -> Self {
        match question {
            wit::Question::Form(wit::Form { message, schema }) => Self::Form { message, schema },
            wit::Question::Url(wit::UrlVisit { message, url }) => Self::Url { message, url },
            wit::Question::Sampling(sampling) => Self::Sampling(Sampling {
                messages: sampling.messages.into_iter().map(Message::from).collect(),
                system_prompt: sampling.system_prompt,
                tokens_max: sampling.tokens_max,
                temperature: sampling.temperature,
                stop_sequences: sampling.stop_sequences,
                model_hints: sampling.model_hints,
            }),
            wit::Question::Roots => Self::Roots,
        }
    }
}

impl From<wit::Message> for Message {
    fn from(message: wit::Message) -> Self {
        let role = match message.role {
            wit::Role::User => Role::User,
            wit::Role::Assistant => Role::Assistant,
        };
        Self { role, content: content(message.content) }
    }
}

pub(super) fn contents(blocks: Vec<wit::Content>) -> Vec<Said<Content>> {
    blocks.into_iter().map(content).collect()
}

fn content(block: wit::Content) -> Said<Content> {
    match block {
        wit::Content::Text(block) => {
            Said { what: Content::Text(block.text), notes: block.annotations.map(Notes::from) }
        }
        wit::Content::Image(wit::Media { data: bytes, mime_type, annotations }) => {
            Said { what: Content::Image { bytes, mime_type }, notes: annotations.map(Notes::from) }
        }
        wit::Content::Audio(wit::Media { data: bytes, mime_type, annotations }) => {
            Said { what: Content::Audio { bytes, mime_type }, notes: annotations.map(Notes::from) }
        }
        wit::Content::Link(link) => Said {
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
        wit::Content::Embedded(wit::EmbeddedResource { contents, annotations }) => {
            Said { what: Content::Embedded(contents.into()), notes: annotations.map(Notes::from) }
        }
    }
}

impl From<wit::ResourceContents> for ContentsSaid {
    fn from(contents: wit::ResourceContents) -> Self {
        Self {
            uri: contents.uri,
            mime_type: contents.mime_type,
            body: match contents.body {
                wit::ResourceBody::Text(text) => Body::Text(text),
                wit::ResourceBody::Bytes(bytes) => Body::Bytes(bytes),
            },
        }
    }
}

impl From<wit::Annotations> for Notes {
    fn from(annotations: wit::Annotations) -> Self {
        Self {
            user: annotations.audience.contains(wit::Audience::USER),
            assistant: annotations.audience.contains(wit::Audience::ASSISTANT),
            priority: annotations.priority,
            last_modified: annotations.last_modified,
        }
    }
}

impl From<wit::Failure> for GuestFailure {
    fn from(failure: wit::Failure) -> Self {
        let message = failure.message;
        match failure.kind {
            wit::FailureKind::ToolError => Self::Tool(message),
            wit::FailureKind::InvalidArguments => Self::InvalidArguments(message),
            wit::FailureKind::MissingClientAbility(client) => {
                Self::MissingAbility { message, abilities: abilities(client).collect() }
            }
            wit::FailureKind::NotFound => Self::NotFound(message),
            wit::FailureKind::Internal => Self::Internal(message),
        }
    }
}

/// Each ability and its flag.
const ABILITIES: [(wit::ClientAbilities, Ability); 4] = [
    (wit::ClientAbilities::ELICIT_FORM, Ability::ElicitForm),
    (wit::ClientAbilities::ELICIT_URL, Ability::ElicitUrl),
    (wit::ClientAbilities::SAMPLING, Ability::Sampling),
    (wit::ClientAbilities::ROOTS, Ability::Roots),
];

pub(super) fn abilities(client: wit::ClientAbilities) -> impl Iterator<Item = Ability> {
    let known = ABILITIES.into_iter();
    known.filter(move |(flag, _)| client.contains(*flag)).map(|(_, ability)| ability)
}

fn flags(abilities: &[Ability]) -> wit::ClientAbilities {
    let known = ABILITIES.into_iter().filter(|(_, ability)| abilities.contains(ability));
    known.fold(wit::ClientAbilities::empty(), |all, (flag, _)| all | flag)
}
