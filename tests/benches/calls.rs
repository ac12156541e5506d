//! How long a call of the weather tools takes in each language, in turn, as a client sees it and as the
//! host's receipts have it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Server, weather};
use crate::languages;
use crate::table::{Table, median};

const CALLS: usize = 300;
const WARM: usize = 20;
const TOOLS: [&str; 2] = ["get_temperature", "get_weather"];
/// Which of a tool's two times is the guest's.
const GUEST: usize = 0;
/// What a call of a guest is to take at most.
const TARGETS: [(&str, Duration); 2] =
    [("typescript", Duration::from_micros(500)), ("python", Duration::from_millis(2))];

pub(crate) fn measure(table: &mut Table) {
    let rust = Served::start("rust", weather());
    let others: Vec<Served> = TARGETS
        .iter()
        .filter_map(|(language, _)| match languages::built(language, "weather") {
            Ok(component) => Some(Served::start(language, &component)),
            Err(why) => {
                table.alone(&format!("{language}: not measured"), &why);
                None
            }
        })
        .collect();
    let mut all: Vec<Served> = [rust].into_iter().chain(others).collect();
    for tool in TOOLS {
        for turn in 0..WARM + CALLS {
            for served in &mut all {
                served.call(tool, turn >= WARM);
            }
        }
    }
    let measured: Vec<Measured> = all.into_iter().map(Served::end).collect();
    let Some((rust, others)) = measured.split_first() else { return };
    for (tool, name) in TOOLS.iter().enumerate() {
        for (kind, what) in ["guest", "whole call"].iter().enumerate() {
            let of_rust = rust.times[tool][kind];
            table.alone(&format!("{name}, rust: {what}"), &crate::table::milliseconds(of_rust));
            for other in others {
                let (took, target) = (other.times[tool][kind], other.target());
                let row = format!("{name}, {}: {what}", other.language);
                table.time(&row, took, "rust", of_rust);
                if kind == GUEST {
                    table.time(&row, took, "target", target);
                }
            }
        }
    }
}

/// A server of one language's tools, and how long its calls took so far.
struct Served {
    language: &'static str,
    server: Server,
    receipts: PathBuf,
    directory: TempDir,
    whole: Vec<(&'static str, Duration)>,
}

/// Of each tool, the medians of its guest's time and of whole calls.
struct Measured {
    language: &'static str,
    times: Vec<[Duration; 2]>,
}

impl Served {
    fn start(language: &'static str, component: &Path) -> Self {
        let directory = tempfile::tempdir().expect("the temporary directory can be written");
        let receipts = directory.path().join("receipts");
        let arguments = [component.as_os_str(), "--audit".as_ref(), receipts.as_os_str()];
        Self { language, server: Server::start(&arguments), receipts, directory, whole: Vec::new() }
    }

    fn call(&mut self, tool: &'static str, counts: bool) {
        let began = Instant::now();
        let result = self.server.call(tool, json!({ "city": "London" }));
        let took = began.elapsed();
        assert_eq!(result["isError"], false, "{result}");
        if counts {
            self.whole.push((tool, took));
        }
    }

    fn end(mut self) -> Measured {
        self.server.close();
        let text = std::fs::read_to_string(&self.receipts).expect("receipts were written");
        let receipts: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("a receipt is JSON"))
            .collect();
        let times = TOOLS.map(|tool| {
            let of_tool = receipts.iter().filter(|receipt| receipt["tool"] == tool);
            let guest = of_tool.skip(WARM).map(|receipt| {
                Duration::from_micros(receipt["guest_us"].as_u64().expect("it has the time"))
            });
            let whole = self.whole.iter().filter(|(of, _)| *of == tool).map(|(_, took)| *took);
            let [guest, whole]: [Vec<Duration>; 2] = [guest.collect(), whole.collect()];
            assert_eq!([guest.len(), whole.len()], [CALLS; 2], "{}", self.language);
            [median(guest), median(whole)]
        });
        drop(self.directory);
        Measured { language: self.language, times: times.to_vec() }
    }
}

impl Measured {
    fn target(&self) -> Duration {
        let target = TARGETS.iter().find(|(language, _)| *language == self.language);
        target.expect("what is measured has one").1
    }
}
