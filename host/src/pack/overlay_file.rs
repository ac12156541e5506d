//! The overlay file: what an author says beside the WIT, in TOML.
//!
//! Every error has its line and column, or is about the component and not the file.

use std::ops::Range;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::said::{FunctionSaid, TypeSaid};
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
        let offset = match self.piece(unfit, read) {
            Some(keys) => self.offset(&keys),
            None => 0,
        };
        self.error_at(offset, unfit.0.clone())
    }

    /// `error` at what is said of the function of these names, if anything is.
    pub(super) fn error_of(&self, names: &[String], error: PackError) -> PackError {
        match names.iter().find(|name| self.said.functions.contains_key(*name)) {
            Some(name) => self.error_at(self.offset(&["functions", name]), error.to_string()),
            None => error,
        }
    }

    fn error_at(&self, offset: usize, message: String) -> PackError {
        PackError::Overlay(Source::new(&self.path, &self.text).error(offset, message))
    }

    /// The keys of the least that does not fit in the same way when it is said alone.
    fn piece(&self, unfit: &Unfit, read: &Read) -> Option<Vec<&str>> {
        let fails = |said: &Said| {
            let faults = said.apply(&mut read.clone()).err();
            faults.is_some_and(|faults| faults.contains(unfit))
        };
        let requires = Said { requires: self.said.requires.clone(), ..Said::default() };
        if fails(&requires) {
            return Some(vec!["requires"]);
        }
        for (name, said) in &self.said.functions {
            let mut alone = said.clone();
            for (parameter, place) in &said.parameters {
                alone.parameters = one(parameter, place);
                alone.value = <_>::default();
                if fails(&of_function(name, &alone)) {
                    return Some(vec!["functions", name, "parameters", parameter]);
                }
            }
            alone.parameters.clear();
            alone.value = said.value.clone();
            if fails(&of_function(name, &alone)) {
                let value = (said.value != <_>::default()).then_some("value");
                return Some(["functions", name].into_iter().chain(value).collect());
            }
        }
        let bare = self.bare_functions();
        let of_type = |name: &str, said: &TypeSaid| Said {
            functions: bare.clone(),
            types: one(name, said),
            ..Said::default()
        };
        for (name, said) in &self.said.types {
            for (field, place) in &said.fields {
                let alone = TypeSaid { fields: one(field, place), ..TypeSaid::default() };
                if fails(&of_type(name, &alone)) {
                    return Some(vec!["types", name, "fields", field]);
                }
            }
            for (case, docs) in &said.cases {
                let alone = TypeSaid { cases: one(case, docs), ..TypeSaid::default() };
                if fails(&of_type(name, &alone)) {
                    return Some(vec!["types", name, "cases", case]);
                }
            }
            if fails(&of_type(name, said)) {
                return Some(vec!["types", name]);
            }
        }
        None
    }

    /// What is said of functions that changes which types there are, and how.
    fn bare_functions(&self) -> IndexMap<String, FunctionSaid> {
        let bare = |said: &FunctionSaid| FunctionSaid {
            leave_out: said.leave_out,
            large_integers: said.large_integers,
            ..FunctionSaid::default()
        };
        self.said.functions.iter().map(|(name, said)| (name.clone(), bare(said))).collect()
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

fn one<T: Clone>(name: &str, said: &T) -> IndexMap<String, T> {
    [(name.to_owned(), said.clone())].into()
}

fn of_function(name: &str, said: &FunctionSaid) -> Said {
    Said { functions: one(name, said), ..Said::default() }
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
