//! What was recorded and what is served, key by key.

use serde_json::{Map, Value};

use super::deviations::Deviations;
use crate::harness::note;
use crate::page::same;

/// What was compared so far on one path.
pub(super) struct Comparison {
    path: &'static str,
    table: &'static str,
    deviations: Deviations,
    agree: usize,
    deviate: usize,
    faults: Vec<String>,
}

impl Comparison {
    pub(super) fn new(path: &'static str, table: &'static str, text: &str) -> Self {
        Self::by(path, table, Deviations::read(table, text))
    }

    pub(super) fn by(path: &'static str, table: &'static str, deviations: Deviations) -> Self {
        Self { path, table, deviations, agree: 0, deviate: 0, faults: Vec::new() }
    }

    /// Compares every key of what was recorded, of what is served and of what is listed. A place is a tool or
    /// `tool/case`.
    pub(super) fn compare(
        &mut self,
        place: &str,
        recorded: &Map<String, Value>,
        served: &Map<String, Value>,
    ) {
        let listed = self.deviations.keys(place);
        let of_us_alone = served.keys().filter(|key| !recorded.contains_key(*key));
        let of_neither =
            listed.iter().filter(|key| !recorded.contains_key(*key) && !served.contains_key(*key));
        for key in recorded.keys().chain(of_us_alone).chain(of_neither) {
            let (then, now) = (recorded.get(key), served.get(key));
            let (expected, rows) = self.deviations.expected(place, key, then, &mut self.faults);
            if same(key, expected.as_ref(), now) {
                match rows {
                    0 => self.agree += 1,
                    _ => self.deviate += 1,
                }
            } else {
                self.faults.push(format!(
                    "{place}/{key}: not as {}\n  expected: {}\n  served:   {}",
                    if rows == 0 { "recorded, and not listed" } else { "listed" },
                    shown(expected.as_ref()),
                    shown(now)
                ));
            }
        }
    }

    /// Fails with all that is wrong, or counts.
    pub(super) fn conclude(mut self) {
        self.faults.extend(self.deviations.unused());
        assert!(self.faults.is_empty(), "{}", self.faults.join("\n"));
        let rules: Vec<String> = self
            .deviations
            .by_rule()
            .into_iter()
            .map(|(rule, count)| format!("{rule} {count}"))
            .collect();
        note(format!(
            "golden, {}: {} values agree with the recorded ones and {} deviate, each as listed in \
             {} ({})",
            self.path,
            self.agree,
            self.deviate,
            self.table,
            rules.join(", ")
        ));
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("absent".to_owned(), Value::to_string)
}
