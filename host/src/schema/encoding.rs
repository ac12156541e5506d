//! Texts that encode bytes (`contentEncoding`).
//!
//! An encoding has one way to write given bytes; any other text is refused.

/// The check for the encoding `name`: whether a text is in it. An encoding that is not known is
/// not checked.
pub(super) fn checker(name: &str) -> fn(&str) -> bool {
    if name.eq_ignore_ascii_case("base64") { is_base64 } else { |_| true }
}

/// Whether `text` is base64 with padding, of the alphabet with `+` and `/`, and with no bits
/// left over (RFC 4648, sections 3.5 and 4).
pub(super) fn is_base64(text: &str) -> bool {
    let bytes = text.as_bytes();
    if !bytes.len().is_multiple_of(4) {
        return false;
    }
    let data = text.trim_end_matches('=').as_bytes();
    let spare_bits = match bytes.len() - data.len() {
        0 => 0,
        1 => 0b11,
        2 => 0b1111,
        _more => return false,
    };
    let last = data.last().and_then(|byte| sextet(*byte)).unwrap_or(0);
    data.iter().all(|byte| sextet(*byte).is_some()) && last & spare_bits == 0
}

fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _other => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_strict() {
        for good in ["", "AA==", "AAA=", "AAAA", "iVBORw0KGgpmYWtl", "+/+/"] {
            assert!(is_base64(good), "{good}");
        }
        for bad in ["A", "AA", "AAA", "AB==", "AAB=", "A===", "====", "AA=A", "-_-_", "AA==\n"] {
            assert!(!is_base64(bad), "{bad}");
        }
    }

    #[test]
    fn an_unknown_encoding_is_not_checked() {
        assert!(checker("quoted-printable")("anything"));
        assert!(!checker("BASE64")("any!"));
    }
}
