//! The tables of what is not as recorded, one for each path: rows with the rule that allows them
//! and with what is expected, written by hand.
//!
//! A row says of many places the same. Rows of one place apply one after the other.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::page::{allow, same};

/// A row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Tools, or calls as `tool/case`.
    of: Vec<String>,
    /// The key of the definition or of the result.
    key: String,
    /// An id of golden/rules.json, or `design ` and the key of a line of it. Nothing need allow what is
    /// as recorded.
    #[serde(default)]
    rule: String,
    because: String,
    /// What the key holds instead; null: it is absent. Where there are edits, they say it.
    #[serde(default)]
    expected: Option<Value>,
    #[serde(default)]
    edits: Vec<Edit>,
    /// It is as recorded after all, where the table that this row stands instead of says otherwise.
    #[serde(default)]
    as_recorded: bool,
}

/// What is other within a schema.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    /// JSON Pointers to objects.
    at: Vec<String>,
    /// What is there instead.
    replace: Option<Value>,
    #[serde(default)]
    set: Map<String, Value>,
    #[serde(default)]
    remove: Vec<String>,
}

/// A table.
pub(super) struct Deviations {
    rows: Vec<Row>,
    /// Places of each row that were compared.
    used: Vec<Vec<String>>,
}

impl Deviations {
    pub(super) fn read(name: &str, text: &str) -> Self {
        let rows: Vec<Row> =
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        for row in &rows {
            if let Err(fault) = allow(&row.rule)
                && !row.as_recorded
            {
                panic!("{name}: {}: {fault}", row.because);
            }
        }
        let used = rows.iter().map(|_| Vec::new()).collect();
        Self { rows, used }
    }

    /// These rows, and those of `of_all` for what these say nothing of. What is at a place that has no
    /// form here is of no concern.
    pub(super) fn instead_of(self, mut of_all: Self, has_form: impl Fn(&str) -> bool) -> Self {
        for own in self.rows.iter().filter(|own| own.as_recorded) {
            for of in &own.of {
                let is_listed = of_all.rows.iter().any(|row| row.is_of(of, &own.key));
                assert!(is_listed, "{of}/{}: recorded, and no row says otherwise", own.key);
            }
        }
        for row in &mut of_all.rows {
            let Row { of, key, .. } = row;
            of.retain(|of| has_form(of) && !self.rows.iter().any(|own| own.is_of(of, key)));
        }
        let rows: Vec<Row> = self.rows.into_iter().chain(of_all.rows).collect();
        Self { used: rows.iter().map(|_| Vec::new()).collect(), rows }
    }

    /// The keys of a place that rows are about, each once.
    pub(super) fn keys(&self, place: &str) -> BTreeSet<String> {
        let rows = self.rows.iter().filter(|row| row.of.iter().any(|of| of == place));
        rows.map(|row| row.key.clone()).collect()
    }

    /// What is expected under a key of a place, and how many rows say so.
    pub(super) fn expected(
        &mut self,
        place: &str,
        key: &str,
        recorded: Option<&Value>,
        faults: &mut Vec<String>,
    ) -> (Option<Value>, usize) {
        let mut expected = recorded.cloned();
        let mut count = 0;
        for (row, used) in self.rows.iter().zip(&mut self.used) {
            if !row.is_of(place, key) {
                continue;
            }
            used.push(place.to_owned());
            if row.as_recorded {
                continue;
            }
            count += 1;
            let before = expected.clone();
            row.apply(&mut expected, place, faults);
            if same(key, before.as_ref(), expected.as_ref()) {
                faults.push(format!("{place}/{key}: the row changes nothing: {}", row.because));
            }
        }
        (expected, count)
    }

    /// What is listed and was nowhere to be compared.
    pub(super) fn unused(&self) -> Vec<String> {
        let places = self.rows.iter().zip(&self.used).flat_map(|(row, used)| {
            let unused = row.of.iter().filter(|of| !used.contains(of));
            unused.map(|of| format!("listed, and nothing is there: {of}/{}", row.key))
        });
        places.collect()
    }

    /// How many places deviate by each rule.
    pub(super) fn by_rule(&self) -> Vec<(String, usize)> {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for (row, used) in self.rows.iter().zip(&self.used) {
            if row.as_recorded || used.is_empty() {
                continue;
            }
            match counts.iter_mut().find(|(rule, _)| *rule == row.rule) {
                Some((_, count)) => *count += used.len(),
                None => counts.push((row.rule.clone(), used.len())),
            }
        }
        counts.sort();
        counts
    }
}

impl Row {
    fn is_of(&self, place: &str, key: &str) -> bool {
        self.key == key && self.of.iter().any(|of| of == place)
    }

    fn apply(&self, value: &mut Option<Value>, place: &str, faults: &mut Vec<String>) {
        if self.edits.is_empty() {
            value.clone_from(&self.expected);
            return;
        }
        for edit in &self.edits {
            for at in &edit.at {
                match value.as_mut().and_then(|value| value.pointer_mut(at)) {
                    Some(found) => edit.apply(found),
                    None => faults.push(format!("{place}/{}: nothing is at {at}", self.key)),
                }
            }
        }
    }
}

impl Edit {
    fn apply(&self, value: &mut Value) {
        if let Some(replacement) = &self.replace {
            value.clone_from(replacement);
        }
        if let Value::Object(entries) = value {
            entries.extend(self.set.clone());
            for key in &self.remove {
                entries.shift_remove(key);
            }
        }
    }
}
