//! Resources.

use portcullis_guest::{complete, resource};
use serde_json::json;

use crate::media::PNG;

/// Text that is always the same.
#[resource(uri = "test://static-text", title = "Static text", mime_type = "text/plain")]
fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// Bytes that are always the same.
#[resource(uri = "test://static-binary", title = "Static bytes", mime_type = "image/png")]
fn static_binary() -> Vec<u8> {
    PNG.to_vec()
}

/// Data under an id.
#[resource(uri = "test://template/{id}/data", mime_type = "application/json")]
fn template_data(id: String) -> String {
    let data = format!("Data for ID: {id}");
    json!({ "id": id, "templateTest": true, "data": data }).to_string()
}

/// Text whose changes are announced.
#[resource(uri = "test://watched-resource", mime_type = "text/plain")]
fn watched_resource() -> &'static str {
    "Watched resource content"
}

#[complete(template = "test://template/{id}/data", argument = "id")]
fn ids(typed: String) -> Vec<String> {
    (1..=150).map(|id| id.to_string()).filter(|id| id.starts_with(&typed)).collect()
}
