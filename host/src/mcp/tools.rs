//! Calls of tools, in rounds where they ask.

use rmcp::model::{CallToolRequestParams, CallToolResponse, ErrorData};
use rmcp::service::{RequestContext, RoleServer};

use super::asking::{self, Resumed, Rounds};
use super::sealed::Bound;
use super::{convert, era};
use crate::call::{Asked, Called, Came};
use crate::grants::Ability;
use crate::host::Host;
use crate::present::{self, Reply};
use crate::sandbox::Level;

/// Calls a tool.
pub(super) async fn call(
    host: &Host,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    level: Option<Level>,
) -> Result<CallToolResponse, ErrorData> {
    let (name, arguments) = (request.name.into_owned(), request.arguments.unwrap_or_default());
    if host.catalog().find(&name).is_none() {
        host.ready().await;
    }
    let identity = era::identity(context);
    let bound = Bound::Request {
        method: "tools/call",
        name: &name,
        arguments: &arguments,
        identity: &identity,
    };
    let resumed = Resumed { responses: request.input_responses, state: request.request_state };
    let (beside, forward) = era::beside(context, level);
    let called = async {
        let beside = beside;
        asking::rounds(context, &beside, &bound, resumed, |caller| async {
            let asked = Asked::new(name.clone(), arguments.clone()).by(caller);
            // Boxed: all around it is copied more than once.
            match Box::pin(host.run(asked)).await {
                Ok(Called::Reply(reply)) => Ok(Came::Given((reply, Vec::new()))),
                Ok(Called::Unable(reply, abilities)) => Ok(Came::Given((reply, abilities))),
                Ok(Called::Asks(questions)) => Ok(Came::Asks(questions)),
                Err(unknown) => Err(ErrorData::invalid_params(unknown.to_string(), None)),
            }
        })
        .await
    };
    // Both: what was reported comes before the reply.
    let (called, ()) = tokio::join!(called, forward);
    match called? {
        Rounds::Given((reply, abilities)) => replied(reply, &abilities, context),
        Rounds::Ask(questions) => Ok(questions.into()),
        Rounds::Stuck(why) => {
            let text = format!("Error executing tool {name}: {why}");
            Ok(convert::result(present::error(text), None).into())
        }
    }
}

/// A client of the later era is told in a word of its own what it lacks; one of the earlier, in the
/// words of an error of the tool.
fn replied(
    reply: Reply,
    abilities: &[Ability],
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    match era::is_stateless(context) && !abilities.is_empty() {
        true => Err(era::unable(abilities, &reply.first_text())),
        false => Ok(convert::result(reply, era::aside(context)).into()),
    }
}
