//! The plain calls of a client over stdio, each in a task of its own.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use memchr::memmem;
use rmcp::model::{InitializeRequestParams, RequestId};
use rmcp::service::{Peer, RoleServer};
use rmcp::transport::StdioWriter;
use serde::Deserialize;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio_util::sync::CancellationToken;

use super::lines::Take;
use super::{METHOD, Object, Plain, object};
use crate::call::Identity;
use crate::mcp::era::{self, Requester};
use crate::mcp::outbox::Outbox;
use crate::mcp::server::Server;

/// For how long calls may go on when the client has closed its side. rmcp gives those that go through it as long.
const ENDING_MAX: Duration = Duration::from_secs(5);
const CANCELLED: &str = "notifications/cancelled";

/// The plain calls of a client. Clones are the same.
#[derive(Clone)]
pub(in crate::mcp) struct Calls(Arc<Shared>);

struct Shared {
    server: Arc<Server>,
    outbox: Outbox<StdioWriter>,
    /// The client, once rmcp has heard from it all that it has to.
    client: OnceLock<Client>,
    /// What ends each of them, once it has begun.
    running: Mutex<HashMap<RequestId, Option<AbortHandle>>>,
    /// One of them has ended.
    ended: Notify,
    /// The client has closed its side: from then on rmcp passes on nothing.
    gone: CancellationToken,
    gone_since: OnceLock<Instant>,
}

struct Client {
    peer: Peer<RoleServer>,
    handshake: Option<Arc<InitializeRequestParams>>,
}

/// Ends all calls when it is dropped.
pub(in crate::mcp) struct Ending(Calls);

impl Calls {
    pub(in crate::mcp) fn of(server: Arc<Server>, outbox: Outbox<StdioWriter>) -> Self {
        Self(Arc::new(Shared {
            server,
            outbox,
            client: OnceLock::new(),
            running: Mutex::default(),
            ended: Notify::new(),
            gone: CancellationToken::new(),
            gone_since: OnceLock::new(),
        }))
    }

    /// From here on rmcp knows the client: handshakes are over.
    pub(in crate::mcp) fn begin(&self, peer: &Peer<RoleServer>) {
        let client = || Client { peer: peer.clone(), handshake: peer.peer_info() };
        self.0.client.get_or_init(client);
    }

    /// What ends them where nobody waits for their end.
    pub(in crate::mcp) fn ending(&self) -> Ending {
        Ending(self.clone())
    }

    /// Whether the call is made: its client says what clients of its era say.
    fn make(&self, call: Plain, client: &Client) -> bool {
        let Client { peer, handshake } = client;
        let is_of_its_era = match (handshake, peer.peer_info()) {
            (Some(shaken), Some(now)) => Arc::ptr_eq(shaken, &now) && call.is_bare(),
            (None, None) => call.is_whole(),
            // It shook hands since then, and rmcp knows what comes of it.
            _ => false,
        };
        if !is_of_its_era {
            return false;
        }
        let shared = self.0.clone();
        let id = call.id.clone();
        match shared.running().entry(id.clone()) {
            Entry::Occupied(_) => return false,
            Entry::Vacant(place) => place.insert(None),
        };
        let ends = Ends { shared: shared.clone(), id: id.clone() };
        let (peer, handshake) = (peer.clone(), handshake.clone());
        // Without the lock, as this may drop it at once.
        let made = tokio::spawn(async move {
            let Shared { server, outbox, gone, .. } = &*ends.shared;
            let is_stateless = handshake.is_none();
            let client = match handshake {
                Some(shaken) => Some(shaken.capabilities.clone()),
                None => call.meta.client_capabilities(),
            };
            let client = client.unwrap_or_default();
            let identity = Identity::default();
            let requester = Requester { identity, client, meta: &call.meta, is_stateless };
            let (beside, forward) = era::beside(requester, &peer, server.level());
            let forward = async {
                tokio::select! {
                    () = forward => {}
                    () = gone.cancelled() => {}
                }
            };
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
        if let Some(ends) = shared.running().get_mut(&id) {
            *ends = Some(made.abort_handle());
        }
        true
    }

    /// Whether there is such a call. It gets no reply (MCP 2025-11-25, cancellation).
    fn cancel(&self, id: &RequestId) -> bool {
        let call = self.0.running().get(id).cloned();
        if let Some(Some(call)) = &call {
            call.abort();
        }
        call.is_some()
    }

    fn abort(&self) {
        let calls: Vec<AbortHandle> = self.0.running().values().flatten().cloned().collect();
        for call in calls {
            call.abort();
        }
    }

    /// Waits until all calls have ended, and ends those that go on for too long.
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
        let until = *self.0.gone_since.get_or_init(Instant::now) + ENDING_MAX;
        if tokio::time::timeout_at(until.into(), ended).await.is_err() {
            tracing::warn!("calls are given up that run although their client has gone");
            self.abort();
        }
    }
}

impl Take for Calls {
    /// Whether a line is a call that is made here, or cancels one.
    fn take(&self, line: &[u8]) -> bool {
        let Some(client) = self.0.client.get() else { return false };
        let is_there = |text: &str| memmem::find(line, text.as_bytes()).is_some();
        if is_there(CANCELLED) && cancelled(line).is_some_and(|id| self.cancel(&id)) {
            return true;
        }
        is_there(METHOD) && Plain::parse(line).is_some_and(|call| self.make(call, client))
    }

    fn end(&self) {
        self.0.gone_since.get_or_init(Instant::now);
        self.0.gone.cancel();
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Shared {
    fn running(&self) -> MutexGuard<'_, HashMap<RequestId, Option<AbortHandle>>> {
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
    #[serde(deny_unknown_fields)]
    struct Message<'a> {
        jsonrpc: &'a str,
        method: &'a str,
        params: Object<Params>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Params {
        request_id: RequestId,
    }
    let Message { jsonrpc, method, params: Object(params) } = object(line)?;
    (jsonrpc == "2.0" && method == CANCELLED).then_some(params.request_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_cancels_and_nothing_else_does() {
        let right = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"tools/call took long"}}"#;
        assert_eq!(cancelled(right.as_bytes()), Some(RequestId::Number(7)));
        for wrong in [
            r#"{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{"requestId":7}}"#,
            r#"{"method":"notifications/cancelled","params":{"requestId":7}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[7]}"#,
            r#"["2.0","notifications/cancelled",{"requestId":7}]"#,
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"requestId":7}}"#,
        ] {
            assert_eq!(cancelled(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
