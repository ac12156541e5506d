//! Resources that clients read by URI.

use crate::bytes::Bytes;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::registry::{Package, Place};
use crate::resource::Embedded;

/// One resource, or a family of them, as the macro writes it down.
pub struct Resource {
    /// Its URI, or a template of URIs.
    pub uri: &'static str,
    /// Whether it is a template.
    pub is_template: bool,
    /// The published name.
    pub name: &'static str,
    /// A name for people.
    pub title: Option<&'static str>,
    /// The lines of the doc comment.
    pub docs: &'static [&'static str],
    /// The MIME type of its contents.
    pub mime_type: Option<&'static str>,
    /// The crate that it stands in.
    pub package: Package,
    /// Where in the crate it stands.
    pub place: Place,
    /// Reads it at a URI, given the values of the template's variables.
    pub read: Read,
}

/// Reads a resource at a URI, given the values of a template's variables.
pub type Read = fn(&str, &[(String, String)], &Call) -> Result<Vec<Embedded>>;

inventory::collect!(Resource);

/// The resources: module by module, each in source order.
#[cfg_attr(not(all(target_arch = "wasm32", feature = "resources")), allow(dead_code))]
pub(crate) fn resources() -> Vec<&'static Resource> {
    let mut resources: Vec<&Resource> = inventory::iter::<Resource>.into_iter().collect();
    resources.sort_by_key(|it| (it.place, it.uri));
    resources
}

/// Reads the resource at `uri`.
#[cfg_attr(not(all(target_arch = "wasm32", feature = "resources")), allow(dead_code))]
pub(crate) fn read(uri: &str, call: Call) -> Result<Vec<Embedded>> {
    let resources = resources();
    let exact = resources.iter().find(|it| !it.is_template && it.uri == uri);
    let found = exact.map(|it| (it, Vec::new())).or_else(|| {
        let mut templates = resources.iter().filter(|it| it.is_template);
        templates.find_map(|it| Some((it, values(it.uri, uri)?)))
    });
    let Some((resource, values)) = found else {
        return Err(Error::not_found(format_args!("there is no resource `{uri}`")));
    };
    call.during(|call| (resource.read)(uri, &values, call))
}

/// The values of the variables of `template` with which it is `uri` (RFC 6570, level 1).
fn values(template: &str, uri: &str) -> Option<Vec<(String, String)>> {
    let mut values = Vec::new();
    let (mut template, mut uri) = (template, uri);
    while let Some((before, rest)) = template.split_once('{') {
        let (name, rest) = rest.split_once('}')?;
        uri = uri.strip_prefix(before)?;
        let length = match rest.contains('{') {
            true => uri.find(|c: char| !is_of_value(c)).unwrap_or(uri.len()),
            false => uri.strip_suffix(rest)?.len(),
        };
        let value = &uri[..length];
        if value.is_empty() || !value.chars().all(is_of_value) {
            return None;
        }
        values.push((name.to_owned(), decoded(value)?));
        (template, uri) = (rest, &uri[length..]);
    }
    (template == uri).then_some(values)
}

fn is_of_value(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~' | '%')
}

/// Without percent-encoding (RFC 3986, 2.1).
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = std::str::from_utf8(&digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// What a resource's function may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no contents of a resource",
    label = "a resource cannot return this type",
    note = "return a `String`, a `Vec<u8>`, or one or several `portcullis_guest::Embedded`"
)]
pub trait Contents {
    /// The contents of the resource at `uri`.
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Vec<Embedded>;
}

fn of(made: Embedded, mime_type: Option<&str>) -> Vec<Embedded> {
    vec![match mime_type {
        Some(mime_type) => made.mime_type(mime_type),
        None => made,
    }]
}

impl Contents for String {
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Vec<Embedded> {
        of(Embedded::text(uri, self), mime_type)
    }
}

impl Contents for &str {
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Vec<Embedded> {
        of(Embedded::text(uri, self), mime_type)
    }
}

impl Contents for Vec<u8> {
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Vec<Embedded> {
        of(Embedded::bytes(uri, self), mime_type)
    }
}

impl Contents for Bytes {
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Vec<Embedded> {
        of(Embedded::bytes(uri, self.0), mime_type)
    }
}

impl Contents for Embedded {
    fn into_contents(self, _: &str, _: Option<&str>) -> Vec<Embedded> {
        vec![self]
    }
}

impl Contents for Vec<Embedded> {
    fn into_contents(self, _: &str, _: Option<&str>) -> Vec<Embedded> {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(template: &str, uri: &str) -> Option<Vec<String>> {
        Some(values(template, uri)?.into_iter().map(|(_, value)| value).collect())
    }

    #[test]
    fn a_template_gives_the_values_that_were_put_in() {
        // RFC 6570, 3.2.2, examples: {var}, {hello} and {half}.
        assert_eq!(texts("a://{x}/data", "a://value/data").unwrap(), ["value"]);
        assert_eq!(texts("a://{x}", "a://Hello%20World%21").unwrap(), ["Hello World!"]);
        assert_eq!(texts("a://{x}", "a://50%25").unwrap(), ["50%"]);
        assert_eq!(texts("a://{x}/{y}.json", "a://1/b.c.json").unwrap(), ["1", "b.c"]);
        for uri in ["a:///data", "a://1/2/data", "a://1/data/", "a://%zz/data", "a://1"] {
            assert_eq!(texts("a://{x}/data", uri), None, "{uri}");
        }
    }
}
