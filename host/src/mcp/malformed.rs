//! Requests of a known method whose parameters are not what the method takes.
//!
//! rmcp takes them for requests of a method that it does not know.

#![expect(deprecated, reason = "parts of the protocol that clients of the earlier era have")]

use rmcp::model::{
    CallToolRequestParams, CompleteRequestParams, CustomRequest, ErrorCode, ErrorData,
    GetPromptRequestParams, InitializeRequestParams, PaginatedRequestParams,
    ReadResourceRequestParams, SetLevelRequestParams, SubscribeRequestParams,
    SubscriptionsListenRequestParams, UnsubscribeRequestParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::present::clean;

/// Bytes of what is wrong that the client reads.
const FAULT_BYTES_MAX: usize = 300;

/// Methods that 2026-07-28 has no more (its changelog, SEP-2575).
const REMOVED: [&str; 5] =
    ["initialize", "logging/setLevel", "ping", "resources/subscribe", "resources/unsubscribe"];

/// What is wrong with a request that rmcp does not know, in the later era or in the one before.
pub(super) fn fault(request: CustomRequest, is_stateless: bool) -> ErrorData {
    let CustomRequest { method, params, .. } = request;
    let is_removed = is_stateless && REMOVED.contains(&method.as_str());
    let Some(read) = reader(&method).filter(|_| !is_removed) else {
        return ErrorData::new(ErrorCode::METHOD_NOT_FOUND, clean::bounded(&method, 100), None);
    };
    // What is left out is no worse than nothing.
    let fault = match params {
        None => read(Value::Object(Map::new())),
        Some(params) => read(params),
    };
    let fault = fault.unwrap_or_else(|| "`_meta` is malformed".to_owned());
    let fault = clean::bounded(&fault, FAULT_BYTES_MAX);
    ErrorData::invalid_params(format!("the parameters of {method} are malformed: {fault}"), None)
}

type Reader = fn(Value) -> Option<String>;

/// What says why parameters are not those of the method; none: there is no such method.
fn reader(method: &str) -> Option<Reader> {
    Some(match method {
        "initialize" => of::<InitializeRequestParams>,
        "ping" | "server/discover" => of::<Map<String, Value>>,
        "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" => {
            of::<PaginatedRequestParams>
        }
        "tools/call" => of::<CallToolRequestParams>,
        "logging/setLevel" => of::<SetLevelRequestParams>,
        "prompts/get" => of::<GetPromptRequestParams>,
        "resources/read" => of::<ReadResourceRequestParams>,
        "resources/subscribe" => of::<SubscribeRequestParams>,
        "resources/unsubscribe" => of::<UnsubscribeRequestParams>,
        "completion/complete" => of::<CompleteRequestParams>,
        "subscriptions/listen" => of::<SubscriptionsListenRequestParams>,
        _ => return None,
    })
}

fn of<T: DeserializeOwned>(params: Value) -> Option<String> {
    serde_json::from_value::<T>(params).err().map(|error| error.to_string())
}
