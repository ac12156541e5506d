//! The requests of one client.
//!
//! A call that its client cancels is dropped and gets no reply.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};

use super::changes::Changes;
use super::{convert, progress};
use crate::call::Asked;
use crate::catalog::Catalog;
use crate::host::Host;

/// What a client talks to.
pub(super) struct Server {
    host: Arc<Host>,
    definitions: Mutex<Definitions>,
    /// Whether the client is told of changes without having asked.
    is_told: AtomicBool,
    /// Whether the last list that it was given came before everything was loaded.
    listed_early: AtomicBool,
}

/// The definitions of a catalog's tools.
struct Definitions {
    catalog: Arc<Catalog>,
    tools: Arc<[Tool]>,
}

impl Server {
    pub(super) fn new(host: Arc<Host>) -> Self {
        let definitions = Mutex::new(Definitions::of(host.catalog()));
        Self {
            host,
            definitions,
            is_told: AtomicBool::new(false),
            listed_early: AtomicBool::new(false),
        }
    }

    /// The definitions of what is served now.
    fn tools(&self) -> Arc<[Tool]> {
        let catalog = self.host.catalog();
        let mut definitions = self.definitions.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&definitions.catalog, &catalog) {
            *definitions = Definitions::of(catalog);
        }
        definitions.tools.clone()
    }
}

impl Definitions {
    fn of(catalog: Arc<Catalog>) -> Self {
        let tools = convert::tools(&catalog);
        Self { catalog, tools }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
            .with_title("Portcullis");
        ServerConfig::new(
            ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build(),
        )
        .with_server_info(server)
    }

    /// Clients of the era of handshakes are told without having asked, each change once.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let shook_hands = context.peer.peer_info().is_some();
        if !shook_hands || self.is_told.swap(true, Ordering::Relaxed) {
            return;
        }
        let (host, peer) = (self.host.clone(), context.peer);
        tokio::spawn(async move {
            host.ready().await;
            let mut changes = Changes::from_now(host.catalogs());
            while changes.next().await.is_some() {
                if peer.notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        });
    }

    /// Clients of the later era ask to be told (MCP 2026-07-28, subscriptions/listen).
    fn accepted_subscription_filter(
        &self,
        _requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        if context.accepted().tools_list_changed != Some(true) {
            // Nothing of what it asked for happens here, and it did not ask for an end.
            context.cancelled().await;
            return Ok(());
        }
        // One that was given a list before everything was loaded is told of the rest.
        let early = self.listed_early.load(Ordering::Relaxed);
        let early = early.then(|| Changes::from_now(self.host.catalogs()));
        self.host.ready().await;
        let mut changes = early.unwrap_or_else(|| Changes::from_now(self.host.catalogs()));
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                changed = changes.next() => {
                    let told = context.sink().notify_tool_list_changed().await;
                    if changed.is_none() || told.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.host.ready().await;
        self.listed_early.store(!self.host.is_ready(), Ordering::Relaxed);
        Ok(ListToolsResult::with_all_items(self.tools().to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let (notes, forward) = progress::channel(&context);
        let asked = Asked::new(request.name.into_owned(), arguments).with_progress(notes);
        tokio::select! {
            // The reply of a cancelled call goes nowhere: rmcp drops it.
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
            // Both: what was reported comes before the reply.
            (called, ()) = async {
                if self.host.catalog().find(&asked.tool).is_none() {
                    self.host.ready().await;
                }
                tokio::join!(self.host.call(asked), forward)
            } => match called {
                Ok(reply) => Ok(convert::result(reply).into()),
                Err(unknown) => Err(ErrorData::invalid_params(unknown.to_string(), None)),
            },
        }
    }
}
