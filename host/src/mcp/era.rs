//! What a request says of its client: which era's rules hold, what it can do, what it wants to hear
//! meanwhile.

#![expect(deprecated, reason = "parts of the protocol that clients of both eras have")]

use rmcp::model::{
    ClientCapabilities, ElicitationCapability, ErrorCode, ErrorData, FormElicitationCapability,
    LoggingLevel, LoggingMessageNotificationParam, ProtocolVersion, RequestMetaObject,
    RootsCapabilities, SamplingCapability, UrlElicitationCapability,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use tokio::sync::mpsc;

use super::aside::Aside;
use super::progress;
use crate::call::{Caller, Identity, Rejected, Trace, Why};
use crate::grants::Ability;
use crate::present::{URI_BYTES_MAX, clean};
use crate::sandbox::{Level, Line, Lines, Notes};

/// Log lines that wait to be sent; further ones are dropped.
const LINES_MAX: usize = 256;

/// Whether the request is of 2026-07-28 or later: of no session, and with no requests to clients.
pub(super) fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

/// Who sent the request, as the HTTP request says that brought it. Over stdio it is whoever started
/// this program.
pub(super) fn identity(context: &RequestContext<RoleServer>) -> Identity {
    let parts = context.extensions.get::<http::request::Parts>();
    let known = parts.and_then(|parts| parts.extensions.get::<Identity>());
    known.cloned().unwrap_or_default()
}

/// What the reply to the request may carry past rmcp, where whoever sends it knows of that.
pub(super) fn aside(context: &RequestContext<RoleServer>) -> Option<&Aside> {
    let parts = context.extensions.get::<http::request::Parts>();
    parts.and_then(|parts| parts.extensions.get::<Aside>())
}

/// Who is asked what a guest asks while its call goes on. None: a client of the later era, which is never asked.
pub(super) fn asked_by(context: &RequestContext<RoleServer>) -> Option<&Peer<RoleServer>> {
    (!is_stateless(context)).then_some(&context.peer)
}

/// Who makes a request, and what it says of them.
pub(super) struct Requester<'a> {
    pub(super) identity: Identity,
    pub(super) client: ClientCapabilities,
    pub(super) meta: &'a RequestMetaObject,
    pub(super) is_stateless: bool,
}

impl<'a> Requester<'a> {
    pub(super) fn of(context: &'a RequestContext<RoleServer>) -> Self {
        Self {
            identity: identity(context),
            client: context.client_capabilities().unwrap_or_default(),
            meta: &context.meta,
            is_stateless: is_stateless(context),
        }
    }
}

/// What goes with every round of a request.
pub(super) struct Beside {
    identity: Identity,
    abilities: Vec<Ability>,
    trace: Option<Trace>,
    progress: Option<Notes>,
    log: Option<Lines>,
}

impl Beside {
    /// That of a request whose client wants to hear nothing meanwhile.
    pub(super) fn silent(requester: Requester<'_>) -> Self {
        let Requester { identity, client, meta, .. } = requester;
        let trace = meta.get_traceparent().and_then(|it| Trace::read(it, meta.get_tracestate()));
        Self { identity, abilities: abilities(&client), trace, progress: None, log: None }
    }

    pub(super) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Whoever asks in the next round.
    pub(super) fn caller(&self) -> Caller {
        Caller {
            identity: self.identity.clone(),
            abilities: self.abilities.clone(),
            trace: self.trace.clone(),
            progress: self.progress.clone(),
            log: self.log.clone(),
            ..Caller::default()
        }
    }
}

/// What the request says, and the way of notes and log lines to its client, its `peer`, which ends when that is
/// dropped. `level` is what a session of the earlier era has set.
pub(super) fn beside(
    requester: Requester<'_>,
    peer: &Peer<RoleServer>,
    level: Option<Level>,
) -> (Beside, impl Future<Output = ()> + use<>) {
    let (progress, forward_notes) = progress::channel(requester.meta, peer);
    let least = match requester.is_stateless {
        true => requester.meta.log_level().map(from_level),
        false => level,
    };
    let (log, wanted) = match least {
        Some(least) => {
            let (sink, waiting) = mpsc::channel::<Line>(LINES_MAX);
            (Some(Lines { least, sink }), Some((waiting, peer.clone())))
        }
        None => (None, None),
    };
    let forward_lines = async move {
        let Some((mut waiting, peer)) = wanted else { return };
        while let Some(line) = waiting.recv().await {
            let mut param =
                LoggingMessageNotificationParam::new(to_level(line.level), line.message.into());
            param.logger = line.logger;
            let told = peer.notify_logging_message(param).await;
            if told.is_err() {
                return;
            }
        }
    };
    let beside = Beside { progress, log, ..Beside::silent(requester) };
    (beside, async move {
        tokio::join!(forward_notes, forward_lines);
    })
}

