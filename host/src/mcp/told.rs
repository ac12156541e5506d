//! Telling a client unasked, or as it asked, of what has changed.

use std::sync::Arc;

use rmcp::model::{ResourceUpdatedNotificationParam, ServerCapabilities, SubscriptionFilter};
use rmcp::service::{Peer, RoleServer, SubscriptionContext};

use super::changes::{Changes, Told};
use super::resources::Subscriptions;
use crate::call::Allowed;
use crate::host::Host;

/// The import without which a component writes no log lines.
const LOG: &str = "portcullis:guest/log";

/// What this server can do: what some component can. As long as they are being loaded, that is
/// anything.
pub(super) fn capabilities(host: &Host) -> ServerCapabilities {
    let all = !host.is_ready();
    let catalog = host.catalog();
    let is_log = |import: &String| import.split('@').next() == Some(LOG);
    let logs = || catalog.components().iter().any(|it| it.imports.iter().any(is_log));
    let mut can = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
    if all || catalog.resources().next().is_some() || catalog.templates().next().is_some() {
        let resources = can.resources.get_or_insert_default();
        resources.subscribe = Some(true);
        resources.list_changed = Some(true);
    }
    if all || !catalog.prompts().is_empty() {
        can.prompts.get_or_insert_default().list_changed = Some(true);
    }
    if all || catalog.completes() {
        can.completions = Some(Default::default());
    }
    if all || logs() {
        can.logging = Some(Default::default());
    }
    can
}

/// A client that shakes hands.
#[derive(Default)]
pub(super) struct Greeted {
    pub(super) allowed: Allowed,
    /// What has changed since; none: nothing was loaded yet.
    pub(super) changes: Option<Changes>,
}

/// Tells a client of the era of handshakes of all that it can be told of, until it goes: from
/// when it was greeted on, or from when there is something.
pub(super) async fn unasked(
    host: Arc<Host>,
    greeted: Greeted,
    peer: Peer<RoleServer>,
    subscriptions: Arc<Subscriptions>,
) {
    host.ready().await;
    let Greeted { allowed, changes } = greeted;
    let mut changes = changes.unwrap_or_else(|| Changes::from_now(&host, allowed));
    while let Some(told) = changes.next().await {
        let updated =
            |uri: &str| peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri));
        let sent = match told {
            Told::Tools => peer.notify_tool_list_changed().await,
            Told::Resources => peer.notify_resource_list_changed().await,
            Told::Prompts => peer.notify_prompt_list_changed().await,
            Told::Contents(uri) if subscriptions.has(&uri) => updated(&uri).await,
            Told::Contents(_) => Ok(()),
            Told::AllContents => {
                let mut sent = Ok(());
                for uri in subscriptions.all() {
                    sent = sent.and(updated(&uri).await);
                }
                sent
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

/// Of what a client of the later era asks to be told, that of which it can be.
pub(super) fn filter(requested: &SubscriptionFilter) -> SubscriptionFilter {
    /// Resources of one subscription.
    const URIS_MAX: usize = 1000;
    let mut filter = requested.clone();
    if let Some(uris) = &mut filter.resource_subscriptions {
        uris.truncate(URIS_MAX);
    }
    filter
}

/// Tells a client of the later era of what it has asked for, until it has enough.
pub(super) async fn as_asked(context: &SubscriptionContext, mut changes: Changes) {
    let accepted = context.accepted();
    let wants = |asked: Option<bool>| asked == Some(true);
    let uris = accepted.resource_subscriptions.as_deref().unwrap_or_default();
    let sink = context.sink();
    loop {
        let told = tokio::select! {
            () = context.cancelled() => return,
            told = changes.next() => told,
        };
        let sent = match told {
            None => return,
            Some(Told::Tools) if wants(accepted.tools_list_changed) => {
                sink.notify_tool_list_changed().await
            }
            Some(Told::Resources) if wants(accepted.resources_list_changed) => {
                sink.notify_resource_list_changed().await
            }
            Some(Told::Prompts) if wants(accepted.prompts_list_changed) => {
                sink.notify_prompt_list_changed().await
            }
            Some(Told::Contents(uri)) if uris.iter().any(|asked| **asked == *uri) => {
                sink.notify_resource_updated(&*uri).await
            }
            Some(Told::AllContents) => {
                let mut sent = Ok(());
                for uri in uris.iter().filter(|uri| changes.shows(uri)) {
                    sent = sent.and(sink.notify_resource_updated(uri.as_str()).await);
                }
                sent
            }
            Some(Told::Tools | Told::Resources | Told::Prompts | Told::Contents(_)) => Ok(()),
        };
        if sent.is_err() {
            return;
        }
    }
}
