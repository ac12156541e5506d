//! Calls of tools, in rounds where they ask.

use rmcp::model::{CallToolRequestParams, CallToolResponse, ErrorData};
use rmcp::service::{Peer, RequestContext, RoleServer};

use super::aside::Aside;
use super::asking::{self, Resumed, Rounds};
use super::convert;
use super::era::{self, Beside, Requester};
use super::sealed::Bound;
use crate::call::{Asked, Called, Came};
use crate::host::Host;
use crate::present;
use crate::sandbox::Level;

/// Calls a tool.
pub(super) async fn call(
    host: &Host,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    level: Option<Level>,
) -> Result<CallToolResponse, ErrorData> {
    let (beside, forward) = era::beside(Requester::of(context), &context.peer, level);
    let made = made(host, request, beside, era::asked_by(context), era::aside(context));
    // Both: what was reported comes before the reply.
    let (made, ()) = tokio::join!(made, forward);
    made
}

/// Makes a call. What the tool asks goes to the `peer`, or back as the result; what of the reply can be kept
/// `aside` is.
pub(super) async fn made(
    host: &Host,
    request: CallToolRequestParams,
    beside: Beside,
    peer: Option<&Peer<RoleServer>>,
    aside: Option<&Aside>,
) -> Result<CallToolResponse, ErrorData> {
    let (name, arguments) = (request.name.into_owned(), request.arguments.unwrap_or_default());
    if host.catalog().find(&name).is_none() {
        host.ready().await;
    }
    let identity = beside.identity();
    let bound =
        Bound::Request { method: "tools/call", name: &name, arguments: &arguments, identity };
    let resumed = Resumed { responses: request.input_responses, state: request.request_state };
    let called = asking::rounds(peer, &beside, &bound, resumed, |caller| async {
        let asked = Asked::new(name.clone(), arguments.clone()).by(caller);
        // Boxed: all around it is copied more than once.
        match Box::pin(host.run(asked)).await {
            Ok(Called::Reply(reply)) => Ok(Came::Given((reply, Vec::new()))),
            Ok(Called::Unable(reply, abilities)) => Ok(Came::Given((reply, abilities))),
            Ok(Called::Asks(questions)) => Ok(Came::Asks(questions)),
            Err(unknown) => Err(ErrorData::invalid_params(unknown.to_string(), None)),
        }
    });
    match called.await? {
        // A client of the later era is told in a word of its own what it lacks; one of the earlier, in
        // the words of an error of the tool.
        Rounds::Given((reply, abilities)) if peer.is_none() && !abilities.is_empty() => {
            Err(era::unable(&abilities, &reply.first_text()))
        }
        Rounds::Given((reply, _)) => Ok(convert::result(reply, aside).into()),
        Rounds::Ask(questions) => Ok(questions.into()),
        Rounds::Stuck(why) => {
            let text = format!("Error executing tool {name}: {why}");
            Ok(convert::result(present::error(text), None).into())
        }
    }
}
