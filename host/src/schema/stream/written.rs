//! JSON text as serde_json writes it, piece by piece.

use std::io;

use serde::Serialize;

/// Compact JSON text, as far as it is written.
pub(super) struct Written(String);

impl Written {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self(String::with_capacity(bytes))
    }

    /// Adds what is JSON already.
    pub(super) fn push(&mut self, json: &str) {
        self.0.push_str(json);
    }

    /// Adds a string; `is_plain`: it was read without escapes, so that it needs none.
    pub(super) fn string(&mut self, text: &str, is_plain: bool) -> Option<()> {
        if !is_plain {
            // Of its own, as serde_json hands such a text on in many pieces.
            self.0.push_str(&serde_json::to_string(text).ok()?);
            return Some(());
        }
        self.0.push('"');
        self.0.push_str(text);
        self.0.push('"');
        Some(())
    }

    /// Adds a number.
    pub(super) fn write(&mut self, value: &impl Serialize) -> Option<()> {
        serde_json::to_writer(Pieces(&mut self.0), value).ok()
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn truncate(&mut self, bytes: usize) {
        self.0.truncate(bytes);
    }

    pub(super) fn into_string(self) -> String {
        self.0
    }
}

/// A number is in ASCII.
struct Pieces<'a>(&'a mut String);

impl io::Write for Pieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.push_str(piece);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
