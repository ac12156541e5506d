//! Between questions and answers of this host and those of the protocol.
//!
//! What it makes was checked before; what it reads is a client's.

#![expect(deprecated, reason = "parts of the protocol that clients of both eras have")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::model::{
    AudioContent, CancelledNotificationParam, ClientResult, CreateMessageRequest,
    CreateMessageRequestParams, CreateMessageResult, ElicitRequest, ElicitRequestParams,
    ElicitResult, ElicitationAction, ElicitationSchema, ImageContent, InputRequest,
    ListRootsRequest, ListRootsResult, ModelHint, ModelPreferences, RequestId, Role as Speaker,
    SamplingMessage, SamplingMessageContentBlock, ServerRequest, TextContent,
};
use rmcp::service::{Peer, PeerRequestOptions, RoleServer};
use serde_json::Value;

use crate::call::{Question, Sampling};
use crate::component::{Heard, Role, Root, SamplingReply, UserReply};
use crate::present::{Block, Body};

/// Visits that were asked for.
static VISITS: AtomicU64 = AtomicU64::new(1);

/// A question as a client of 2026-07-28 gets it.
///
/// # Errors
/// A form that rmcp does not know.
pub(super) fn input_request(key: &str, question: &Question) -> Result<InputRequest, String> {
    Ok(match request(question, key)? {
        ServerRequest::ElicitRequest(request) => InputRequest::Elicitation(request),
        ServerRequest::CreateMessageRequest(request) => InputRequest::CreateMessage(request),
        ServerRequest::ListRootsRequest(request) => InputRequest::ListRoots(request),
        _ => return Err("this is no question".to_owned()),
    })
}

/// A question that waits for its answer. Dropping it tells the client that nobody does any more
/// (MCP 2025-11-25, cancellation).
struct Waiting {
    peer: Peer<RoleServer>,
    id: Option<RequestId>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let peer = self.peer.clone();
        let reason = Some("the request for which this was asked was cancelled".to_owned());
        tokio::spawn(async move {
            // A client that is gone needs no telling.
            let _ = peer.notify_cancelled(CancelledNotificationParam::new(Some(id), reason)).await;
        });
    }
}

/// Asks a client of the earlier era, which has `until` then. Its answer as it came.
///
/// # Errors
/// What it says instead of an answer.
pub(super) async fn ask(
    peer: &Peer<RoleServer>,
    key: &str,
    question: &Question,
    until: Instant,
) -> Result<Value, String> {
    let left = until.saturating_duration_since(Instant::now());
    let options = PeerRequestOptions::with_timeout(left);
    let sent = peer.send_cancellable_request(request(question, key)?, options).await;
    let handle = sent.map_err(|error| error.to_string())?;
    let mut waiting = Waiting { peer: peer.clone(), id: Some(handle.id.clone()) };
    let answer = handle.await_response().await;
    // Answered, or withdrawn by rmcp when its time was up.
    waiting.id = None;
    let json = |value: serde_json::Result<Value>| value.map_err(|error| error.to_string());
    match answer.map_err(|error| error.to_string())? {
        ClientResult::ElicitResult(result) => json(serde_json::to_value(result)),
        ClientResult::CreateMessageResult(result) => json(serde_json::to_value(result)),
        ClientResult::ListRootsResult(result) => json(serde_json::to_value(result)),
        other => json(serde_json::to_value(other)),
    }
}

/// Where the protocol wants a name for a visit, it is one that no other has (MCP 2025-11-25,
/// elicitation, URL mode).
fn request(question: &Question, key: &str) -> Result<ServerRequest, String> {
    Ok(match question {
        Question::Form { message, form } => {
            let schema = Value::Object(form.as_map().clone());
            let requested_schema: ElicitationSchema =
                serde_json::from_value(schema).map_err(|error| error.to_string())?;
            let message = message.clone();
            let params = ElicitRequestParams::FormElicitationParams {
                meta: None,
                message,
                requested_schema,
            };
            ServerRequest::ElicitRequest(ElicitRequest::new(params))
        }
        Question::Url { message, url } => {
            let params = ElicitRequestParams::UrlElicitationParams {
                meta: None,
                message: message.clone(),
                url: url.clone(),
                elicitation_id: format!("{key}-{}", VISITS.fetch_add(1, Ordering::Relaxed)),
            };
            ServerRequest::ElicitRequest(ElicitRequest::new(params))
        }
        Question::Sampling(sampling) => {
            ServerRequest::CreateMessageRequest(CreateMessageRequest::new(create_message(sampling)))
        }
        Question::Roots => ServerRequest::ListRootsRequest(ListRootsRequest::default()),
    })
}

