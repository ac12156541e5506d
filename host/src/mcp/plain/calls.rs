//! The plain calls of a client over stdio, each in a task of its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use memchr::memmem;
use rmcp::model::RequestId;
use rmcp::service::{Peer, RoleServer};
use rmcp::transport::StdioWriter;
use serde::Deserialize;
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::{META_VERSION, METHOD, Plain};
use crate::call::Identity;
use crate::mcp::era::{self, Asker};
use crate::mcp::outbox::Outbox;
use crate::mcp::server::Server;

/// For how long calls may go on when the client has closed its side. rmcp gives its own as long.
const ENDING_MAX: Duration = Duration::from_secs(5);
const CANCELLED: &str = "notifications/cancelled";

/// The plain calls of a client. Clones are the same.
#[derive(Clone)]
pub(in crate::mcp) struct Calls(Arc<Shared>);

struct Shared {
    server: Arc<Server>,
    outbox: Outbox<StdioWriter>,
    /// The client, once rmcp has heard from it all that it has to.
    peer: OnceLock<Peer<RoleServer>>,
    running: Mutex<HashMap<RequestId, AbortHandle>>,
    /// One of them has ended.
    ended: Notify,
}

impl Calls {
    pub(in crate::mcp) fn of(server: Arc<Server>, outbox: Outbox<StdioWriter>) -> Self {
        Self(Arc::new(Shared {
            server,
            outbox,
            peer: OnceLock::new(),
            running: Mutex::default(),
            ended: Notify::new(),
        }))
    }

    /// From here on rmcp knows the client: handshakes are over.
    pub(in crate::mcp) fn begin(&self, peer: &Peer<RoleServer>) {
        self.0.peer.get_or_init(|| peer.clone());
    }

    /// Whether a line is a call that is made here, or cancels one.
    pub(in crate::mcp) fn take(&self, line: &[u8]) -> bool {
        let Some(peer) = self.0.peer.get() else { return false };
        let is_there = |text: &str| memmem::find(line, text.as_bytes()).is_some();
        match () {
            () if is_there(METHOD) => Plain::parse(line).is_some_and(|call| self.make(call, peer)),
            () if is_there(CANCELLED) => cancelled(line).is_some_and(|id| self.cancel(&id)),
            () => false,
        }
    }

    /// Whether the call is made: its client says what clients of its era say.
    fn make(&self, call: Plain, peer: &Peer<RoleServer>) -> bool {
        let shared = &self.0;
        let handshake = peer.peer_info();
        let is_of_its_era = match &handshake {
            Some(_) => !call.meta.contains_key(META_VERSION),
            None => call.is_whole(),
        };
        let mut running = shared.running();
        if !is_of_its_era || running.contains_key(&call.id) {
            return false;
        }
        let id = call.id.clone();
        let ends = Ends { shared: shared.clone(), id: id.clone() };
        let peer = peer.clone();
        let made = tokio::spawn(async move {
            let Shared { server, outbox, .. } = &*ends.shared;
            let is_stateless = handshake.is_none();
            let client = match handshake {
                Some(shaken) => Some(shaken.capabilities.clone()),
                None => call.meta.client_capabilities(),
            };
            let client = client.unwrap_or_default();
            let identity = Identity::default();
            let asker = Asker { identity, client, meta: &call.meta, is_stateless };
            let (beside, forward) = era::beside(asker, &peer, server.level());
            let made = call.made(server.host(), beside, (!is_stateless).then_some(&peer));
            // Both: what was reported comes before the reply.
            let written = match tokio::join!(made, forward) {
                (Ok(mut made), ()) => {
                    made.text.push(b'\n');
                    outbox.send(made.text).await
                }
                (Err(error), ()) => Err(error.into()),
            };
            if let Err(error) = written {
                tracing::debug!("a reply was not written: {error}");
            }
        });
        running.insert(id, made.abort_handle());
        true
    }

    /// Whether there was such a call. It gets no reply (MCP 2025-11-25, cancellation).
    fn cancel(&self, id: &RequestId) -> bool {
        match self.0.running().remove(id) {
            Some(call) => {
                call.abort();
                true
            }
            None => false,
        }
    }

    /// Waits until all calls have ended, and ends those that do not.
    pub(in crate::mcp) async fn end(&self) {
        let ended = async {
            loop {
                let mut ended = std::pin::pin!(self.0.ended.notified());
                ended.as_mut().enable();
                if self.0.running().is_empty() {
                    break;
                }
                ended.await;
            }
        };
        if tokio::time::timeout(ENDING_MAX, ended).await.is_err() {
            tracing::warn!("calls are given up that run although their client has gone");
            self.0.running().drain().for_each(|(_, call)| call.abort());
        }
    }
}

impl Shared {
    fn running(&self) -> MutexGuard<'_, HashMap<RequestId, AbortHandle>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says that a call has ended, however it did.
struct Ends {
    shared: Arc<Shared>,
    id: RequestId,
}

impl Drop for Ends {
    fn drop(&mut self) {
        self.shared.running().remove(&self.id);
        self.shared.ended.notify_waiters();
    }
}

/// The request that a notification cancels.
fn cancelled(line: &[u8]) -> Option<RequestId> {
    #[derive(Deserialize)]
    struct Message<'a> {
        method: &'a str,
        params: Params,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Params {
        request_id: RequestId,
    }
    let Message { method, params } = serde_json::from_slice(line).ok()?;
    (method == CANCELLED).then_some(params.request_id)
}
