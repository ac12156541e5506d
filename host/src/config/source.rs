//! TOML text that errors point into.
//!
//! Every error has the file, the line and the column.

use std::path::Path;

use serde::de::DeserializeOwned;
use toml::Spanned;

use super::{ConfigError, nearest};
use crate::present::clean;

/// A TOML file's text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    file: &'a Path,
    text: &'a str,
}

impl<'a> Source<'a> {
    pub(crate) fn new(file: &'a Path, text: &'a str) -> Self {
        Self { file, text }
    }

    /// Reads all of it.
    ///
    /// # Errors
    /// [`ConfigError::Text`]; for an unknown key it names the nearest known one.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, ConfigError> {
        toml::from_str(self.text).map_err(|error| {
            let mut message = error.message();
            // What stands there may be a secret, and the name of a struct helps nobody.
            if message.starts_with("invalid type") && message.contains(", expected struct ") {
                message = "a table belongs here, such as `{ key = value }`";
            }
            let hint = nearest_key(message).map(|key| format!("; did you mean `{key}`?"));
            let offset = error.span().map_or(0, |span| span.start);
            self.error(offset, format!("{message}{}", hint.unwrap_or_default()))
        })
    }

    /// The number, if it is in its range.
    pub(super) fn within(
        &self,
        key: &str,
        value: &Spanned<u64>,
        least: u64,
        most: u64,
    ) -> Result<u64, ConfigError> {
        let number = *value.get_ref();
        if (least..=most).contains(&number) {
            return Ok(number);
        }
        Err(self
            .error(value.span().start, format!("`{key}` is {number}; it can be {least} to {most}")))
    }

    /// An error at a byte of the text. The message becomes one line, whatever it repeats.
    pub(crate) fn error(&self, offset: usize, message: String) -> ConfigError {
        let before = &self.text[..self.text.floor_char_boundary(offset)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let message = clean::text(message.replace('\n', " "));
        ConfigError::Text { file: self.file.to_owned(), line, column, message }
    }
}

/// The known key that an unknown one was meant to be. Serde words its error as
/// "unknown field `a`, expected one of `b`, `c`".
fn nearest_key(message: &str) -> Option<&str> {
    let mut quoted = message.strip_prefix("unknown field")?.split('`').skip(1).step_by(2);
    let unknown = quoted.next()?;
    nearest(unknown, quoted)
}
