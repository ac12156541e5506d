//! From a file that is put in place to the client that knows and gets its new version; servers that
//! start with much to compile; and what many versions leave in memory.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

use crate::compiled::compile_time;
use crate::generated::{numbered, section};
use crate::harness::{Server, moment, rename_over};
use crate::table::{Table, median};
use crate::versions::{LARGE, REACHING, Versions, WEATHER, large, megabytes};

/// Within which a small component is to be served anew.
const TARGET: Duration = Duration::from_millis(300);
const CHANGED: &str = "notifications/tools/list_changed";

pub(crate) fn measure(table: &mut Table) {
    small(table, "200 KB", &REACHING);
    small(table, "weather", &WEATHER);
    let compiled = replaced_large(table);
    cold(table, compiled);
    memory(table);
}

/// A server of one file in a directory.
struct Served {
    server: Server,
    file: PathBuf,
    _directory: TempDir,
    /// How often it has told of other definitions.
    told: usize,
}

/// From the moment at which a version was put in place; and beside it, how long it takes to compile
/// that version alone, just before.
struct Swap {
    told: Duration,
    answered: Duration,
    compiled: Duration,
}

impl Served {
    fn start(versions: &Versions, number: u32) -> Self {
        let directory = tempfile::tempdir().expect("the temporary directory can be written");
        let file = directory.path().join("tool.wasm");
        std::fs::write(&file, versions.known(number)).expect("it can be written");
        let config = directory.path().join("portcullis.toml");
        let grants =
            format!("[components.tool]\npath = \"tool.wasm\"\ngrants.{}\n", versions.grants);
        let mut server = match versions.grants {
            "" => Server::start(&[directory.path()]),
            _ => {
                std::fs::write(&config, grants).expect("it can be written");
                Server::start(&[Path::new("--config"), &config])
            }
        };
        versions.await_answer(&mut server, number);
        Self { server, file, _directory: directory, told: 0 }
    }

    fn swap(&mut self, versions: &Versions, number: u32, bytes: &[u8]) -> Swap {
        let compiled = compile_time(bytes);
        let aside = self.file.with_extension("new");
        std::fs::write(&aside, bytes).expect("it can be written");
        let began = Instant::now();
        std::fs::rename(aside, &self.file).expect("it can be put in place");
        self.told += 1;
        self.server.wait_for_notifications(CHANGED, self.told);
        let told = began.elapsed();
        versions.await_answer(&mut self.server, number);
        Swap { told, answered: began.elapsed(), compiled }
    }
}

/// A component of Rust: versions that must be compiled, and such as were before.
fn small(table: &mut Table, what: &str, versions: &Versions) {
    const SWAPS: u32 = 15;
    let mut served = Served::start(versions, 0);
    table.alone(&format!("{what}: size"), &megabytes(&versions.known(0)));
    let mut new = |number| served.swap(versions, number, &versions.fresh(number));
    swaps(table, &format!("{what}, new"), &(1..=SWAPS).map(&mut new).collect::<Vec<_>>());
    // Both are compiled before they are measured.
    let mut known = |turn| {
        let number = 100 + turn % 2;
        served.swap(versions, number, &versions.known(number))
    };
    let known: Vec<Swap> = (0..SWAPS + 2).map(&mut known).skip(2).collect();
    told_and_answered(table, &format!("{what}, compiled before"), &known);
}

/// A component of 18 MB; gives the time in which it compiles.
fn replaced_large(table: &mut Table) -> Duration {
    const SWAPS: u32 = 3;
    let mut served = Served::start(&LARGE, 0);
    table.alone("18 MB: size", &megabytes(&LARGE.known(0)));
    let mut new = |number| served.swap(&LARGE, number, &LARGE.fresh(number));
    swaps(table, "18 MB, new", &(1..=SWAPS).map(&mut new).collect::<Vec<_>>())
}

/// What versions that had to be compiled took, and of it what is not compiling; gives the rest.
fn swaps(table: &mut Table, what: &str, swaps: &[Swap]) -> Duration {
    told_and_answered(table, what, swaps);
    let of = |time: fn(&Swap) -> Duration| median(swaps.iter().map(time).collect());
    let compiled = of(|swap| swap.compiled);
    let answered = of(|swap| swap.answered);
    table.time(&format!("{what}: answered"), answered, "compiling alone", compiled);
    let beyond = of(|swap| swap.answered.saturating_sub(swap.compiled));
    table.time(&format!("{what}: answered, less compiling"), beyond, "target", TARGET);
    compiled
}

fn told_and_answered(table: &mut Table, what: &str, swaps: &[Swap]) {
    let of = |time: fn(&Swap) -> Duration| median(swaps.iter().map(time).collect());
    table.time(&format!("{what}: told"), of(|swap| swap.told), "target", TARGET);
    table.time(&format!("{what}: answered"), of(|swap| swap.answered), "target", TARGET);
}

/// A server that starts with three components of 18 MB to compile.
fn cold(table: &mut Table, compiled: Duration) {
    let first_reply = |directory: &TempDir| {
        let began = Instant::now();
        let server = Server::start(&[directory.path()]);
        (server, began, began.elapsed())
    };
    let warm = tempfile::tempdir().expect("the temporary directory can be written");
    std::fs::write(warm.path().join("tool.wasm"), WEATHER.known(0)).expect("it can be written");
    let usual = median((0..5).map(|_| first_reply(&warm).2).collect());
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    for (number, name) in (1..).zip(["one", "three", "two"]) {
        let bytes = [large(name, number), section("moment", &moment())].concat();
        let file = directory.path().join(name).with_extension("wasm");
        std::fs::write(file, bytes).expect("it can be written");
    }
    let (mut server, began, replied) = first_reply(&directory);
    server.wait_for_log("serving 3 tools of 3 components over stdio");
    let served = began.elapsed();
    let listed = server.request("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(3), "{listed}");
    table.time("3 x 18 MB, cold: first reply", replied, "of a compiled weather", usual);
    table.time("3 x 18 MB, cold: served", served, "compiling all, alone", 3 * compiled);
}

/// 500 versions, each called once.
fn memory(table: &mut Table) {
    const WARM: u32 = 10;
    const SWAPS: u32 = 500;
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let file = directory.path().join("tool.wasm");
    rename_over(&file, &numbered("version", 0, ""));
    let mut server = Server::start(&[directory.path()]);
    let mut swap = |number: u32| {
        rename_over(&file, &numbered("version", number, ""));
        LARGE.await_answer(&mut server, number);
        server.resident_bytes()
    };
    let first = swap(1);
    let start = (2..=WARM).map(&mut swap).last().unwrap_or(first);
    let end = (WARM + 1..=WARM + SWAPS).map(&mut swap).last().unwrap_or(start);
    table.memory("memory: after 500 versions", end, &format!("after {WARM}"), start);
    table.memory("memory: after 500 versions", end, "after the first", first);
}
