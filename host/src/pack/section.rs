//! The section in a component's bytes.
//!
//! At most one is read; what is not exactly in its format is an error, never half of it.

use std::ops::Range;

use serde_json::{Map, Value};
use wasm_encoder::{CustomSection, Section as _};
use wasmparser::{Chunk, Parser, Payload};

use super::{SECTION, SECTION_BYTES_MAX, SECTION_VERSION, Said, Unfit};
use crate::present::clean;
use crate::schema::strict_json;

/// Bytes of an account of what is wrong.
const WHAT_BYTES_MAX: usize = 300;
/// What the version is called in the section.
const VERSION: &str = "version";

/// Why a section says nothing that can be used. The tool's author must act.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its `{SECTION}` section is not read: {0}; run `portcullis pack` on it again")]
pub struct BadSection(String);

impl BadSection {
    /// For what it says that does not fit the component.
    pub(crate) fn unfit(unfit: &[Unfit]) -> Self {
        let first = unfit.first().map_or_else(String::new, ToString::to_string);
        Self::new(&format!("it does not fit the component: {first}"))
    }

    fn new(what: &str) -> Self {
        Self(clean::bounded(&what.replace('\n', " "), WHAT_BYTES_MAX))
    }
}

impl Said {
    /// Reads what the section of `component` says; none if it has none.
    ///
    /// # Errors
    /// [`BadSection`] if there are two, it has more than 1 MiB, or it is not in the format.
    pub(crate) fn read(component: &[u8]) -> Result<Option<Self>, BadSection> {
        let sections = sections(component).map_err(|error| BadSection::new(&error))?;
        match sections.as_slice() {
            [] => Ok(None),
            [section] => Self::from_json(&component[section.data.clone()]).map(Some),
            [_, ..] => Err(BadSection::new("there are two of them")),
        }
    }

    fn from_json(json: &[u8]) -> Result<Self, BadSection> {
        let bytes = json.len();
        if bytes > SECTION_BYTES_MAX {
            let what = format!("it has {bytes} bytes, more than {SECTION_BYTES_MAX}");
            return Err(BadSection::new(&what));
        }
        let text = std::str::from_utf8(json).map_err(|_| BadSection::new("it is not UTF-8"))?;
        let value = strict_json(text).map_err(|error| BadSection::new(&error.to_string()))?;
        let Value::Object(mut said) = value else {
            return Err(BadSection::new("it is no JSON object"));
        };
        match said.shift_remove(VERSION) {
            Some(version) if version == SECTION_VERSION => {}
            Some(version) => {
                let what = format!("it is of version {version}; this host reads {SECTION_VERSION}");
                return Err(BadSection::new(&what));
            }
            None => return Err(BadSection::new("it does not say its version")),
        }
        serde_json::from_value(Value::Object(said))
            .map_err(|error| BadSection::new(&error.to_string()))
    }

    /// Adds the section to a component that has none, and gives the bytes of its JSON.
    ///
    /// # Errors
    /// The bytes that it would have, if they are more than 1 MiB.
    pub(crate) fn append_to(&self, component: &mut Vec<u8>) -> Result<usize, usize> {
        let mut said = Map::new();
        said.insert(VERSION.to_owned(), SECTION_VERSION.into());
        if let Ok(Value::Object(keys)) = serde_json::to_value(self) {
            said.extend(keys);
        }
        let json = Value::Object(said).to_string().into_bytes();
        let bytes = json.len();
        if bytes > SECTION_BYTES_MAX {
            return Err(bytes);
        }
        CustomSection { name: SECTION.into(), data: json.into() }.append_to(component);
        Ok(bytes)
    }
}

/// `component` without any such section.
///
/// # Errors
/// What is wrong with the component.
pub(super) fn without(component: &[u8]) -> Result<Vec<u8>, String> {
    let mut kept = Vec::with_capacity(component.len());
    let mut from = 0;
    for section in sections(component)? {
        kept.extend_from_slice(&component[from..section.whole.start]);
        from = section.whole.end;
    }
    kept.extend_from_slice(&component[from..]);
    Ok(kept)
}

struct Section {
    /// Its header included.
    whole: Range<usize>,
    data: Range<usize>,
}

