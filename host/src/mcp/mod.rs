//! MCP: the only module that names rmcp.
//!
//! Nothing is decided here. Requests become calls, replies become results, and stdout carries
//! protocol messages alone.

mod asking;
mod changes;
mod convert;
mod era;
mod pages;
mod progress;
mod prompts;
mod resources;
mod sealed;
mod server;
mod told;
mod tools;
mod words;

use std::sync::Arc;

use anyhow::Context as _;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;

use crate::host::Host;
use server::Server;

pub use convert::definitions;
pub use convert::result_json;

/// Serves one client over stdin and stdout until it closes them.
///
/// # Errors
/// When the client breaks the handshake or the streams fail.
pub async fn serve_stdio(host: Arc<Host>) -> anyhow::Result<()> {
    let server = Server::new(host);
    match server.serve(rmcp::transport::stdio_pipes()).await {
        Ok(running) => {
            running.waiting().await.context("the server stopped")?;
            Ok(())
        }
        // A client that goes away before it says anything has done nothing wrong.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(error).context("the client did not complete the handshake"),
    }
}
