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
    // Chunks without a way out, which the compiler makes vector instructions of.
    let (chunks, rest) = data.as_chunks::<64>();
    chunks.iter().all(|chunk| are_letters(chunk)) && are_letters(rest) && last & spare_bits == 0
}

fn are_letters(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |letters, &byte| {
        let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        letters & (is_letter | (byte.wrapping_sub(b'0') < 10) | (byte == b'+') | (byte == b'/'))
    })
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
    fn every_byte_of_a_long_text_is_looked_at() {
        for at in 0..200 {
            for byte in 0..128 {
                let mut text = vec![b'A'; 200];
                text[at] = byte;
                let is_last_padding = byte == b'=' && at == 199;
                let expected = sextet(byte).is_some() || is_last_padding;
                assert_eq!(is_base64(str::from_utf8(&text).unwrap()), expected, "{byte} at {at}");
            }
        }
    }

    #[test]
    fn an_unknown_encoding_is_not_checked() {
        assert!(checker("quoted-printable")("anything"));
        assert!(!checker("BASE64")("any!"));
    }
}
