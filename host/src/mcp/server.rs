//! The requests of one client.
//!
//! A call that its client cancels is dropped and gets no reply.

#![expect(deprecated, reason = "parts of the protocol that clients of both eras have")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, DiscoverResult,
    ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation, InitializeRequestParams,
    InitializeResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ServerConfig, SetLevelRequestMethod, SetLevelRequestParams, SubscribeRequestParams,
    SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};

use super::changes::Changes;
use super::resources::Subscriptions;
use super::{convert, era, pages, prompts, resources, told, tools};
use crate::catalog::Catalog;
use crate::host::Host;
use crate::sandbox::Level;

/// What a client talks to.
pub(super) struct Server {
    host: Arc<Host>,
    definitions: Mutex<Definitions>,
    /// Whether the client is told of changes without having asked.
    is_told: AtomicBool,
    /// Whether the last list that it was given came before everything was loaded.
    listed_early: AtomicBool,
    /// The least urgent log lines that the session wants.
    level: Mutex<Option<Level>>,
    subscriptions: Arc<Subscriptions>,
}

/// For how long a greeting waits for components, so that it can say what there is. Beyond that it
/// says that there may be anything.
const GREETING_WAIT: Duration = Duration::from_millis(500);

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
            level: Mutex::default(),
            subscriptions: Arc::default(),
        }
    }

    fn level(&self) -> Option<Level> {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn wait_to_list(&self) {
        self.host.ready().await;
        self.listed_early.store(!self.host.is_ready(), Ordering::Relaxed);
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
        ServerConfig::new(told::capabilities(&self.host)).with_server_info(server)
    }

    /// What a server can do is known when its components are loaded.
    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let _ = tokio::time::timeout(GREETING_WAIT, self.host.ready()).await;
        context.peer.set_peer_info(request.clone());
        self.negotiate_initialize(&request)
    }

    async fn discover(
        &self,
        _context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let _ = tokio::time::timeout(GREETING_WAIT, self.host.ready()).await;
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info()))
    }

    /// Clients of the era of handshakes are told without having asked, each change once.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let shook_hands = context.peer.peer_info().is_some();
        if !shook_hands || self.is_told.swap(true, Ordering::Relaxed) {
            return;
        }
        let subscriptions = self.subscriptions.clone();
        tokio::spawn(told::unasked(self.host.clone(), context.peer, subscriptions));
    }

    /// Clients of the later era ask to be told (MCP 2026-07-28, subscriptions/listen).
    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(told::filter(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        if *context.accepted() == SubscriptionFilter::default() {
            // Nothing of what it asked for happens here, and it did not ask for an end.
            context.cancelled().await;
            return Ok(());
        }
        // One that was given a list before everything was loaded is told of the rest.
        let early = self.listed_early.load(Ordering::Relaxed);
        let early = early.then(|| Changes::from_now(&self.host));
        self.host.ready().await;
        let changes = early.unwrap_or_else(|| Changes::from_now(&self.host));
        told::as_asked(&context, changes).await;
        Ok(())
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.wait_to_list().await;
        resources::list(&self.host, page.as_ref(), &context)
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.wait_to_list().await;
        resources::list_templates(&self.host, page.as_ref(), &context)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        unless_cancelled(&context, resources::read(&self.host, request, &context, self.level()))
            .await
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.host.ready().await;
        self.subscriptions.add(&self.host, request.uri)
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscriptions.remove(&request.uri);
        Ok(())
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.wait_to_list().await;
        prompts::list(&self.host, page.as_ref(), &context)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        unless_cancelled(&context, prompts::get(&self.host, request, &context, self.level())).await
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let completed = prompts::complete(&self.host, request, &context, self.level());
        unless_cancelled(&context, completed).await
    }

    /// Clients of the later era say it with each request.
    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if era::is_stateless(&context) {
            return Err(ErrorData::method_not_found::<SetLevelRequestMethod>());
        }
        let level = Some(era::from_level(request.level));
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = level;
        Ok(())
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.wait_to_list().await;
        let (items, next) = pages::page("tools/list", &self.tools(), page.as_ref())?;
        let mut result = ListToolsResult::with_all_items(items);
        (result.ttl_ms, result.cache_scope) = pages::list_hints(&context);
        result.next_cursor = next;
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        unless_cancelled(&context, tools::call(&self.host, request, &context, self.level())).await
    }
}

/// Drops what a client cancels: the reply would go nowhere.
async fn unless_cancelled<T>(
    context: &RequestContext<RoleServer>,
    work: impl Future<Output = Result<T, ErrorData>>,
) -> Result<T, ErrorData> {
    tokio::select! {
        () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
        done = work => done,
    }
}
