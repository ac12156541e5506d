//! What versions that are served no more leave behind in memory.

use std::fs;
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use serde_json::json;

use super::{asked, serving, version, wait_for};
use crate::generated::with_data;
use crate::harness::{Server, figure, hostile, named, rename_over, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "reload",
        named![five_hundred_versions_leave_nothing_behind, a_version_is_freed_with_its_last_call,],
    )
}

/// Versions until the allocator and the pool have what they keep.
const WARM: u32 = 10;
const SWAPS: u32 = 500;

/// Each version is called before the next one comes. The machine code of one is 18 KB: if 500 were
/// kept, it would be some 9 MB more.
fn five_hundred_versions_leave_nothing_behind() {
    let (directory, mut server) = serving(&version(0));
    let file = directory.path().join("tool.wasm");
    assert_eq!(asked(&mut server), 0);
    let first = server.resident_bytes();
    let began = Instant::now();
    let swap = |server: &mut Server, number: u32| {
        rename_over(&file, &version(number));
        // It is watched as well; the signal is only sooner.
        server.hang_up();
        wait_for(server, number);
    };
    (1..=WARM).for_each(|number| swap(&mut server, number));
    let start = server.resident_bytes();
    (WARM + 1..=WARM + SWAPS).for_each(|number| swap(&mut server, number));
    let end = server.resident_bytes();
    let kib = |bytes: u64| format!("{} KiB", bytes >> 10);
    figure("reload", "memory: after the first call", kib(first));
    figure("reload", &format!("memory: after {WARM} swaps"), kib(start));
    figure("reload", &format!("memory: after {SWAPS} more"), kib(end));
    figure("reload", "time of a swap", format!("{:?}", began.elapsed() / (WARM + SWAPS)));
    assert!(end <= start + start / 10, "{start} bytes became {end}");
}

/// The bytes of a version that a call holds: data, which a component's code contains as they are.
const HELD_BYTES: usize = 16 << 20;

fn a_version_is_freed_with_its_last_call() {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let file = directory.path().join("tool.wasm");
    let guest = fs::read(hostile()).expect("it was built");
    fs::write(&file, with_data(&guest, HELD_BYTES)).expect("it can be written");
    let config = directory.path().join("c.toml");
    let text = "limits.call_deadline_ms = 3_000\n[components.tool]\npath = \"tool.wasm\"\n";
    fs::write(&config, text).expect("it can be written");
    let mut server = Server::start(&["--config".as_ref(), config.as_os_str()]);
    assert_eq!(server.call("well_behaved", json!({}))["isError"], false);
    // It sleeps for an hour, and so until its deadline.
    let sleeping = server.send_call("sleeps", json!({}));
    rename_over(&file, &version(7));
    server.wait_for_log("component `tool` is served in version");
    assert_eq!(asked(&mut server), 7);
    let held = server.resident_bytes();
    assert_eq!(server.result(sleeping)["isError"], true);
    // The reply may be out before the last of its call is gone.
    let began = Instant::now();
    let freed = || usize::try_from(held.saturating_sub(server.resident_bytes())).expect("64 bits");
    while freed() < HELD_BYTES && began.elapsed().as_secs() < 10 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let what = "memory: of a version, freed with its last call";
    figure("reload", what, format!("{} KiB of {}", freed() >> 10, held >> 10));
    assert!(freed() >= HELD_BYTES, "{} bytes of {held} were freed", freed());
}
