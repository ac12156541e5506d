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
#[derive(Default)]
pub(super) struct Writer<'v> {
    pub(super) out: Vec<u8>,
    path: Vec<Step<'v>>,
}

/// What leads from a value to a part of it.
pub(super) enum Step<'v> {
    Name(&'v str),
    Index(usize),
    Key(String),
}

impl<'v> Writer<'v> {
    /// The text.
    pub(super) fn finish(self) -> Result<String, Unpublishable> {
        let Self { out, path: _ } = self;
        String::from_utf8(out).map_err(|_| Unpublishable::of_type(String::new()))
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
