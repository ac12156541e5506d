//! Resources and templates of them: lists, reading, subscriptions.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use rmcp::model::{
    CacheScope, ErrorData, ListResourceTemplatesResult, ListResourcesResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    Resource, ResourceTemplate,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Map;

use super::asking::{self, Resumed, Rounds};
use super::sealed::Bound;
use super::{convert, era, pages};
use crate::call::Allowed;
use crate::catalog::Catalog;
use crate::component;
use crate::host::Host;
use crate::present::clean;
use crate::sandbox::Level;

/// Resources that one session may be told of.
const SUBSCRIPTIONS_MAX: usize = 1000;

/// The definitions in rmcp's form.
pub(super) fn resources(catalog: &Catalog, allowed: &Allowed) -> Vec<Resource> {
    let visible = catalog.resources().filter(|(component, _)| allowed.has_all_of(component));
    visible.map(|(_, it)| resource(it)).collect()
}

fn resource(it: &component::Resource) -> Resource {
    let mut resource = Resource::new(it.uri.clone(), it.name.clone());
    resource.title.clone_from(&it.title);
    resource.description.clone_from(&it.description);
    resource.mime_type.clone_from(&it.mime_type);
    resource.size = it.size;
    resource.annotations = it.annotations.clone().map(convert::notes);
    resource
}

/// The definitions in rmcp's form.
pub(super) fn templates(catalog: &Catalog, allowed: &Allowed) -> Vec<ResourceTemplate> {
    let template = |it: &component::Resource| {
        let mut template = ResourceTemplate::new(it.uri.clone(), it.name.clone());
        template.title.clone_from(&it.title);
        template.description.clone_from(&it.description);
        template.mime_type.clone_from(&it.mime_type);
        template.annotations = it.annotations.clone().map(convert::notes);
        template
    };
    let visible = catalog.templates().filter(|(component, _)| allowed.has_all_of(component));
    visible.map(|(_, it)| template(&it.words)).collect()
}

pub(super) fn list(
    host: &Host,
    asked: Option<&PaginatedRequestParams>,
    context: &RequestContext<RoleServer>,
    is_early: bool,
) -> Result<ListResourcesResult, ErrorData> {
    let all = resources(&host.catalog(), &era::identity(context).allowed);
    let (items, next) = pages::page("resources/list", &all, asked)?;
    let mut result = ListResourcesResult::with_all_items(items);
    (result.ttl_ms, result.cache_scope) = pages::list_hints(context, is_early);
    result.next_cursor = next;
    Ok(result)
}

pub(super) fn list_templates(
    host: &Host,
    asked: Option<&PaginatedRequestParams>,
    context: &RequestContext<RoleServer>,
    is_early: bool,
) -> Result<ListResourceTemplatesResult, ErrorData> {
    let all = templates(&host.catalog(), &era::identity(context).allowed);
    let (items, next) = pages::page("resources/templates/list", &all, asked)?;
    let mut result = ListResourceTemplatesResult::with_all_items(items);
    (result.ttl_ms, result.cache_scope) = pages::list_hints(context, is_early);
    result.next_cursor = next;
    Ok(result)
}

/// Reads a resource, in rounds if it asks.
pub(super) async fn read(
    host: &Host,
    request: ReadResourceRequestParams,
    context: &RequestContext<RoleServer>,
    level: Option<Level>,
) -> Result<ReadResourceResponse, ErrorData> {
    let uri = request.uri;
    if host.catalog().resource(&uri).is_none() {
        host.ready().await;
    }
    let is_stateless = era::is_stateless(context);
    let identity = era::identity(context);
    let bound = Bound::Request {
        method: "resources/read",
        name: &uri,
        arguments: &Map::new(),
        identity: &identity,
    };
    let resumed = Resumed { responses: request.input_responses, state: request.request_state };
    let (beside, forward) = era::beside(era::Requester::of(context), &context.peer, level);
    let read = async {
        let beside = beside;
        asking::rounds(era::asked_by(context), &beside, &bound, resumed, |caller| async {
            let read = host.read(&uri, caller).await;
            read.map_err(|rejected| era::about(era::rejected(rejected, is_stateless), &uri))
        })
        .await
    };
    let (read, ()) = tokio::join!(read, forward);
    match read? {
        Rounds::Given(resources) => {
            let contents = resources.into_iter().map(convert::contents).collect();
            // Nothing is known of how long they stay as they are, or of whom they are for.
            let mut result = ReadResourceResult::new(contents);
            if is_stateless {
                result = result.with_ttl_ms(0).with_cache_scope(CacheScope::Private);
            }
            Ok(result.into())
        }
        Rounds::Ask(questions) => Ok(questions.into()),
        Rounds::Stuck(why) => {
            let shown = clean::bounded(&uri, 200);
            Err(ErrorData::internal_error(format!("Error reading resource {shown}: {why}"), None))
        }
    }
}

/// The resources of whose changes a session of the earlier era is told.
#[derive(Debug, Default)]
pub(super) struct Subscriptions(Mutex<BTreeSet<String>>);

impl Subscriptions {
    /// Adds the resource at `uri`.
    pub(super) fn add(&self, host: &Host, allowed: &Allowed, uri: String) -> Result<(), ErrorData> {
        if !host.catalog().resource(&uri).is_some_and(|component| allowed.has_all_of(component)) {
            let shown = clean::bounded(&uri, 200);
            let error = ErrorData::resource_not_found(format!("Resource not found: {shown}"), None);
            return Err(era::about(error, &uri));
        }
        let mut uris = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if uris.len() >= SUBSCRIPTIONS_MAX && !uris.contains(&uri) {
            let text = format!("a session may subscribe to {SUBSCRIPTIONS_MAX} resources");
            return Err(ErrorData::invalid_request(text, None));
        }
        uris.insert(uri);
        Ok(())
    }

    /// Takes the resource at `uri` out.
    pub(super) fn remove(&self, uri: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
    }

    pub(super) fn has(&self, uri: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(uri)
    }

    /// All of them.
    pub(super) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
