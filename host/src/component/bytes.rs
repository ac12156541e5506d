//! What can be told from a file's bytes before anything is compiled.
//!
//! Nothing here runs or compiles: it looks at the header and at the digest.

use sha2::{Digest as _, Sha256};

use super::LoadError;

/// `\0asm`.
const MAGIC: &[u8] = b"\0asm";
/// Version and layer of a core module (WebAssembly core specification, 5.5.16).
const CORE: &[u8] = &[1, 0, 0, 0];
/// The layer of a component (component model, Binary.md: `layer` is 1, as u16).
const COMPONENT_LAYER: &[u8] = &[1, 0];

/// Says whether `bytes` begin as a component does.
///
/// # Errors
/// [`LoadError::NotWasm`] or [`LoadError::CoreModule`].
pub(crate) fn check_header(bytes: &[u8]) -> Result<(), LoadError> {
    let Some(header) = bytes.strip_prefix(MAGIC).and_then(|rest| rest.get(..4)) else {
        return Err(LoadError::NotWasm);
    };
    if header == CORE {
        return Err(LoadError::CoreModule);
    }
    if &header[2..] != COMPONENT_LAYER {
        return Err(LoadError::NotWasm);
    }
    Ok(())
}

/// The SHA-256 of `bytes`, as lower-case hex.
pub(crate) fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Lower-case hex.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_tells_component_from_module_from_text() {
        assert!(check_header(b"\0asm\x0d\0\x01\0rest").is_ok());
        assert!(matches!(check_header(b"\0asm\x01\0\0\0"), Err(LoadError::CoreModule)));
        assert!(matches!(check_header(b"(component)"), Err(LoadError::NotWasm)));
        assert!(matches!(check_header(b"\0asm"), Err(LoadError::NotWasm)));
    }

    #[test]
    fn the_digest_is_sha256() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(
            digest(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
