//! Characters that a reader cannot see, shown.
//!
//! No text that passed through here holds a control, bidirectional, tag or zero-width character.

use std::borrow::Cow;
use std::fmt::Write as _;

/// What a cut text ends with.
const CUT: &str = "…";

/// Whether `c` is one of the characters that are refused in names, titles and descriptions, and
/// shown escaped in texts: C0 but `\n` and `\t`, DEL, C1, bidirectional controls, tag characters,
/// and zero-width characters but ZWJ and ZWNJ.
#[must_use]
pub const fn is_hidden(c: char) -> bool {
    is_control(c) || is_bidi(c) || is_zero_width(c) || matches!(c, '\u{e0000}'..='\u{e007f}')
}

const fn is_control(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}')
}

const fn is_bidi(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

const fn is_zero_width(c: char) -> bool {
    matches!(
        c,
        '\u{180e}'
            | '\u{200b}'
            | '\u{2060}'..='\u{2064}'
            | '\u{206a}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
    )
}

/// Whether `text` hides nothing.
#[must_use]
pub fn is_clean(text: &str) -> bool {
    is_plain_ascii(text) || !text.chars().any(is_hidden)
}

/// The quick answer for most texts. Bytes are looked at in chunks without a way out, which the
/// compiler makes vector instructions of.
fn is_plain_ascii(text: &str) -> bool {
    let (chunks, rest) = text.as_bytes().as_chunks::<64>();
    chunks.iter().all(|chunk| are_plain(chunk)) && are_plain(rest)
}

fn are_plain(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |plain, &byte| {
        plain & ((byte.wrapping_sub(b' ') <= b'~' - b' ') | (byte == b'\n') | (byte == b'\t'))
    })
}

/// `text` with every hidden character shown as `\u{202e}`.
#[must_use]
pub fn text<'a>(text: impl Into<Cow<'a, str>>) -> String {
    let text = text.into();
    if is_plain_ascii(&text) {
        return text.into_owned();
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        push(&mut shown, c);
    }
    shown
}

/// JSON text with every hidden character as JSON's own escape, `\u202e`, so that it stays JSON
/// and says the same value.
#[must_use]
pub fn json(text: String) -> String {
    if is_clean(&text) {
        return text;
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a String cannot fail.
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(c);
        }
    }
    shown
}

/// `text` cleaned and cut to at most `bytes_max` bytes; a cut text ends with `…`.
#[must_use]
pub fn bounded(text: &str, bytes_max: usize) -> String {
    let mut shown = String::new();
    // The last length at which the mark of a cut still fits.
    let mut fits = 0;
    for c in text.chars() {
        push(&mut shown, c);
        if shown.len() > bytes_max {
            shown.truncate(fits);
            if CUT.len() <= bytes_max {
                shown.push_str(CUT);
            }
            return shown;
        }
        if shown.len() + CUT.len() <= bytes_max {
            fits = shown.len();
        }
    }
    shown
}

fn push(shown: &mut String, c: char) {
    if is_hidden(c) {
        // Writing to a String cannot fail.
        let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
    } else {
        shown.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: [&str; 6] =
        ["\u{1b}[2J", "\u{85}", "\u{202e}abc", "\u{e0041}", "a\u{200b}b", "\u{7f}"];

    #[test]
    fn hidden_characters_are_shown() {
        assert_eq!(text("a\u{0}b\u{1b}[0m"), r"a\u{0}b\u{1b}[0m");
        assert_eq!(text("\u{202e}abc"), r"\u{202e}abc");
        for class in CLASSES {
            assert!(!is_clean(class), "{class:?}");
            assert!(is_clean(&text(class)), "{class:?}");
            assert!(is_clean(&json(class.to_owned())), "{class:?}");
            assert!(is_clean(&bounded(class, 1024)), "{class:?}");
        }
    }

    #[test]
    fn a_hidden_character_is_found_wherever_it_is() {
        for at in 0..200 {
            for byte in 0..128 {
                let mut text = vec![b'a'; 200];
                text[at] = byte;
                let text = str::from_utf8(&text).unwrap();
                assert_eq!(is_clean(text), !text.chars().any(is_hidden), "{byte} at {at}");
            }
        }
    }

    #[test]
    fn what_scripts_and_emoji_need_stays() {
        for kept in ["a\n\tb", "Grüße 東京 🌧️ é", "👩\u{200d}💻", "می\u{200c}خواهم", "a\u{2028}b"]
        {
            assert!(is_clean(kept), "{kept:?}");
            assert_eq!(text(kept), kept);
            assert_eq!(bounded(kept, 1024), kept);
        }
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = serde_json::json!({"k\u{202e}": "a\u{e0041}\u{7f}\u{200b}ü"});
        let shown = json(value.to_string());
        assert!(is_clean(&shown));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }

    #[test]
    fn a_cut_text_says_so_and_keeps_to_its_bound() {
        assert_eq!(bounded("abcdef", 6), "abcdef");
        assert_eq!(bounded("abcdefg", 6), "abc…");
        assert_eq!(bounded("\u{1b}\u{1b}", 8), "…");
        assert_eq!(bounded("\u{1b}\u{1b}", 9), r"\u{1b}…");
        for bytes_max in 0..40 {
            assert!(bounded("aä\u{202e}東\u{1b}🌧abc", bytes_max).len() <= bytes_max);
        }
    }
}
