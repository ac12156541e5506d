//! Notes of progress to a client that asked for them (MCP 2025-11-25, progress).

use rmcp::model::{ProgressNotificationParam, RequestMetaObject};
use rmcp::service::{Peer, RoleServer};
use tokio::sync::mpsc;

use crate::sandbox::{Note, Notes};

/// Notes that wait to be sent; further ones are dropped.
const WAITING_MAX: usize = 16;

/// Where a call's notes go, and their way to the client, which ends with the call. None where the
/// request has no progress token.
pub(super) fn channel(
    meta: &RequestMetaObject,
    peer: &Peer<RoleServer>,
) -> (Option<Notes>, impl Future<Output = ()> + use<>) {
    let (notes, wanted) = match meta.get_progress_token() {
        Some(token) => {
            let (notes, waiting) = mpsc::channel::<Note>(WAITING_MAX);
            (Some(notes), Some((token, waiting, peer.clone())))
        }
        None => (None, None),
    };
    let forward = async move {
        let Some((token, mut waiting, peer)) = wanted else { return };
        while let Some(note) = waiting.recv().await {
            let mut param = ProgressNotificationParam::new(token.clone(), note.done);
            param.total = note.total;
            param.message = note.message;
            if peer.notify_progress(param).await.is_err() {
                return;
            }
        }
    };
    (notes, forward)
}
