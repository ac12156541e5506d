//! When text for a model and data for an app say the same.

use serde_json::Value as Json;

/// The texts of a value's blocks: one for every element of a list that has some, else one.
///
/// # Errors
/// What they do not say, or say in another way.
pub(crate) fn agree(texts: &[&str], value: &Json) -> Result<(), String> {
    let one = std::slice::from_ref(value);
    let parts =
        value.as_array().map(Vec::as_slice).filter(|items| !items.is_empty()).unwrap_or(one);
    if texts.len() != parts.len() {
        return Err(format!("{} blocks for {} parts", texts.len(), parts.len()));
    }
    texts.iter().zip(parts).try_for_each(|(text, part)| says(text, part))
}

fn says(text: &str, value: &Json) -> Result<(), String> {
    if let Some(hidden) = text.chars().find(|c| is_hidden(*c)) {
        return Err(format!("{text:?} hides {hidden:?}"));
    }
    // Every number to its last digit, and every key in its place.
    let exactly = Json::to_string;
    let is_same = match value {
        Json::String(string) => shows(text, string),
        _ => serde_json::from_str(text).is_ok_and(|said: Json| exactly(&said) == exactly(value)),
    };
    if is_same { Ok(()) } else { Err(format!("{text:?} is not {value}")) }
}

/// Whether `text` is `string` with characters shown as `\u{…}`.
fn shows(text: &str, string: &str) -> bool {
    let mut rest = text;
    for c in string.chars() {
        let escape = format!("\\u{{{:x}}}", u32::from(c));
        let stripped = rest.strip_prefix(c).or_else(|| rest.strip_prefix(&escape));
        let Some(stripped) = stripped else { return false };
        rest = stripped;
    }
    rest.is_empty()
}

/// What the design names: C0 but `\n` and `\t`, C1, bidi controls, tag characters, zero-width
/// characters but ZWJ and ZWNJ.
pub(crate) fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{8}'
            | '\u{b}'..='\u{1f}'
            | '\u{80}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}'
    )
}
