//! From an author's schema to the published one, for both ways of being a tool.
//!
//! The published root is an object with `type: object`, whatever the author's was, and every
//! reference in it leads to its own `$defs`.

use serde_json::{Map, Value, json};

use super::hoist::{self, Hoisted};
use super::refused::{Piece, Refused};
use super::shape::{Shape, shape};
use super::{Bounds, Refs, Style, dialect, inline, tidy, titles, walk};

/// The property that a value which is not an object is wrapped in (rules W1, W2).
pub(crate) const RESULT: &str = "result";

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
/// [`Refused`] if a reference is no good, or the root is not an object.
pub(super) fn input(
    author: &Value,
    tool: &str,
    style: Style,
    bounds: &Bounds,
) -> Result<Published, Refused> {
    let mut hoisted = hoist::hoist(author, &format!("{tool}Arguments"), style.refs)?;
    hoisted.inline_root()?;
    is_object(&hoisted.root)?;
    hoisted.root.entry("properties").or_insert_with(|| json!({}));
    finish(hoisted, format!("{tool}Arguments"), style, bounds, false)
}

/// A root that is a union and nothing else is refused by clients, and a flat object is not; what
/// an author writes beside `type: object` stays (SEP-2106).
fn is_object(root: &Map<String, Value>) -> Result<(), Refused> {
    let refused = |found: &str| Err(Refused::Root { found: Piece::new(found) });
    match root.get("type") {
        Some(kind) if *kind == "object" || *kind == json!(["object"]) => return Ok(()),
        Some(kind) => return refused(&format!("type: {kind}")),
        None => {}
    }
    for keyword in ["anyOf", "oneOf", "allOf", "$ref", "enum", "const", "not", "if"] {
        if root.contains_key(keyword) {
            return refused(keyword);
        }
    }
    Ok(())
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
    let Hoisted { mut root, definitions, root_name: _, dialect } = hoisted;
    let name = root.get("title").and_then(Value::as_str).map_or(default_name, str::to_owned);
    root.insert("type".to_owned(), json!("object"));
    if !definitions.is_empty() {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    let mut schema = Value::Object(root);
    tidy::tidy(&mut schema);
    let Value::Object(mut schema) = schema else { return Err(Refused::Nothing) };
    // What an author names stays, unless clients stumble over it.
    if let Some(dialect) = dialect.filter(dialect::is_current) {
        schema.insert("$schema".to_owned(), dialect);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn style(refs: Refs, titles: bool) -> Style {
        Style { refs, titles }
    }

    fn published(author: &Value) -> Value {
        let published = output(author, "get", Style::default(), &Bounds::default(), None).unwrap();
        Value::Object(published.schema)
    }

    #[test]
    fn what_is_not_an_object_is_wrapped() {
        let author = json!({"type": "integer", "description": "d", "format": "int64"});
        assert_eq!(
            serde_json::to_string(&published(&author)).unwrap(),
            concat!(
                r#"{"properties":{"#,
                r#""result":{"description":"d","title":"Result","type":"integer"}},"#,
                r#""required":["result"],"title":"getOutput","type":"object"}"#
            )
        );
        for author in [json!({"type": "array"}), json!({"anyOf": [{}, {}]}), json!({}), json!(true)]
        {
            assert_eq!(published(&author)["required"], json!(["result"]), "{author}");
        }
    }

    #[test]
    fn objects_stay_as_they_are() {
        let record = json!({"title": "Weather", "properties": {"wind_speed": {"type": "number"}}});
        assert_eq!(
            published(&record),
            json!({
                "properties": {"wind_speed": {"title": "Wind Speed", "type": "number"}},
                "title": "Weather",
                "type": "object",
            })
        );
        let map = json!({"type": "object", "additionalProperties": {"type": "number"}});
        assert_eq!(
            published(&map),
            json!({
                "additionalProperties": {"type": "number"},
                "title": "getDictOutput",
                "type": "object",
            })
        );
    }

    #[test]
    fn a_root_that_is_a_reference_becomes_what_it_refers_to() {
        let street = json!({"type": "object", "properties": {"name": {"type": "string"}}});
        let author = json!({"$ref": "#/$defs/Street", "$defs": {"Street": street}});
        assert_eq!(
            published(&author),
            json!({
                "properties": {"name": {"title": "Name", "type": "string"}},
                "title": "Street",
                "type": "object",
            })
        );
    }

    #[test]
    fn a_recursive_type_is_at_the_root_and_in_defs() {
        let node = json!({
            "properties": {"kids": {"items": {"title": "Kid", "$ref": "#"}, "type": "array"}},
            "title": "Node",
            "type": "object",
        });
        let mut recorded = node.clone();
        recorded["properties"]["kids"]["items"]["$ref"] = json!("#/$defs/Node");
        recorded["properties"]["kids"]["title"] = json!("Kids");
        let definition = recorded.clone();
        recorded["$defs"] = json!({"Node": definition});
        assert_eq!(published(&node), recorded);
    }

    #[test]
    fn a_recursive_union_is_wrapped_as_a_reference() {
        let branch = json!({"type": "array", "items": {"$ref": "#"}});
        let author = json!({"title": "Tree", "anyOf": [{"type": "null"}, branch]});
        let published = published(&author);
        assert_eq!(published["properties"], json!({"result": {"$ref": "#/$defs/Tree"}}));
        assert_eq!(
            published["$defs"]["Tree"]["anyOf"][1]["items"],
            json!({"$ref": "#/$defs/Tree"})
        );
    }

    #[test]
    fn an_author_s_words_stay() {
        let author = json!({
            "type": "object",
            "properties": {"a": {"type": "integer", "x-unit": "m", "examples": [1]}},
            "if": {"required": ["a"]},
            "then": {"minProperties": 1},
            "$comment": "c",
            "dependentRequired": {"a": []},
        });
        let published = published(&author);
        for keyword in ["if", "then", "$comment", "dependentRequired"] {
            assert_eq!(published[keyword], author[keyword]);
        }
        assert_eq!(published["properties"]["a"]["x-unit"], "m");
    }

    #[test]
    fn titles_can_be_left_out_and_references_inlined() {
        let author = json!({
            "type": "array",
            "items": {"$ref": "#/$defs/A"},
            "$defs": {"A": {"title": "Own", "properties": {"b": {"type": "null"}}}},
        });
        let published =
            output(&author, "get", style(Refs::Inline, false), &Bounds::default(), None).unwrap();
        assert_eq!(published.name, "getOutput");
        assert_eq!(
            Value::Object(published.schema),
            json!({
                "properties": {"result": {
                    "items": {"properties": {"b": {"type": "null"}}, "title": "Own"},
                    "type": "array",
                }},
                "required": ["result"],
                "type": "object",
            })
        );
    }

    #[test]
    fn an_input_is_an_object() {
        let load = |author: &Value| {
            input(author, "get", Style::default(), &Bounds::default())
                .map(|published| Value::Object(published.schema))
        };
        let none = json!({"properties": {}, "title": "getArguments", "type": "object"});
        for author in [json!({}), json!(true), json!({"type": "object"})] {
            assert_eq!(load(&author), Ok(none.clone()), "{author}");
        }
        let referred = json!({"$ref": "#/$defs/In", "$defs": {"In": {"properties": {"a": {}}}}});
        assert_eq!(load(&referred).unwrap()["properties"], json!({"a": {"title": "A"}}));
        for (author, found) in [
            (json!({"anyOf": [{"properties": {"a": {}}}]}), "anyOf"),
            (json!({"allOf": [{"type": "object"}]}), "allOf"),
            (json!({"type": "string"}), "type: \"string\""),
            (json!({"type": ["object", "null"]}), "type: [\"object\",\"null\"]"),
        ] {
            let error = load(&author).unwrap_err();
            assert_eq!(error, Refused::Root { found: Piece::new(found) }, "{author}");
        }
    }

    #[test]
    fn what_is_written_beside_the_type_of_an_input_stays() {
        let author = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {"address": {"$anchor": "addressDef", "type": "object"}},
            "properties": {"name": {}, "address": {"$ref": "#/$defs/address"}},
            "allOf": [{"anyOf": [{"required": ["name"]}, {"required": ["address"]}]}],
            "if": {"required": ["name"]},
            "then": {},
            "else": {},
            "additionalProperties": false,
        });
        let published = input(&author, "get", Style::default(), &Bounds::default()).unwrap().schema;
        for keyword in ["$schema", "allOf", "if", "then", "else", "additionalProperties"] {
            assert_eq!(published[keyword], author[keyword]);
        }
        assert_eq!(published["$defs"]["address"]["$anchor"], "addressDef");
    }

    #[test]
    fn a_schema_that_grows_beyond_its_bound_is_refused() {
        let bounds = Bounds { published_bytes_max: 100, ..Bounds::default() };
        let author = json!({"properties": {"a_property": {"type": "integer"}}});
        let refused = output(&author, "get", Style::default(), &bounds, None).unwrap_err();
        assert_eq!(refused, Refused::TooLarge { bytes: 105, bytes_max: 100 });
    }
}
