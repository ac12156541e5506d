//! What the references of a schema refer to.
//!
//! A reference stays within its document: there is nothing here that could fetch another.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::bounds::below;
use super::refused::{At, Piece, Refused};
use super::walk::{self, Step};

/// Where a reference leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// The JSON pointer of a schema; empty: the root.
    pub(super) pointer: String,
    /// Whether the reference names an anchor, wherever that is.
    pub(super) by_anchor: bool,
}

/// The names that a document gives to its schemas.
#[derive(Debug, Default)]
pub(super) struct References {
    /// The root's `$id`, without a fragment.
    id: Option<String>,
    /// From a `$anchor` or `$dynamicAnchor` to the pointer of its schema.
    anchors: HashMap<String, String>,
}

/// Calls `visit` with the keyword and the value of every reference of `schema` itself.
pub(super) fn of(schema: &Map<String, Value>) -> impl Iterator<Item = (&'static str, &str)> {
    ["$ref", "$dynamicRef"]
        .into_iter()
        .filter_map(|keyword| Some((keyword, schema.get(keyword)?.as_str()?)))
}

impl References {
    /// # Errors
    /// [`Refused`] if a schema within has an identity of its own, or two share an anchor.
    pub(super) fn within(root: &Value) -> Result<Self, Refused> {
        let id = root.get("$id").and_then(Value::as_str);
        let id = id.map(|id| id.split_once('#').map_or(id, |(document, _)| document).to_owned());
        let mut references = Self { id, anchors: HashMap::new() };
        references.gather(root, &mut String::new())?;
        Ok(references)
    }

    fn gather(&mut self, schema: &Value, at: &mut String) -> Result<(), Refused> {
        let Value::Object(map) = schema else { return Ok(()) };
        if !at.is_empty() && map.contains_key("$id") {
            let instead = "refer to the schema by a pointer or an `$anchor`";
            return Err(Refused::Keyword { at: At::new(at), keyword: "$id", instead });
        }
        self.anchors_of(map, at)?;
        for child in walk::children(map) {
            below(at, Step::Key(child.keyword), |at| match child.step {
                None => self.gather(child.schema, at),
                Some(step) => below(at, step, |at| self.gather(child.schema, at)),
            })?;
        }
        Ok(())
    }

    fn anchors_of(&mut self, map: &Map<String, Value>, at: &str) -> Result<(), Refused> {
        for keyword in ["$anchor", "$dynamicAnchor"] {
            let Some(name) = map.get(keyword).and_then(Value::as_str) else { continue };
            let earlier = self.anchors.insert(name.to_owned(), at.to_owned());
            if earlier.is_some_and(|earlier| earlier != at) {
                let why = Piece::new(&format!("the anchor `{name}` is given twice"));
                return Err(Refused::Invalid { at: At::new(at), why });
            }
        }
        Ok(())
    }

    /// Where `reference`, found at `at` under `keyword`, leads in `root`, and the schema there.
    pub(super) fn resolve<'a>(
        &self,
        root: &'a Value,
        reference: &str,
        keyword: &'static str,
        at: &str,
    ) -> Result<(Target, &'a Value), Refused> {
        let reference_of = Piece::new(reference);
        let Some((document, fragment)) = self.split(reference) else {
            return Err(Refused::Outside { at: At::new(at), keyword, reference: reference_of });
        };
        if document.is_some() {
            return Err(Refused::Outside { at: At::new(at), keyword, reference: reference_of });
        }
        let target = self.target(&fragment);
        let schema = target.as_ref().and_then(|target| root.pointer(&target.pointer));
        match (target, schema) {
            (Some(target), Some(schema @ (Value::Object(_) | Value::Bool(_)))) => {
                Ok((target, schema))
            }
            (Some(_) | None, Some(_) | None) => {
                Err(Refused::Dangling { at: At::new(at), keyword, reference: reference_of })
            }
        }
    }

    /// The schema that `reference` names in `root`, whose references are known to be good.
    pub(super) fn find<'a>(&self, root: &'a Value, reference: &str) -> Option<&'a Value> {
        let (None, fragment) = self.split(reference)? else { return None };
        root.pointer(&self.target(&fragment)?.pointer)
    }

    /// The document that `reference` names, if it is another one, and the decoded fragment.
    fn split<'r>(&self, reference: &'r str) -> Option<(Option<&'r str>, String)> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let same = document.is_empty() || Some(document) == self.id.as_deref();
        Some(((!same).then_some(document), percent_decoded(fragment)?))
    }

    fn target(&self, fragment: &str) -> Option<Target> {
        if fragment.is_empty() || fragment.starts_with('/') {
            return Some(Target { pointer: fragment.to_owned(), by_anchor: false });
        }
        let pointer = self.anchors.get(fragment)?.clone();
        Some(Target { pointer, by_anchor: true })
    }
}

