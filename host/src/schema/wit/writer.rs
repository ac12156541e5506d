//! JSON text, piece by piece.
//!
//! It knows where it is in the value, so that an error names the place.

use std::fmt;

use serde::Serialize;

use super::{Unpublishable, Value};
use crate::present::clean;

/// Bytes of a place in an error.
const PATH_BYTES_MAX: usize = 512;
/// Bytes of a key in a place.
const KEY_BYTES_MAX: usize = 64;

/// JSON text being written, and the place of what is written next.
pub(super) struct Writer<'v> {
    pub(super) out: Vec<u8>,
    path: Vec<Step<'v>>,
    bytes_max: usize,
    is_cut: bool,
}

/// What leads from a value to a part of it.
pub(super) enum Step<'v> {
    Name(&'v str),
    Index(usize),
    Key(String),
}

impl<'v> Writer<'v> {
    /// For a text that is given up once it has more than `bytes_max` bytes.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self { out: Vec::new(), path: Vec::new(), bytes_max, is_cut: false }
    }

    /// The text, if it was written to its end, and `written` says that all went well. None: it is
    /// too large.
    pub(super) fn finish(
        self,
        written: Result<(), Unpublishable>,
    ) -> Result<Option<String>, Unpublishable> {
        if self.is_cut || self.out.len() > self.bytes_max {
            return Ok(None);
        }
        written?;
        let text = String::from_utf8(self.out);
        text.map(Some).map_err(|_| Unpublishable::of_type(String::new()))
    }

    /// Whether `value` is left out, as the text would have too many bytes with it.
    pub(super) fn cuts(&mut self, value: &Value) -> bool {
        // What it takes at the least.
        let bytes = match value {
            Value::String(text) => text.len(),
            Value::Bytes(bytes) => bytes.len(),
            Value::List(values) => values.len(),
            _small => 0,
        };
        self.is_cut |= self.out.len().saturating_add(bytes) > self.bytes_max;
        self.is_cut
    }

    pub(super) fn finite(&self, is_nan: bool, is_infinite: bool) -> Result<(), Unpublishable> {
        match (is_nan, is_infinite) {
            (false, false) => Ok(()),
            (true, _) => Err(self.unpublishable("is NaN, which JSON cannot say")),
            (false, true) => Err(self.unpublishable("is infinite, which JSON cannot say")),
        }
    }

    pub(super) fn json<T: Serialize + ?Sized>(&mut self, value: &T) {
        // Texts, characters and finite numbers always can be written.
        let _ = serde_json::to_writer(&mut self.out, value);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    pub(super) fn separate(&mut self, index: usize) {
        if index > 0 {
            self.text(",");
        }
    }

    pub(super) fn under<T>(&mut self, step: Step<'v>, run: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let result = run(self);
        self.path.pop();
        result
    }

    pub(super) fn of_key(&self, key: &Value) -> Unpublishable {
        match key {
            Value::F32(_) | Value::F64(_) => self.unpublishable("is not a finite number"),
            _other => self.of_type(),
        }
    }

    pub(super) fn of_type(&self) -> Unpublishable {
        Unpublishable::of_type(self.location())
    }

    pub(super) fn unpublishable(&self, what: &'static str) -> Unpublishable {
        Unpublishable { path: self.location(), what }
    }

    fn location(&self) -> String {
        let steps: Vec<String> = self.path.iter().map(ToString::to_string).collect();
        clean::bounded(&steps.join("."), PATH_BYTES_MAX)
    }
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Index(index) => write!(f, "{index}"),
            Self::Key(key) => {
                f.write_str(&clean::bounded(&key.replace(['\n', '\t'], " "), KEY_BYTES_MAX))
            }
        }
    }
}
