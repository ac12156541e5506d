//! MCP over stdin and stdout.
//!
//! A call is answered by whoever ran it: its result is written where it was made, and does not wait until rmcp
//! passes it on.

use std::borrow::Cow;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use rmcp::model::{
    ClientNotification, ClientRequest, CustomResult, ErrorData, JsonRpcMessage, ProtocolVersion,
    RequestId, ServerConfig, ServerResult,
};
use rmcp::service::{
    NotificationContext, RequestContext, RoleServer, RxJsonRpcMessage, Service, TxJsonRpcMessage,
};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::{StdioReader, StdioWriter, Transport};
use serde_json::Value;
use tokio::io::AsyncWrite;

use super::aside::Aside;
use super::outbox::Outbox;
use super::server::Server;

/// Messages from a client, and the way to it.
pub(super) struct OverStdio {
    incoming: AsyncRwTransport<RoleServer, StdioReader, Refusals>,
    outbox: Outbox<StdioWriter>,
}

/// A server that writes the results of calls into an outbox itself.
pub(super) struct Direct {
    server: Server,
    outbox: Outbox<StdioWriter>,
}

impl OverStdio {
    /// The process's own stdin and stdout, and `server` as it answers there.
    pub(super) fn open(server: Server) -> (Self, Direct) {
        let (read, write) = rmcp::transport::stdio_pipes();
        let outbox = Outbox::to(write);
        let incoming = AsyncRwTransport::new_server(read, Refusals::into(&outbox));
        (Self { incoming, outbox: outbox.clone() }, Direct { server, outbox })
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
            match message {
                // The server has no results of its own making but this.
                JsonRpcMessage::Response(response)
                    if matches!(response.result, ServerResult::CustomResult(_)) =>
                {
                    Ok(())
                }
                message => outbox.send(line(&message, &Aside::default())?).await,
            }
        }
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleServer>>> + Send {
        self.incoming.receive()
    }

    async fn close(&mut self) -> io::Result<()> {
        self.outbox.close().await;
        Ok(())
    }
}

/// A message as it is sent, with what is `aside` in its place.
fn line(message: &TxJsonRpcMessage<RoleServer>, aside: &Aside) -> io::Result<Vec<u8>> {
    let mut line = aside.written(message)?;
    line.push(b'\n');
    Ok(line)
}

impl Direct {
    /// Writes the result of a call. What rmcp has of it then is a word without meaning, which the transport
    /// passes over.
    async fn written(&self, result: ServerResult, id: RequestId, aside: &Aside) -> ServerResult {
        let written = match line(&JsonRpcMessage::response(result, id), aside) {
            Ok(line) => self.outbox.send(line).await,
            Err(error) => Err(error),
        };
        if let Err(error) = written {
            tracing::debug!("a reply was not written: {error}");
        }
        ServerResult::CustomResult(CustomResult(Value::Null))
    }
}

impl Service<RoleServer> for Direct {
    async fn handle_request(
        &self,
        request: ClientRequest,
        mut context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        if !matches!(request, ClientRequest::CallToolRequest(_)) {
            return self.server.handle_request(request, context).await;
        }
        let aside = Aside::default();
        context.extensions.insert(aside.clone());
        let (id, cancelled) = (context.id.clone(), context.ct.clone());
        let result = self.server.handle_request(request, context).await?;
        if cancelled.is_cancelled() {
            // Nobody waits for it, and rmcp drops this.
            return Err(ErrorData::internal_error("cancelled", None));
        }
        Ok(self.written(result, id, &aside).await)
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.server.handle_notification(notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        Service::get_info(&self.server)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Service::supported_protocol_versions(&self.server)
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