/// RFC 3986, section 2.1.
pub(crate) fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, after @ ..] = rest else { return None };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push(u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

/// The reference to the definition `name` at the root.
pub(super) fn to_definition(name: &str) -> String {
    let mut reference = String::from("#/$defs/");
    for byte in name.replace('~', "~0").replace('/', "~1").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte) {
            reference.push(char::from(byte));
        } else {
            reference.push_str(&format!("%{byte:02X}"));
        }
    }
    reference
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn resolved(root: &Value, reference: &str) -> Result<Target, Refused> {
        let references = References::within(root)?;
        references.resolve(root, reference, "$ref", "/x").map(|(target, _)| target)
    }

    #[test]
    fn pointers_and_anchors_of_the_document_are_found() {
        let root = json!({
            "$id": "https://a.example/s#",
            "$defs": {"a b/c": {"$anchor": "here"}, "n": {"enum": []}},
        });
        let pointer = |pointer: &str, by_anchor| Target { pointer: pointer.to_owned(), by_anchor };
        assert_eq!(resolved(&root, "#"), Ok(pointer("", false)));
        assert_eq!(resolved(&root, "https://a.example/s"), Ok(pointer("", false)));
        assert_eq!(resolved(&root, "#/$defs/a%20b~1c"), Ok(pointer("/$defs/a b~1c", false)));
        assert_eq!(resolved(&root, "https://a.example/s#here"), Ok(pointer("/$defs/a b~1c", true)));
        assert_eq!(resolved(&root, &to_definition("a b/c")), Ok(pointer("/$defs/a b~1c", false)));
    }

    #[test]
    fn what_is_outside_is_named() {
        for reference in [
            "https://b.example/s#/a",
            "file:///etc/passwd",
            "other.json",
            "/s",
            "//b.example",
            "?q",
        ] {
            let error = resolved(&json!({}), reference).unwrap_err();
            assert!(matches!(error, Refused::Outside { .. }), "{reference}: {error}");
            assert!(error.to_string().contains(reference), "{error}");
        }
    }

    #[test]
    fn what_does_not_exist_is_named() {
        let root = json!({"enum": [1]});
        for reference in ["#/$defs/A", "#nowhere", "#/enum", "#/enum/0", "#%", "#%+1"] {
            let error = resolved(&root, reference).unwrap_err();
            let named = matches!(error, Refused::Dangling { .. } | Refused::Outside { .. });
            assert!(named && error.to_string().contains(reference), "{error}");
        }
    }

    #[test]
    fn an_identity_within_and_an_anchor_given_twice_are_refused() {
        let within = |root: Value| References::within(&root).map(|_| ()).unwrap_err().to_string();
        assert_eq!(
            within(json!({"properties": {"a": {"$id": "https://a.example/b"}}})),
            "`$id` at #/properties/a is not of JSON Schema 2020-12; refer to the schema by a \
             pointer or an `$anchor`"
        );
        assert_eq!(
            within(json!({"$anchor": "x", "items": {"$dynamicAnchor": "x"}})),
            "what is at #/items is not a schema: the anchor `x` is given twice"
        );
    }
}
