//! MCP: the only module that names rmcp.
//!
//! Nothing is decided here. Requests become calls, replies become results, and stdout carries
//! protocol messages alone.

mod answered;
mod aside;
mod asking;
mod changes;
mod convert;
mod era;
mod json_reply;
mod kept;
mod malformed;
mod opening;
mod outbox;
mod over_http;
mod over_stdio;
mod pages;
mod plain;
mod progress;
mod prompts;
mod resources;
mod said;
mod sealed;
mod server;
mod sessions;
mod told;
mod tools;
mod words;

use std::sync::Arc;

use anyhow::Context as _;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;

use crate::host::Host;
use opening::Opening;
use over_stdio::OverStdio;
use server::Server;

pub use convert::definitions;
pub use convert::result_json;
pub(crate) use kept::kept;
pub(crate) use over_http::{OverHttp, Reply};
pub(crate) use said::{Said, refuse};

/// Serves one client over stdin and stdout until it closes them.
///
/// # Errors
/// When the client breaks the handshake or the streams fail.
pub async fn serve_stdio(host: Arc<Host>) -> anyhow::Result<()> {
    let (transport, server) = OverStdio::open(Server::new(host));
    // rmcp ends what goes through it when this is dropped.
    let _ending = transport.ending();
    match server.serve(Opening::of(transport)).await {
        Ok(running) => {
            running.waiting().await.context("the server stopped")?;
            Ok(())
        }
        // A client that goes away before it says anything has done nothing wrong.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(error).context("the client did not complete the handshake"),
    }
}
