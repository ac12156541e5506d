//! MCP over stdin and stdout.
//!
//! Plain calls are taken out of what comes, and answered by whoever ran them (`plain`). All else is rmcp's.

use std::borrow::Cow;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use rmcp::model::{
    ClientNotification, ClientRequest, ErrorData, ProtocolVersion, ServerConfig, ServerResult,
};
use rmcp::service::{
    NotificationContext, RequestContext, RoleServer, RxJsonRpcMessage, Service, TxJsonRpcMessage,
};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::{StdioReader, StdioWriter, Transport};
use tokio::io::AsyncWrite;

use super::outbox::Outbox;
use super::plain::{Calls, Ending, Lines};
use super::server::Server;

/// Messages from a client, and the way to it.
pub(super) struct OverStdio {
    incoming: AsyncRwTransport<RoleServer, Lines<StdioReader, Calls>, Refusals>,
    outbox: Outbox<StdioWriter>,
    calls: Calls,
}

/// A server, and who has to know when its client has begun.
pub(super) struct Heard {
    server: Arc<Server>,
    calls: Calls,
}

impl OverStdio {
    /// The process's own stdin and stdout, and `server` as it answers there.
    pub(super) fn open(server: Server) -> (Self, Heard) {
        let (read, write) = rmcp::transport::stdio_pipes();
        let (outbox, server) = (Outbox::to(write), Arc::new(server));
        let calls = Calls::of(server.clone(), outbox.clone());
        let lines = Lines::of(read, calls.clone());
        let incoming = AsyncRwTransport::new_server(lines, Refusals::into(&outbox));
        (Self { incoming, outbox, calls: calls.clone() }, Heard { server, calls })
    }

    /// What ends the calls that rmcp does not know, where nobody waits for their end.
    pub(super) fn ending(&self) -> Ending {
        self.calls.ending()
    }
}

impl Transport<RoleServer> for OverStdio {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let outbox = self.outbox.clone();
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            outbox.send(line).await
        }
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleServer>>> + Send {
        self.incoming.receive()
    }

    async fn close(&mut self) -> io::Result<()> {
        self.calls.end().await;
        self.outbox.close().await;
        Ok(())
    }
}

impl Service<RoleServer> for Heard {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        // These are of handshakes.
        if !matches!(
            request,
            ClientRequest::InitializeRequest(_)
                | ClientRequest::DiscoverRequest(_)
                | ClientRequest::PingRequest(_)
        ) {
            self.calls.begin(&context.peer);
        }
        self.server.handle_request(request, context).await
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if matches!(notification, ClientNotification::InitializedNotification(_)) {
            self.calls.begin(&context.peer);
        }
        self.server.handle_notification(notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        Service::get_info(&*self.server)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Service::supported_protocol_versions(&*self.server)
    }
}

/// What rmcp answers to lines that are no messages, on its way to the outbox.
struct Refusals {
    outbox: Outbox<StdioWriter>,
    line: Vec<u8>,
    writing: Option<BoxFuture<'static, io::Result<()>>>,
}

impl Refusals {
    fn into(outbox: &Outbox<StdioWriter>) -> Self {
        Self { outbox: outbox.clone(), line: Vec::new(), writing: None }
    }
}

impl AsyncWrite for Refusals {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.line.extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.writing.is_none() && !this.line.is_empty() {
            let (outbox, line) = (this.outbox.clone(), std::mem::take(&mut this.line));
            this.writing = Some(Box::pin(async move { outbox.send(line).await }));
        }
        let Some(writing) = &mut this.writing else { return Poll::Ready(Ok(())) };
        let written = std::task::ready!(writing.as_mut().poll(context));
        this.writing = None;
        Poll::Ready(written)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}
