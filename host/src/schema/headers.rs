//! Arguments that clients send in HTTP headers as well: `x-mcp-header` names the header of a
//! property, `Mcp-Param-NAME` (MCP 2026-07-28, Streamable HTTP, custom headers from tool parameters).
//!
//! Clients have to reject a tool whose annotations break the rules, so it is refused here.

use serde_json::{Map, Value};

use super::bounds::below;
use super::refused::{At, Piece, Refused};
use super::walk::{self, Step};

/// The keyword.
const KEYWORD: &str = "x-mcp-header";

/// The types of values that a header can hold.
const TYPES: [&str; 3] = ["string", "integer", "boolean"];

/// Checks the annotations of a published input schema.
///
/// # Errors
/// [`Refused::Header`] for the first that a client would reject.
pub(super) fn check(schema: &Map<String, Value>) -> Result<(), Refused> {
    let mut at = String::new();
    if schema.contains_key(KEYWORD) {
        return Err(refused(&at, "is said of a property, not of the root"));
    }
    Headers::default().within(schema, true, &mut at)
}

/// Whether `schema`, which was checked, names any header.
pub(crate) fn are_named(schema: &Map<String, Value>) -> bool {
    walk::children(schema).any(|child| match child.schema {
        Value::Object(inner) => inner.contains_key(KEYWORD) || are_named(inner),
        _ => false,
    })
}

/// The headers so far.
#[derive(Default)]
struct Headers {
    /// In lower case.
    names: Vec<String>,
}

impl Headers {
    /// `in_reach`: whether nothing but `properties` leads from the root to `schema`.
    fn within(
        &mut self,
        schema: &Map<String, Value>,
        in_reach: bool,
        at: &mut String,
    ) -> Result<(), Refused> {
        for child in walk::children(schema) {
            let Value::Object(inner) = child.schema else { continue };
            let in_reach = in_reach && child.keyword == "properties";
            below(at, Step::Key(child.keyword), |at| {
                let mut visit = |at: &mut String| {
                    if let Some(name) = inner.get(KEYWORD) {
                        self.add(name, inner, in_reach, at)?;
                    }
                    self.within(inner, in_reach, at)
                };
                match child.step {
                    Some(step) => below(at, step, visit),
                    None => visit(at),
                }
            })?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        name: &Value,
        property: &Map<String, Value>,
        in_reach: bool,
        at: &str,
    ) -> Result<(), Refused> {
        if !in_reach {
            return Err(refused(
                at,
                "is out of reach: only `properties` may lead to it, and it cannot be null",
            ));
        }
        let Some(name) = name.as_str().filter(|name| is_token(name)) else {
            return Err(refused(at, "is no name of a header: write letters, digits and `-`"));
        };
        let kind = property.get("type").and_then(Value::as_str);
        if !kind.is_some_and(|kind| TYPES.contains(&kind)) {
            let why = "needs `type` beside it: `string`, `integer` or `boolean`, and nothing else";
            return Err(refused(at, why));
        }
        let name = name.to_ascii_lowercase();
        if self.names.contains(&name) {
            return Err(refused(at, "names the header of another property (case aside)"));
        }
        self.names.push(name);
        Ok(())
    }
}

fn refused(at: &str, why: &str) -> Refused {
    Refused::Header { at: At::new(at), why: Piece::new(why) }
}

/// RFC 9110, 5.6.2.
fn is_token(name: &str) -> bool {
    let is_own = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_own)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::are_named;
    use crate::schema::{Bounds, Input, Style};

    fn load(properties: serde_json::Value) -> Result<Input, String> {
        let schema = json!({ "type": "object", "properties": properties }).to_string();
        Input::load(&schema, "t", Style::default(), &Bounds::default())
            .map_err(|refused| refused.to_string())
    }

    #[test]
    fn what_clients_accept_is_published() {
        let region = json!({ "type": "string", "x-mcp-header": "Region" });
        let input = load(json!({
            "region": region,
            "count": { "type": "integer", "x-mcp-header": "X_Count!" },
            "where": { "type": "object", "properties": {
                "inside": { "type": "boolean", "x-mcp-header": "Inside" },
                "x-mcp-header": { "type": "array", "default": [{ "x-mcp-header": "" }] },
            } },
        }));
        let published = input.unwrap().published().clone();
        assert_eq!(published["properties"]["region"]["x-mcp-header"], "Region");
        assert!(are_named(&published));
        let plain = json!({ "properties": { "x-mcp-header": { "type": "string", "default": "x-mcp-header" } } });
        assert!(!are_named(plain.as_object().unwrap()));
        assert_eq!(published["properties"]["where"]["properties"]["inside"]["type"], "boolean");
    }

    #[test]
    fn what_clients_have_to_reject_is_refused() {
        let of = |name: serde_json::Value| json!({ "type": "string", "x-mcp-header": name });
        let inside = |keyword: &str, inner: serde_json::Value| json!({ "a": { keyword: inner } });
        for (properties, at, why) in [
            (json!({ "a": of(json!("")) }), "#/properties/a", "no name of a header"),
            (json!({ "a": of(json!("a:b")) }), "#/properties/a", "no name of a header"),
            (json!({ "a": of(json!("Maß")) }), "#/properties/a", "no name of a header"),
            (json!({ "a": of(json!(["A"])) }), "#/properties/a", "no name of a header"),
            (
                json!({ "a": { "type": "number", "x-mcp-header": "A" } }),
                "#/properties/a",
                "needs `type` beside it",
            ),
            (
                json!({ "a": { "type": ["string", "null"], "x-mcp-header": "A" } }),
                "#/properties/a/anyOf/0",
                "it cannot be null",
            ),
            (json!({ "a": { "x-mcp-header": "A" } }), "#/properties/a", "needs `type` beside it"),
            (
                json!({ "a": of(json!("A")), "b": of(json!("a")) }),
                "#/properties/b",
                "the header of another property",
            ),
            (inside("items", of(json!("A"))), "#/properties/a/items", "out of reach"),
            (inside("anyOf", json!([of(json!("A"))])), "#/properties/a/anyOf/0", "out of reach"),
            (
                inside("items", json!({ "properties": { "b": of(json!("A")) } })),
                "#/properties/a/items/properties/b",
                "out of reach",
            ),
        ] {
            let refused = load(properties.clone()).unwrap_err();
            assert!(
                refused.contains(&format!("`x-mcp-header` at {at} ")),
                "{properties} {refused}"
            );
            assert!(refused.contains(why), "{properties} {refused}");
        }
        let definition = json!({
            "type": "object",
            "properties": { "a": { "$ref": "#/$defs/A" } },
            "$defs": { "A": { "type": "string", "x-mcp-header": "A" } },
        });
        let root = json!({ "type": "object", "x-mcp-header": "A" });
        for (schema, why) in [(definition, "at #/$defs/A is out of reach"), (root, "at # is said")]
        {
            let loaded =
                Input::load(&schema.to_string(), "t", Style::default(), &Bounds::default());
            let refused = loaded.unwrap_err().to_string();
            assert!(refused.contains(why), "{refused}");
        }
    }
}