fn create_message(sampling: &Sampling) -> CreateMessageRequestParams {
    let messages = sampling.messages.iter().filter_map(|(role, block)| {
        Some(SamplingMessage::new(speaker(*role), sampling_block(block)?))
    });
    let mut params = CreateMessageRequestParams::new(messages.collect(), sampling.tokens_max);
    params.system_prompt.clone_from(&sampling.system_prompt);
    #[expect(clippy::cast_possible_truncation, reason = "rmcp has single precision here")]
    let temperature = sampling.temperature.map(|degree| degree as f32);
    params.temperature = temperature;
    if !sampling.stop_sequences.is_empty() {
        params.stop_sequences = Some(sampling.stop_sequences.clone());
    }
    if !sampling.model_hints.is_empty() {
        let mut preferences = ModelPreferences::new();
        preferences.hints =
            Some(sampling.model_hints.iter().map(|hint| ModelHint::new(hint.clone())).collect());
        params.model_preferences = Some(preferences);
    }
    params
}

/// Only these were let through.
fn sampling_block(block: &Block) -> Option<SamplingMessageContentBlock> {
    match &block.body {
        Body::Text(text) => Some(SamplingMessageContentBlock::Text(TextContent::new(text.clone()))),
        Body::Image(media) => Some(SamplingMessageContentBlock::Image(ImageContent::new(
            media.data.clone(),
            media.mime_type.clone(),
        ))),
        Body::Audio(media) => Some(SamplingMessageContentBlock::Audio(AudioContent::new(
            media.data.clone(),
            media.mime_type.clone(),
        ))),
        Body::Link(_) | Body::Embedded(_) => None,
    }
}

pub(super) fn speaker(role: Role) -> Speaker {
    match role {
        Role::User => Speaker::User,
        Role::Assistant => Speaker::Assistant,
    }
}

/// What a user did with a form or a URL.
///
/// # Errors
/// What is wrong with it.
pub(super) fn user_reply(value: Value) -> Result<UserReply, String> {
    let result: ElicitResult = serde_json::from_value(value).map_err(|error| error.to_string())?;
    Ok(match result.action {
        ElicitationAction::Accept => {
            UserReply::Accepted(result.content.map(|content| content.to_string()))
        }
        ElicitationAction::Decline => UserReply::Declined,
        ElicitationAction::Cancel => UserReply::Cancelled,
        _ => return Err("an unknown action".to_owned()),
    })
}

/// What a client's model said.
///
/// # Errors
/// What is wrong with it.
pub(super) fn sampling_reply(value: Value) -> Result<SamplingReply, String> {
    let result: CreateMessageResult =
        serde_json::from_value(value).map_err(|error| error.to_string())?;
    let media = |data: &str, mime_type: String| {
        let bytes = BASE64_STANDARD.decode(data).map_err(|error| error.to_string())?;
        Ok::<_, String>((bytes, mime_type))
    };
    let mut content = Vec::new();
    for block in result.message.content.into_vec() {
        content.push(match block {
            SamplingMessageContentBlock::Text(text) => Heard::Text(text.text),
            SamplingMessageContentBlock::Image(image) => {
                let (bytes, mime_type) = media(&image.data, image.mime_type)?;
                Heard::Image { bytes, mime_type }
            }
            SamplingMessageContentBlock::Audio(audio) => {
                let (bytes, mime_type) = media(&audio.data, audio.mime_type)?;
                Heard::Audio { bytes, mime_type }
            }
            _ => return Err("the model calls a tool, which it was not given".to_owned()),
        });
    }
    let role = match result.message.role {
        Speaker::User => Role::User,
        Speaker::Assistant => Role::Assistant,
    };
    Ok(SamplingReply { role, content, model: result.model, stop_reason: result.stop_reason })
}

/// The directories that a user works in.
///
/// # Errors
/// What is wrong with them.
pub(super) fn roots(value: Value) -> Result<Vec<Root>, String> {
    let result: ListRootsResult =
        serde_json::from_value(value).map_err(|error| error.to_string())?;
    Ok(result.roots.into_iter().map(|root| Root { uri: root.uri, name: root.name }).collect())
}
