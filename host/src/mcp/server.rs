//! The requests of one client.
//!
//! A call that its client cancels is dropped and gets no reply.

#![expect(deprecated, reason = "parts of the protocol that clients of both eras have")]

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, DiscoverResult, ErrorData, GetPromptRequestParams, GetPromptResponse,
    Implementation, InitializeRequestParams, InitializeResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerConfig, SetLevelRequestMethod,
    SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use tokio::sync::Semaphore;

use super::answered::answered;
use super::changes::Changes;
use super::resources::Subscriptions;
use super::told::Greeted;
use super::{convert, era, malformed, pages, prompts, resources, told, tools};
use crate::call::Allowed;
use crate::catalog::Catalog;
use crate::host::Host;
use crate::sandbox::Level;
use crate::schema::headers;

/// What a client talks to.
pub(super) struct Server {
    host: Arc<Host>,
    definitions: Arc<Mutex<Definitions>>,
    /// Whether the client is told of changes without having asked.
    is_told: AtomicBool,
    /// Whether the last list that was given came before everything was loaded.
    listed_early: Arc<AtomicBool>,
    /// The least urgent log lines that the session wants.
    level: Mutex<Option<Level>>,
    subscriptions: Arc<Subscriptions>,
    greeted: Mutex<Greeted>,
    /// Places for `subscriptions/listen`.
    listening: Semaphore,
}

/// Requests of one session to be told of changes, at a time. Over HTTP each request of the later era is one;
/// there a client's requests are counted (`client_requests_max`).
const LISTENS_MAX: usize = 64;

/// For how long a greeting waits for components, so that it can say what there is. Beyond that it
/// says that there may be anything.
const GREETING_WAIT: Duration = Duration::from_millis(500);

/// The definitions of a catalog's tools.
struct Definitions {
    catalog: Arc<Catalog>,
    tools: Arc<[Tool]>,
    /// Those of which clients send arguments in headers as well.
    in_headers: HashMap<String, Tool>,
}

impl Server {
    pub(super) fn new(host: Arc<Host>) -> Self {
        let definitions = Arc::new(Mutex::new(Definitions::of(host.catalog())));
        Self::of(host, definitions, Arc::default())
    }

    /// The same for another client.
    pub(super) fn for_another(&self) -> Self {
        Self::of(self.host.clone(), self.definitions.clone(), self.listed_early.clone())
    }

    fn of(
        host: Arc<Host>,
        definitions: Arc<Mutex<Definitions>>,
        listed_early: Arc<AtomicBool>,
    ) -> Self {
        Self {
            host,
            definitions,
            is_told: AtomicBool::new(false),
            listed_early,
            level: Mutex::default(),
            subscriptions: Arc::default(),
            greeted: Mutex::default(),
            listening: Semaphore::new(LISTENS_MAX),
        }
    }

    /// Whether clients send arguments of the tool `name` in headers as well.
    pub(super) fn has_headers(&self, name: &str) -> bool {
        self.definitions().in_headers.contains_key(name)
    }

    fn level(&self) -> Option<Level> {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the list comes before everything is loaded.
    async fn wait_to_list(&self) -> bool {
        self.host.ready().await;
        let is_early = !self.host.is_ready();
        self.listed_early.store(is_early, Ordering::Relaxed);
        is_early
    }

    /// What is served now, and the definitions of its tools, one for each entry.
    fn served(&self) -> (Arc<Catalog>, Arc<[Tool]>) {
        let definitions = self.definitions();
        (definitions.catalog.clone(), definitions.tools.clone())
    }

    fn definitions(&self) -> MutexGuard<'_, Definitions> {
        let catalog = self.host.catalog();
        let mut definitions = self.definitions.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&definitions.catalog, &catalog) {
            *definitions = Definitions::of(catalog);
        }
        definitions
    }
}

