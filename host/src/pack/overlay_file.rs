//! The overlay file: what an author says beside the WIT, in TOML.
//!
//! Every error has its line and column, or is about the component and not the file.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::pieces::blame;
use super::{PackError, Said, Unfit};
use crate::config::{ConfigError, Source};
use crate::files;
use crate::schema::wit::Read;

/// An overlay file that was read to its end.
#[derive(Debug)]
pub(crate) struct OverlayFile {
    path: PathBuf,
    text: String,
    pub(super) said: Said,
}

impl OverlayFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// [`PackError`] if it cannot be read, has more than 1 MiB, or says something that is not
    /// known.
    pub(crate) fn read(path: &Path) -> Result<Self, PackError> {
        let text = files::read_config(path)
            .map_err(|error| PackError::NoOverlay { path: path.to_owned(), error })?;
        Self::of(path, text).map_err(PackError::Overlay)
    }

    /// What it calls the component; may be empty.
    pub(crate) fn component_name(&self) -> &str {
        &self.said.component.name
    }

    pub(super) fn of(path: &Path, text: String) -> Result<Self, ConfigError> {
        let source = Source::new(path, &text);
        if let Ok(table) = DeTable::parse(&text) {
            check_table(table.get_ref(), &source)?;
        }
        let said = source.parse()?;
        Ok(Self { path: path.to_owned(), text, said })
    }

    /// The error for what does not fit the component that `read` is of.
    pub(super) fn unfit(&self, unfit: &Unfit, read: &Read) -> PackError {
        let fails = |said: &Said| {
            let faults = said.apply(&mut read.clone()).err();
            faults.is_some_and(|faults| faults.contains(unfit))
        };
        let offset = blame(&self.said, fails).map_or(0, |piece| self.offset(&piece.keys()));
        self.error_at(offset, unfit.0.clone())
    }

    /// The error for the tool that is refused for what is said, which it is as long as it `fails`;
    /// none if it is refused for the docs in the WIT.
    pub(super) fn refused(
        &self,
        tool: &str,
        reason: &str,
        fails: impl Fn(&Said) -> bool,
    ) -> Option<PackError> {
        let piece = blame(&self.said, fails)?;
        let message = format!("{piece}: tool `{tool}` would be refused with this: {reason}");
        Some(self.error_at(self.offset(&piece.keys()), message))
    }

    fn error_at(&self, offset: usize, message: String) -> PackError {
        PackError::Overlay(Source::new(&self.path, &self.text).error(offset, message))
    }

    /// Where the last of `keys` stands, or the last that is there.
    fn offset(&self, keys: &[&str]) -> usize {
        let Ok(root) = DeTable::parse(&self.text) else { return 0 };
        let (mut table, mut offset) = (root.get_ref(), 0);
        for key in keys {
            let found = table.iter().find(|(name, _)| name.get_ref().as_ref() == *key);
            let Some((name, value)) = found else { break };
            offset = name.span().start;
            match value.get_ref() {
                DeValue::Table(inner) => table = inner,
                _leaf => break,
            }
        }
        offset
    }
}

/// Refuses what TOML has and JSON has not.
fn check_table(table: &DeTable<'_>, source: &Source<'_>) -> Result<(), ConfigError> {
    table.values().try_for_each(|value| check(value, source))
}

fn check(value: &Spanned<DeValue<'_>>, source: &Source<'_>) -> Result<(), ConfigError> {
    let refuse = |span: Range<usize>, what: &str| Err(source.error(span.start, what.to_owned()));
    match value.get_ref() {
        DeValue::Datetime(_) => refuse(value.span(), "a date is written as a \"string\" here"),
        DeValue::Float(float) if float.as_str().contains(['n', 'i']) => {
            refuse(value.span(), "JSON has no such number; leave the key out for no bound")
        }
        DeValue::Array(values) => values.iter().try_for_each(|value| check(value, source)),
        DeValue::Table(table) => check_table(table, source),
        DeValue::String(_) | DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) => {
            Ok(())
        }
    }
}
