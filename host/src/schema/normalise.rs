//! From an author's schema to the published one, for both ways of being a tool.
//!
//! The published root is an object with `type: object`, whatever the author's was, and every
//! reference in it leads to its own `$defs`.

use serde_json::{Map, Value, json};

use super::hoist::{self, Hoisted};
use super::refused::{Piece, Refused};
use super::shape::{Shape, shape};
use super::{Bounds, Refs, Style, inline, tidy, titles, walk};

/// The property that a value which is not an object is wrapped in (rules W1, W2).
pub(super) const RESULT: &str = "result";

/// A schema as it is published.
#[derive(Debug)]
pub(super) struct Published {
    pub(super) schema: Map<String, Value>,
    /// What the schema is called in errors: its title, or the one that it would have.
    pub(super) name: String,
    /// Whether values are in a property [`RESULT`].
    pub(super) wraps: bool,
}

/// Publishes an output schema. `wraps`: whether it must, or must not, be wrapped; none: as its
/// shape asks for.
///
/// # Errors
/// [`Refused`] if a reference is no good, or the schema allows nothing.
pub(super) fn output(
    author: &Value,
    tool: &str,
    style: Style,
    bounds: &Bounds,
    wraps: Option<bool>,
) -> Result<Published, Refused> {
    let mut hoisted = hoist::hoist(author, &format!("{tool}Result"), style.refs)?;
    let shape = shape(&hoisted.root, &hoisted.definitions);
    let wraps = wraps.unwrap_or(match shape {
        Shape::Record | Shape::Dictionary => false,
        Shape::KeyedDictionary | Shape::Other => true,
    });
    let suffix = match shape {
        Shape::Dictionary if !wraps => "DictOutput",
        Shape::Dictionary | Shape::Record | Shape::KeyedDictionary | Shape::Other => "Output",
    };
    if wraps {
        wrap(&mut hoisted);
    } else {
        hoisted.inline_root()?;
    }
    finish(hoisted, format!("{tool}{suffix}"), style, bounds, wraps)
}

/// Publishes an input schema.
///
/// # Errors
/// [`Refused`] if a reference is no good, or the root is not a flat object.
pub(super) fn input(
    author: &Value,
    tool: &str,
    style: Style,
    bounds: &Bounds,
) -> Result<Published, Refused> {
    let mut hoisted = hoist::hoist(author, &format!("{tool}Arguments"), style.refs)?;
    hoisted.inline_root()?;
    flat(&hoisted.root)?;
    hoisted.root.entry("properties").or_insert_with(|| json!({}));
    finish(hoisted, format!("{tool}Arguments"), style, bounds, false)
}

/// Clients refuse an input schema whose root is a union.
fn flat(root: &Map<String, Value>) -> Result<(), Refused> {
    let refused = |found: &str| Err(Refused::Root { found: Piece::new(found) });
    for keyword in ["anyOf", "oneOf", "allOf", "$ref", "enum", "const"] {
        if root.contains_key(keyword) {
            return refused(keyword);
        }
    }
    match root.get("type") {
        None => Ok(()),
        Some(kind) if *kind == "object" || *kind == json!(["object"]) => Ok(()),
        Some(kind) => refused(&format!("type: {kind}")),
    }
}

fn wrap(hoisted: &mut Hoisted) {
    let inner = match hoisted.root_name.clone() {
        Some(name) => {
            let reference = hoist::reference_to(&name);
            let root = std::mem::take(&mut hoisted.root);
            hoisted.definitions.insert(name, Value::Object(root));
            reference
        }
        None => Value::Object(std::mem::take(&mut hoisted.root)),
    };
    hoisted.root.insert("properties".to_owned(), json!({ RESULT: inner }));
    hoisted.root.insert("required".to_owned(), json!([RESULT]));
}

fn finish(
    hoisted: Hoisted,
    default_name: String,
    style: Style,
    bounds: &Bounds,
    wraps: bool,
) -> Result<Published, Refused> {
    let Hoisted { mut root, definitions, root_name: _ } = hoisted;
    let name = root.get("title").and_then(Value::as_str).map_or(default_name, str::to_owned);
    root.insert("type".to_owned(), json!("object"));
    if !definitions.is_empty() {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    let mut schema = Value::Object(root);
    tidy::tidy(&mut schema);
    let Value::Object(mut schema) = schema else { return Err(Refused::Nothing) };
    if style.titles {
        schema.entry("title").or_insert_with(|| Value::String(name.clone()));
        titles::add(&mut schema);
    }
    match style.refs {
        Refs::Defs => {}
        Refs::Inline => schema = inline::inline(schema, bounds)?,
    }
    let mut schema = Value::Object(schema);
    walk::every_mut(&mut schema, &mut Map::sort_keys);
    let bytes = schema.to_string().len();
    if bytes > bounds.published_bytes_max {
        return Err(Refused::TooLarge { bytes, bytes_max: bounds.published_bytes_max });
    }
    let Value::Object(schema) = schema else { return Err(Refused::Nothing) };
    Ok(Published { schema, name, wraps })
}
