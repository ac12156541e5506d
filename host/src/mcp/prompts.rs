//! Prompts, and suggestions while somebody fills one in.

use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, ErrorData, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, ListPromptsResult, PaginatedRequestParams, Prompt,
    PromptArgument, PromptMessage, Reference,
};
use rmcp::service::{RequestContext, RoleServer};

use super::asking::{self, Resumed, Rounds};
use super::sealed::Bound;
use super::{convert, era, pages, words};
use crate::call::{Allowed, Completed};
use crate::catalog::{Catalog, PromptEntry};
use crate::host::Host;
use crate::present::clean;
use crate::sandbox::Level;

/// The definitions in rmcp's form.
pub(super) fn prompts(catalog: &Catalog, allowed: &Allowed) -> Vec<Prompt> {
    let visible = catalog.prompts().iter().filter(|it| allowed.has_all_of(it.component()));
    visible.map(prompt).collect()
}

fn prompt(entry: &PromptEntry) -> Prompt {
    let said = entry.prompt();
    let arguments = said.parameters.iter().map(|parameter| {
        let mut argument = PromptArgument::new(parameter.name.clone());
        argument.title.clone_from(&parameter.title);
        argument.description.clone_from(&parameter.description);
        argument.required = Some(parameter.required);
        argument
    });
    let arguments: Vec<_> = arguments.collect();
    let arguments = (!arguments.is_empty()).then_some(arguments);
    let mut prompt = Prompt::new(entry.name.clone(), said.description.clone(), arguments);
    prompt.title.clone_from(&said.title);
    prompt
}

pub(super) fn list(
    host: &Host,
    asked: Option<&PaginatedRequestParams>,
    context: &RequestContext<RoleServer>,
    is_early: bool,
) -> Result<ListPromptsResult, ErrorData> {
    let all = prompts(&host.catalog(), &era::identity(context).allowed);
    let (items, next) = pages::page("prompts/list", &all, asked)?;
    let mut result = ListPromptsResult::with_all_items(items);
    (result.ttl_ms, result.cache_scope) = pages::list_hints(context, is_early);
    result.next_cursor = next;
    Ok(result)
}

/// Fills in a prompt, in rounds if it asks.
pub(super) async fn get(
    host: &Host,
    request: GetPromptRequestParams,
    context: &RequestContext<RoleServer>,
    level: Option<Level>,
) -> Result<GetPromptResponse, ErrorData> {
    let (name, arguments) = (request.name, request.arguments.unwrap_or_default());
    if host.catalog().prompt(&name).is_none() {
        host.ready().await;
    }
    let is_stateless = era::is_stateless(context);
    let identity = era::identity(context);
    let bound = Bound::Request {
        method: "prompts/get",
        name: &name,
        arguments: &arguments,
        identity: &identity,
    };
    let resumed = Resumed { responses: request.input_responses, state: request.request_state };
    let (beside, forward) = era::beside(era::Requester::of(context), &context.peer, level);
    let got = async {
        let beside = beside;
        asking::rounds(era::asked_by(context), &beside, &bound, resumed, |caller| async {
            let got = host.prompt(&name, arguments.clone(), caller).await;
            got.map_err(|rejected| era::rejected(rejected, is_stateless))
        })
        .await
    };
    let (got, ()) = tokio::join!(got, forward);
    match got? {
        Rounds::Given(given) => {
            let messages = given.messages.into_iter().map(|(role, block)| {
                PromptMessage::new(words::speaker(role), convert::block(block))
            });
            let mut result = GetPromptResult::new(messages.collect());
            result.description = given.description;
            Ok(result.into())
        }
        Rounds::Ask(questions) => Ok(questions.into()),
        Rounds::Stuck(why) => {
            let shown = clean::bounded(&name, 100);
            Err(ErrorData::internal_error(format!("Error getting prompt {shown}: {why}"), None))
        }
    }
}

/// Suggests values of an argument.
pub(super) async fn complete(
    host: &Host,
    request: CompleteRequestParams,
    context: &RequestContext<RoleServer>,
    level: Option<Level>,
) -> Result<CompleteResult, ErrorData> {
    let completed = match request.r#ref {
        Reference::Prompt(prompt) => Completed::Prompt(prompt.name),
        Reference::Resource(template) => Completed::Template(template.uri),
        _ => return Err(ErrorData::invalid_params("an unknown kind of reference", None)),
    };
    host.ready().await;
    let settled = request.context.and_then(|context| context.arguments).unwrap_or_default();
    let mut settled: Vec<(String, String)> = settled.into_iter().collect();
    settled.sort();
    let argument = (request.argument.name.as_str(), request.argument.value.as_str());
    let (beside, forward) = era::beside(era::Requester::of(context), &context.peer, level);
    let suggest = async {
        let caller = beside.caller();
        drop(beside);
        host.complete(&completed, argument, settled, caller).await
    };
    let (suggested, ()) = tokio::join!(suggest, forward);
    let suggested =
        suggested.map_err(|rejected| era::rejected(rejected, era::is_stateless(context)))?;
    let info = CompletionInfo::with_pagination(suggested.values, suggested.total, suggested.more);
    info.map(CompleteResult::new).map_err(|error| ErrorData::internal_error(error, None))
}
