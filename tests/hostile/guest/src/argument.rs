//! The argument `it`, which tests play with. The host writes arguments without spaces.

/// Its JSON text; `null` if there is none.
pub(crate) fn json(arguments: &str) -> &str {
    let rest = arguments.strip_prefix(r#"{"it":"#);
    rest.and_then(|rest| rest.strip_suffix('}')).unwrap_or("null")
}

/// What it says, if it is a string.
pub(crate) fn text(arguments: &str) -> String {
    let json = json(arguments);
    let quoted = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let mut chars = quoted.unwrap_or_default().chars();
    let mut text = String::new();
    while let Some(c) = chars.next() {
        text.push(if c == '\\' { escaped(&mut chars) } else { c });
    }
    text
}

/// The character whose escape goes on with `chars`.
fn escaped(chars: &mut impl Iterator<Item = char>) -> char {
    match chars.next() {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('r') => '\r',
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('u') => {
            let digits: String = chars.take(4).collect();
            let code = u32::from_str_radix(&digits, 16).ok();
            code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        Some(c) => c,
        None => '\\',
    }
}
