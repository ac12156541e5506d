//! URI templates (RFC 6570, level 1) and which URIs are of them.

use crate::present::{URI_BYTES_MAX, clean, marks};

/// A template of literals and simple variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UriTemplate {
    text: String,
    /// What is before each variable, with its name.
    variables: Vec<(String, String)>,
    /// What comes after the last one.
    end: String,
}

/// Variables of a template.
const VARIABLES_MAX: usize = 16;

impl UriTemplate {
    /// Reads a template. Its scheme is literal, and between two variables stands something that no
    /// value of a variable begins with, so that a URI is read in one way alone.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let shown = || clean::bounded(text, 100);
        if text.len() > URI_BYTES_MAX {
            return Err(format!("a template of {} bytes, more than {URI_BYTES_MAX}", text.len()));
        }
        let mut variables: Vec<(String, String)> = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else {
                return Err(format!("`{}` has a `{{` without a `}}`", shown()));
            };
            if !is_name(name) {
                return Err(format!(
                    "`{{{}}}` is no variable of level 1 of RFC 6570, such as `{{name}}`",
                    clean::bounded(name, 60)
                ));
            }
            if variables.iter().any(|(_, known)| known == name) {
                return Err(format!("`{}` has the variable `{name}` twice", shown()));
            }
            let parts = !before.starts_with(|c: char| is_unreserved(c) || c == '%');
            if !variables.is_empty() && (before.is_empty() || !parts) {
                return Err(format!(
                    "`{}` needs a separator such as `/` before `{{{name}}}`",
                    shown()
                ));
            }
            variables.push((before.to_owned(), name.to_owned()));
            rest = after;
        }
        let template = Self { text: text.to_owned(), variables, end: rest.to_owned() };
        if template.variables.is_empty() || template.variables.len() > VARIABLES_MAX {
            return Err(format!("`{}` has not 1 to {VARIABLES_MAX} variables", shown()));
        }
        let scheme = template.variables.first().map(|(before, _)| before.contains(':'));
        if scheme != Some(true) || text.contains('}') && template.expanded().contains(['{', '}']) {
            return Err(format!("`{}` is no template of absolute URIs", shown()));
        }
        marks::uri(&template.expanded())?;
        Ok(template)
    }

    /// As it was written.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The scheme of its URIs.
    pub(crate) fn scheme(&self) -> &str {
        self.text.split(':').next().unwrap_or_default()
    }

    /// The names of its variables.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|(_, name)| name.as_str())
    }

    /// Whether `uri` comes of it with values that are not empty.
    pub(crate) fn matches(&self, uri: &str) -> bool {
        let Some(mut rest) = uri.strip_suffix(self.end.as_str()) else { return false };
        for (before, _) in &self.variables {
            let Some(after) = rest.strip_prefix(before.as_str()) else { return false };
            let Some(length) = value_length(after) else { return false };
            rest = &after[length..];
        }
        rest.is_empty()
    }

    /// Whether the same URIs come of `other`, whatever the variables are called.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let befores = |template: &Self| -> Vec<String> {
            template.variables.iter().map(|(before, _)| before.clone()).collect()
        };
        befores(self) == befores(other) && self.end == other.end
    }

    /// Some URI of it.
    fn expanded(&self) -> String {
        let start = self.variables.iter().map(|(before, _)| format!("{before}a"));
        start.collect::<String>() + &self.end
    }
}

/// RFC 6570, 2.3, without the dots that few readers know.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 64
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// RFC 3986, 2.3.
fn is_unreserved(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~')
}

/// How long the value of a variable is that `text` begins with; none: it does not begin with one.
fn value_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let is_hex = |index: usize| bytes.get(index).is_some_and(u8::is_ascii_hexdigit);
        match bytes[at] {
            b'%' if is_hex(at + 1) && is_hex(at + 2) => at += 3,
            byte if is_unreserved(char::from(byte)) => at += 1,
            _ => break,
        }
    }
    (at > 0).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_is_of_a_template_if_it_comes_of_simple_expansion() {
        let template = UriTemplate::parse("test://template/{id}/data").unwrap();
        assert_eq!(template.variables().collect::<Vec<_>>(), ["id"]);
        assert_eq!(template.scheme(), "test");
        // RFC 6570, 3.2.2: what is not unreserved is percent-encoded.
        for uri in ["test://template/123/data", "test://template/a%2Fb/data"] {
            assert!(template.matches(uri), "{uri}");
        }
        for uri in [
            "test://template//data",
            "test://template/a/b/data",
            "test://template/a?b/data",
            "test://template/a%2/data",
            "test://template/123/data/",
            "test://template/123",
            "test://other/123/data",
        ] {
            assert!(!template.matches(uri), "{uri}");
        }
    }

    #[test]
    fn templates_that_are_read_in_two_ways_are_refused() {
        let file = UriTemplate::parse("a://{x}.json").unwrap();
        assert!(file.matches("a://b.c.json") && !file.matches("a://.json"));
        let open = UriTemplate::parse("a://{x}/{y}?z").unwrap();
        assert!(open.matches("a://1/2?z") && !open.matches("a://1/2"));
        assert!(open.is_same(&UriTemplate::parse("a://{p}/{q}?z").unwrap()));
        for text in [
            "a://plain",
            "a://{x}{y}",
            "a://{x}y{z}",
            "a://{x}/{x}",
            "a://{+x}",
            "a://{x*}",
            "a://{x",
            "a://x}/{y}",
            "{scheme}://x",
            "a://{}",
            "no scheme {x}",
        ] {
            assert!(UriTemplate::parse(text).is_err(), "{text}");
        }
    }
}
