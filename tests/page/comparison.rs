//! What was recorded and what is served, key by key.

use serde_json::{Map, Value};

use super::deviations::{self, Deviation, Deviations};
use super::{ordered, rules};
use crate::harness::note;

/// What was compared so far.
pub(super) struct Comparison {
    deviations: Deviations,
    used: Vec<Deviation>,
    agree: usize,
    faults: Vec<String>,
}

impl Comparison {
    pub(super) fn new(deviations: Deviations) -> Self {
        Self { deviations, used: Vec::new(), agree: 0, faults: Vec::new() }
    }

    /// Compares every key of what was recorded and of what is served.
    pub(super) fn compare(
        &mut self,
        tool: &str,
        case: Option<&str>,
        recorded: &Map<String, Value>,
        served: &Map<String, Value>,
    ) {
        let of_us_alone = served.keys().filter(|key| !recorded.contains_key(*key));
        for key in recorded.keys().chain(of_us_alone) {
            let (then, now) = (recorded.get(key), served.get(key));
            let listed = self.deviations.find(tool, case, key).cloned();
            let place =
                format!("{tool}/{}{key}", case.map(|c| format!("{c}/")).unwrap_or_default());
            match (ordered::same(key, then, now), listed) {
                (true, None) => self.agree += 1,
                (true, Some(_)) => {
                    self.faults.push(format!("{place}: listed as a deviation, and it is equal"));
                }
                (false, None) => self.faults.push(format!(
                    "{place}: not as recorded, and not listed\n  recorded: {}\n  served:   {}",
                    shown(then),
                    shown(now)
                )),
                (false, Some(listed)) => {
                    if !ordered::same(key, listed.expected.as_ref(), now) {
                        self.faults.push(format!(
                            "{place}: deviates in another way than listed\n  listed: {}\n  served: {}",
                            shown(listed.expected.as_ref()),
                            shown(now)
                        ));
                    }
                    self.used.push(listed);
                }
            }
        }
    }

    /// Fails with all that is wrong, or counts.
    pub(super) fn conclude(mut self) {
        for listed in self.deviations.all() {
            if listed.key != deviations::COMPILES && !self.used.contains(listed) {
                self.faults.push(format!("listed, and nothing is there: {}", listed.place()));
            }
        }
        assert!(self.faults.is_empty(), "{}", self.faults.join("\n"));
        // What does not compile is compared by `a_type_without_a_schema_does_not_compile`.
        let refused = rules::REFUSED_AT_COMPILE_TIME.len();
        let improved = self.deviations.of_key(deviations::COMPILES).count();
        note(format!(
            "page: {} values agree with the recorded ones and {} deviate, each as listed in \
             tests/page/deviations.json",
            self.agree + refused - improved,
            self.used.len() + improved
        ));
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("absent".to_owned(), Value::to_string)
}
