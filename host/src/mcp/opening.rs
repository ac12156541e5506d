//! What a client may say before it has said which era it is of.
//!
//! A notification that comes too early is for nobody, and ends nothing.

use std::borrow::Cow;

use rmcp::model::{ClientRequest, GetMeta as _, JsonRpcMessage, ProtocolVersion};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// A transport that passes over what comes too early.
pub(super) struct Opening<T> {
    transport: T,
    has_begun: bool,
}

impl<T> Opening<T> {
    pub(super) fn of(transport: T) -> Self {
        Self { transport, has_begun: false }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Opening<T> {
    type Error = T::Error;

    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.transport.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.transport.receive().await?;
            match &message {
                _ if self.has_begun => {}
                JsonRpcMessage::Request(request) => self.has_begun = begins(&request.request),
                JsonRpcMessage::Notification(_)
                | JsonRpcMessage::Response(_)
                | JsonRpcMessage::Error(_) => {
                    tracing::debug!("a message before any request is passed over");
                    continue;
                }
            }
            return Some(message);
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.transport.close()
    }
}

/// Whether the request settles the era, as rmcp sees it. Asking what a server is does not.
fn begins(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => {
            let meta = request.get_meta();
            let is_whole = meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty();
            let known = |version| ProtocolVersion::KNOWN_VERSIONS.contains(&version);
            is_whole && meta.protocol_version().is_some_and(known)
        }
    }
}
