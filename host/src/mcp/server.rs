//! The requests of one client.
//!
//! A call that its client cancels is dropped and gets no reply.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorData,
    Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};

use super::answered::answered;
use super::caller::caller;
use super::changes::Changes;
use super::{caching, convert, malformed, pages, progress};
use crate::call::Asked;
use crate::catalog::Catalog;
use crate::host::Host;

/// What a client talks to.
pub(super) struct Server {
    host: Arc<Host>,
    definitions: Arc<Mutex<Definitions>>,
    /// Whether the client is told of changes without having asked.
    is_told: AtomicBool,
    /// Whether the last list that was given came before everything was loaded.
    listed_early: Arc<AtomicBool>,
}

/// The definitions of a catalog's tools.
struct Definitions {
    catalog: Arc<Catalog>,
    tools: Arc<[Tool]>,
}

impl Server {
    pub(super) fn new(host: Arc<Host>) -> Self {
        let definitions = Arc::new(Mutex::new(Definitions::of(host.catalog())));
        Self { host, definitions, is_told: AtomicBool::new(false), listed_early: Arc::default() }
    }

    /// The same for another client.
    pub(super) fn for_another(&self) -> Self {
        Self {
            host: self.host.clone(),
            definitions: self.definitions.clone(),
            is_told: AtomicBool::new(false),
            listed_early: self.listed_early.clone(),
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
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        answered(async {
            self.host.ready().await;
            let is_early = !self.host.is_ready();
            self.listed_early.store(is_early, Ordering::Relaxed);
            let (caller, tools) = (caller(&context.extensions), self.tools());
            let tools: Vec<&Tool> =
                tools.iter().filter(|tool| caller.allowed.has(&tool.name)).collect();
            let cursor = page.and_then(|page| page.cursor);
            let (tools, next_cursor) = pages::page(&tools, cursor.as_deref())?;
            let mut list = ListToolsResult::with_all_items(tools);
            list.next_cursor = next_cursor;
            caching::hint(&mut list, &caller, is_early, context.protocol_version());
            Ok(list)
        })
        .await
    }

    /// What `Mcp-Param` headers are compared with (MCP 2026-07-28, x-mcp-header).
    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools().iter().find(|tool| tool.name == name).cloned()
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(malformed::fault(request))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        answered(self.called(request, context)).await
    }
}

impl Server {
    async fn called(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let (notes, forward) = progress::channel(&context);
        let asked = Asked::new(request.name.into_owned(), arguments)
            .with_progress(notes)
            .by(caller(&context.extensions));
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