impl Definitions {
    fn of(catalog: Arc<Catalog>) -> Self {
        let tools = convert::tools(&catalog);
        let sends = |tool: &&Tool| headers::are_named(&tool.input_schema);
        let in_headers = tools.iter().filter(sends);
        let in_headers = in_headers.map(|tool| (tool.name.to_string(), tool.clone())).collect();
        Self { catalog, tools, in_headers }
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
        // From here on: what is announced before the client says that it is there is not lost.
        let allowed = era::identity(&context).allowed;
        let is_ready = self.host.is_ready();
        let changes = is_ready.then(|| Changes::from_now(&self.host, allowed.clone()));
        let greeted = Greeted { allowed, changes };
        *self.greeted.lock().unwrap_or_else(PoisonError::into_inner) = greeted;
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
        let greeted =
            std::mem::take(&mut *self.greeted.lock().unwrap_or_else(PoisonError::into_inner));
        let subscriptions = self.subscriptions.clone();
        tokio::spawn(told::unasked(self.host.clone(), greeted, context.peer, subscriptions));
    }

    /// Clients of the later era ask to be told (MCP 2026-07-28, subscriptions/listen).
    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(told::filter(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let Ok(_place) = self.listening.try_acquire() else {
            let text = format!("a client may listen {LISTENS_MAX} times at once; end one of them");
            return Err(ErrorData::invalid_request(text, None));
        };
        if *context.accepted() == SubscriptionFilter::default() {
            // Nothing of what it asked for happens here, and it did not ask for an end.
            context.cancelled().await;
            return Ok(());
        }
        // One that was given a list before everything was loaded is told of the rest.
        let early = self.listed_early.load(Ordering::Relaxed);
        let allowed = era::identity(context.request_context()).allowed;
        let early = early.then(|| Changes::from_now(&self.host, allowed.clone()));
        self.host.ready().await;
        let changes = early.unwrap_or_else(|| Changes::from_now(&self.host, allowed));
        told::as_asked(&context, changes).await;
        Ok(())
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        answered(async {
            let is_early = self.wait_to_list().await;
            resources::list(&self.host, page.as_ref(), &context, is_early)
        })
        .await
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        answered(async {
            let is_early = self.wait_to_list().await;
            resources::list_templates(&self.host, page.as_ref(), &context, is_early)
        })
        .await
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
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.host.ready().await;
        let allowed = era::identity(&context).allowed;
        self.subscriptions.add(&self.host, &allowed, request.uri)
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
        answered(async {
            let is_early = self.wait_to_list().await;
            prompts::list(&self.host, page.as_ref(), &context, is_early)
        })
        .await
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
        unless_cancelled(&context, prompts::complete(&self.host, request, &context, self.level()))
            .await
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
        let list = async {
            let is_early = self.wait_to_list().await;
            let (catalog, tools) = self.served();
            let allowed = era::identity(&context).allowed;
            let page = page.as_ref();
            let (items, next) = match allowed {
                Allowed::All => pages::page("tools/list", &tools, page)?,
                Allowed::These(_) => {
                    let both = catalog.entries().iter().zip(tools.iter());
                    let visible = both.filter(|(entry, _)| allowed.has(entry));
                    let tools: Vec<Tool> = visible.map(|(_, tool)| tool.clone()).collect();
                    pages::page("tools/list", &tools, page)?
                }
            };
            let mut result = ListToolsResult::with_all_items(items);
            (result.ttl_ms, result.cache_scope) = pages::list_hints(&context, is_early);
            result.next_cursor = next;
            Ok(result)
        };
        answered(list).await
    }

    /// What `Mcp-Param` headers are compared with (MCP 2026-07-28, x-mcp-header), where a tool has any.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.definitions().in_headers.get(name).cloned()
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(malformed::fault(request, era::is_stateless(&context)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        unless_cancelled(&context, tools::call(&self.host, request, &context, self.level())).await
    }
}

/// Drops what a client cancels: the reply would go nowhere. `work` is large, and every future around it
/// would be as large as well, and be copied: so it is boxed before any of them has it.
fn unless_cancelled<'a, T: Send>(
    context: &'a RequestContext<RoleServer>,
    work: impl Future<Output = Result<T, ErrorData>> + Send + 'a,
) -> impl Future<Output = Result<T, ErrorData>> + Send + 'a {
    let work = Box::pin(work);
    async move {
        tokio::select! {
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
            done = answered(work) => done,
        }
    }
}