/// What the client declared. A client that says no more of elicitation than that it has it shows
/// forms (MCP 2025-11-25, elicitation, capabilities).
fn abilities(client: &ClientCapabilities) -> Vec<Ability> {
    let mut abilities = Vec::new();
    if let Some(ElicitationCapability { form, url, .. }) = &client.elicitation {
        abilities.extend((form.is_some() || url.is_none()).then_some(Ability::ElicitForm));
        abilities.extend(url.is_some().then_some(Ability::ElicitUrl));
    }
    abilities.extend(client.sampling.is_some().then_some(Ability::Sampling));
    abilities.extend(client.roots.is_some().then_some(Ability::Roots));
    abilities
}

/// What a client would have to declare.
fn capabilities(abilities: &[Ability]) -> ClientCapabilities {
    let mut client = ClientCapabilities::default();
    for ability in abilities {
        match ability {
            Ability::ElicitForm => {
                let elicitation = client.elicitation.get_or_insert_default();
                elicitation.form = Some(FormElicitationCapability::default());
            }
            Ability::ElicitUrl => {
                let elicitation = client.elicitation.get_or_insert_default();
                elicitation.url = Some(UrlElicitationCapability::default());
            }
            Ability::Sampling => client.sampling = Some(SamplingCapability::default()),
            Ability::Roots => client.roots = Some(RootsCapabilities::default()),
        }
    }
    client
}

/// The error that names what the client would have to declare (MCP 2026-07-28).
pub(super) fn unable(abilities: &[Ability], text: &str) -> ErrorData {
    let mut error = ErrorData::missing_required_client_capability(capabilities(abilities));
    error.message = text.to_owned().into();
    error
}

/// The error of a request that is no call of a tool.
pub(super) fn rejected(rejected: Rejected, is_stateless: bool) -> ErrorData {
    let Rejected { why, text } = rejected;
    match why {
        // rmcp turns it into the code of its era.
        Why::NotFound => ErrorData::new(ErrorCode::RESOURCE_NOT_FOUND, text, None),
        Why::Arguments => ErrorData::invalid_params(text, None),
        Why::Unable(abilities) if is_stateless => unable(&abilities, &text),
        Why::Unable(_) => ErrorData::invalid_request(text, None),
        Why::Internal => ErrorData::internal_error(text, None),
    }
}

pub(super) fn from_level(level: LoggingLevel) -> Level {
    match level {
        LoggingLevel::Debug => Level::Debug,
        LoggingLevel::Info => Level::Info,
        LoggingLevel::Notice => Level::Notice,
        LoggingLevel::Warning => Level::Warning,
        LoggingLevel::Error => Level::Error,
        LoggingLevel::Critical => Level::Critical,
        LoggingLevel::Alert => Level::Alert,
        LoggingLevel::Emergency => Level::Emergency,
    }
}

fn to_level(level: Level) -> LoggingLevel {
    match level {
        Level::Debug => LoggingLevel::Debug,
        Level::Info => LoggingLevel::Info,
        Level::Notice => LoggingLevel::Notice,
        Level::Warning => LoggingLevel::Warning,
        Level::Error => LoggingLevel::Error,
        Level::Critical => LoggingLevel::Critical,
        Level::Alert => LoggingLevel::Alert,
        Level::Emergency => LoggingLevel::Emergency,
    }
}

/// What the error of a resource that is not there says beside its text.
pub(super) fn about(mut error: ErrorData, uri: &str) -> ErrorData {
    if error.code == ErrorCode::RESOURCE_NOT_FOUND {
        error.data = Some(serde_json::json!({ "uri": clean::bounded(uri, URI_BYTES_MAX) }));
    }
    error
}