/// The component's own sections of this name; those of nested ones are not looked at.
fn sections(component: &[u8]) -> Result<Vec<Section>, String> {
    let mut found = Vec::new();
    let mut parser = Parser::new(0);
    let mut start = 0;
    while let Some(rest) = component.get(start..) {
        let (consumed, payload) = match parser.parse(rest, true) {
            Ok(Chunk::Parsed { consumed, payload }) => (consumed, payload),
            Ok(Chunk::NeedMoreData(_)) => break,
            Err(error) => return Err(error.to_string()),
        };
        let mut end = start + consumed;
        match payload {
            Payload::CustomSection(section) if section.name() == SECTION => {
                let data = end - section.data().len()..end;
                found.push(Section { whole: start..end, data });
            }
            Payload::ModuleSection { unchecked_range, .. }
            | Payload::ComponentSection { unchecked_range, .. } => end = unchecked_range.end,
            Payload::End(_) => return Ok(found),
            _other => {}
        }
        start = end;
    }
    Err("the file ends too early".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

    fn with(data: &str) -> Vec<u8> {
        let mut component = COMPONENT.to_vec();
        let section = CustomSection { name: SECTION.into(), data: data.as_bytes().into() };
        section.append_to(&mut component);
        component
    }

    fn fault(data: &str) -> String {
        let fault = Said::read(&with(data)).unwrap_err().to_string();
        let fault = fault.strip_prefix("its `portcullis:descriptor` section is not read: ");
        fault.unwrap().strip_suffix("; run `portcullis pack` on it again").unwrap().to_owned()
    }

    #[test]
    fn what_is_written_is_read_and_taken_out_again() {
        let said: Said = toml::from_str("component.name = 'shop'\ntypes.a.minimum = 1").unwrap();
        let mut component = COMPONENT.to_vec();
        let bytes = said.append_to(&mut component).unwrap();
        let json = r#"{"version":1,"component":{"name":"shop"},"types":{"a":{"minimum":1}}}"#;
        assert_eq!(bytes, json.len());
        assert_eq!(component, with(json));
        CustomSection { name: "x".into(), data: [1].as_slice().into() }.append_to(&mut component);
        assert_eq!(Said::read(&component).unwrap(), Some(said));
        let bare = without(&component).unwrap();
        assert_eq!(bare, [COMPONENT, &[0, 3, 1, b'x', 1]].concat());
        assert_eq!(Said::read(&bare).unwrap(), None);
    }

    #[test]
    fn what_is_not_in_the_format_is_an_error() {
        for (data, what) in [
            ("", "EOF while parsing a value (at byte 0)"),
            ("[]", "it is no JSON object"),
            ("{}", "it does not say its version"),
            (r#"{"version":2}"#, "it is of version 2; this host reads 1"),
            (r#"{"version":1,"version":1}"#, "the key `version` is given twice (at byte 22)"),
        ] {
            assert_eq!(fault(data), what);
        }
        let unknown = fault(r#"{"version":1,"functions":{"a":{"titel":"A"}}}"#);
        assert!(unknown.starts_with("unknown field `titel`, expected one of `title`"), "{unknown}");
        let twice = [with(r#"{"version":1}"#), with(r#"{"version":1}"#)[8..].to_vec()].concat();
        assert!(Said::read(&twice).unwrap_err().to_string().contains("there are two of them"));
        let large = format!(r#"{{"version":1,"component":{{"name":"{}"}}}}"#, "x".repeat(1 << 20));
        assert_eq!(fault(&large), "it has 1048613 bytes, more than 1048576");
    }

    #[test]
    fn damaged_bytes_are_an_error_or_something_else_and_never_a_panic() {
        let json = r#"{"version":1,"functions":{"a":{"title":"A","hints":{"read_only":true}}}}"#;
        let whole = with(json);
        for length in COMPONENT.len() + 1..whole.len() {
            assert!(Said::read(&whole[..length]).is_err(), "{length}");
            assert!(without(&whole[..length]).is_err(), "{length}");
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut damaged = whole.clone();
                damaged[at] ^= 1 << bit;
                let _ = (Said::read(&damaged), without(&damaged));
            }
        }
    }
}
