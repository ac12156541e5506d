//! Tools whose arguments follow more rules than types have.

use portcullis_guest::tool;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "address", extend("$anchor" = "addressDef"))]
struct Address {
    street: Option<String>,
    city: Option<String>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema, PartialEq)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
enum ContactMethod {
    Phone,
    Email,
}

/// Tool with JSON Schema 2020-12 features
#[tool(
    content_only,
    extend = r#"{
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": {
            "properties": { "contactMethod": { "const": "phone" } },
            "required": ["contactMethod"]
        },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false
    }"#
)]
fn json_schema_2020_12_tool(
    name: Option<String>,
    address: Option<Address>,
    #[rename("contactMethod")] contact_method: Option<ContactMethod>,
    phone: Option<String>,
    email: Option<String>,
) -> String {
    let by_phone = contact_method == Some(ContactMethod::Phone);
    let contact = if by_phone { phone } else { email }.unwrap_or_default();
    let address = address.map(|it| [it.street, it.city].into_iter().flatten().collect::<Vec<_>>());
    let place = address.unwrap_or_default().join(", ");
    format!("{} ({contact}) {place}", name.unwrap_or_default())
}

/// Says which region it was sent to, which proxies read in a header.
#[tool(content_only)]
fn test_custom_header(
    #[header("Region")] region: String,
    #[header("Priority")] priority: Option<u32>,
    #[header("Dry-Run")] dry_run: Option<bool>,
) -> String {
    format!("{region} {} {}", priority.unwrap_or_default(), dry_run.unwrap_or_default())
}
