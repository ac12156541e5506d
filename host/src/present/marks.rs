//! What is said about contents: MIME types, URIs, annotations.
//!
//! Nothing is repaired: what does not keep the rules is an error that says which.

use super::{Annotations, clean};
use crate::component::Notes;

/// Bytes of a URI.
pub(crate) const URI_BYTES_MAX: usize = 2048;
/// Bytes of a MIME type with its parameters.
const MIME_BYTES_MAX: usize = 256;

/// A well-formed MIME type (RFC 6838), in lower case, with its parameters.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn mime_type(text: &str) -> Result<String, String> {
    let wrong = |_| format!("`{}` is no MIME type, such as image/png", clean::bounded(text, 100));
    if text.len() > MIME_BYTES_MAX {
        return Err(format!("a MIME type of {} bytes, more than {MIME_BYTES_MAX}", text.len()));
    }
    let parsed = mediatype::MediaType::parse(text).map_err(wrong)?;
    Ok(parsed.to_string().to_ascii_lowercase())
}

/// An absolute URI that hides nothing.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn uri(text: &str) -> Result<url::Url, String> {
    let shown = || clean::bounded(text, 100);
    if text.len() > URI_BYTES_MAX {
        return Err(format!("a URI of {} bytes, more than {URI_BYTES_MAX}", text.len()));
    }
    let parsed = url::Url::parse(text)
        .map_err(|_| format!("`{}` is no absolute URI, such as https://example.com/", shown()))?;
    if !clean::is_clean(text) || text.contains(char::is_whitespace) {
        return Err(format!("`{}` holds characters that a URI cannot have", shown()));
    }
    Ok(parsed)
}

/// Hints that are in their ranges.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn annotations(notes: Notes) -> Result<Annotations, String> {
    if let Some(priority) = notes.priority
        && !(0.0..=1.0).contains(&priority)
    {
        return Err(format!("the priority {priority} is not from 0 to 1"));
    }
    if let Some(moment) = &notes.last_modified
        && chrono::DateTime::parse_from_rfc3339(moment).is_err()
    {
        return Err(format!("`{}` is no RFC 3339 date and time", clean::bounded(moment, 60)));
    }
    Ok(Annotations {
        user: notes.user,
        assistant: notes.assistant,
        priority: notes.priority,
        last_modified: notes.last_modified,
    })
}
