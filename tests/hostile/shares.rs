//! What guests share: processors, memory and room. None takes more than its share.
//!
//! Figures that are timings are printed and never asserted.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use serde_json::json;

use super::figures::note;
use super::{one, tool_error};
use crate::harness::{Line, Server, hostile, named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "hostile",
        named![
            loops_of_every_slot_leave_pings_and_other_components_alone,
            fifty_loops_leave_a_fast_tool_answering,
            fifty_allocators_stay_within_the_budget_of_the_host,
            more_calls_than_there_is_room_for_wait_or_are_told,
            a_component_that_fills_its_share_leaves_room_for_another,
            a_thousand_cancelled_calls_leave_nothing_behind,
        ],
    )
}

/// A server with the hostile component twice, as `bad` and as `good`, under these lines.
fn serve(lines: &str) -> Server {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let config = directory.path().join("portcullis.toml");
    let path = json!(hostile()).to_string();
    let components = ["bad", "good"]
        .map(|id| format!("[components.{id}]\npath = {path}\nprefix = \"{id}\"\n"))
        .concat();
    std::fs::write(&config, format!("{lines}\n{components}")).expect("it can be written");
    Server::start(&["--config".as_ref(), config.as_os_str()]).keeping(directory)
}

/// The median time of a fast call.
fn fast_call(server: &mut Server, calls: usize) -> Duration {
    let mut times: Vec<Duration> = (0..calls)
        .map(|_| {
            let began = Instant::now();
            assert_eq!(server.call("good_well_behaved", json!({})), one());
            began.elapsed()
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}

fn loops_of_every_slot_leave_pings_and_other_components_alone() {
    let mut server = serve("limits.call_deadline_ms = 2_000");
    let began = Instant::now();
    let loops: Vec<u64> = (0..32).map(|_| server.send_call("bad_loops", json!({}))).collect();
    let mut slowest = Duration::ZERO;
    for _ in 0..20 {
        let asked = Instant::now();
        assert_eq!(server.request("ping", json!({}))["result"], json!({}));
        slowest = slowest.max(asked.elapsed());
        assert_eq!(server.call("good_well_behaved", json!({})), one());
    }
    let deadline = "the call took longer than 2000 ms and was stopped; ask for less, or have the \
                    operator raise `call_deadline_ms`";
    for id in loops {
        assert_eq!(server.result(id), tool_error("bad_loops", deadline));
    }
    let last = began.elapsed().saturating_sub(Duration::from_secs(2));
    note(23, "32 loops: the last one ends after its deadline by", format!("{last:.1?}"));
    note(23, "slowest of 20 pings beside 32 loops", format!("{slowest:.1?}"));
}

fn fifty_loops_leave_a_fast_tool_answering() {
    let mut server = serve("limits.call_deadline_ms = 3_600_000\nhost.calls_max = 128");
    fast_call(&mut server, 50);
    let idle = fast_call(&mut server, 200);
    let loops: Vec<u64> = (0..50).map(|_| server.send_call("bad_loops", json!({}))).collect();
    fast_call(&mut server, 20);
    let busy = fast_call(&mut server, 200);
    // The loops have an hour: none can have ended.
    assert!(!server.lines().iter().any(|line| loops.iter().any(|id| *line == Line::Answer(*id))));
    let ratio = busy.as_secs_f64() / idle.as_secs_f64();
    note(
        23,
        "fast call, idle and beside 50 loops",
        format!("{idle:.0?}, {busy:.0?} (× {ratio:.1})"),
    );
}

fn fifty_allocators_stay_within_the_budget_of_the_host() {
    const BUDGET: u64 = 64 << 20;
    let mut server =
        serve(&format!("limits.memory_bytes_max = 33_554_432\nhost.memory_bytes_max = {BUDGET}"));
    fast_call(&mut server, 5);
    let by_call = "the call needed more than 33554432 bytes of memory and was stopped; ask for \
                   less, or have the operator raise `memory_bytes_max`";
    let by_host = "all calls together need more memory than the host gives \
                   (`host.memory_bytes_max`), and this one was stopped; try again later";
    let grown = server.grows_by(|server| {
        let calls: Vec<u64> =
            (0..50).map(|_| server.send_call("bad_allocates_without_end", json!({}))).collect();
        for id in calls {
            let result = server.result(id);
            let known =
                [by_call, by_host].map(|told| tool_error("bad_allocates_without_end", told));
            assert!(known.contains(&result), "{result}");
        }
    });
    // The pool keeps what it touched; 16 MiB are for everything else.
    assert!(grown < BUDGET + (16 << 20), "{grown} bytes more than before");
    assert_eq!(server.call("good_well_behaved", json!({})), one());
    note(25, "50 allocators: memory of the host grows by", format!("{} of 64 MiB", grown >> 20));
}

fn more_calls_than_there_is_room_for_wait_or_are_told() {
    let mut server =
        serve("limits.call_deadline_ms = 3_000\nhost.calls_max = 8\nhost.calls_queued_max = 10");
    let calls: Vec<u64> = (0..60).map(|_| server.send_call("bad_sleeps", json!({}))).collect();
    let told = [
        "the call took longer than 3000 ms and was stopped; ask for less, or have the operator \
         raise `call_deadline_ms`",
        "too many calls are running; this one waited 3000 ms; try again later",
        "as many calls of this component wait as may (`calls_queued_max`); try again later",
    ];
    let known = told.map(|told| tool_error("bad_sleeps", told));
    let mut seen = [0; 3];
    for id in calls {
        let result = server.result(id);
        let Some(which) = known.iter().position(|known| *known == result) else {
            panic!("{result}")
        };
        seen[which] += 1;
    }
    // Four run and leave four free, ten wait, and the others are told at once.
    assert_eq!(seen[0] + seen[1], 14, "{seen:?}");
    assert_eq!(seen[2], 46, "{seen:?}");
}

fn a_component_that_fills_its_share_leaves_room_for_another() {
    let mut server = serve("limits.call_deadline_ms = 3_600_000\nhost.calls_max = 8");
    let sleeping: Vec<u64> = (0..100).map(|_| server.send_call("bad_sleeps", json!({}))).collect();
    for _ in 0..10 {
        assert_eq!(server.call("good_well_behaved", json!({})), one());
    }
    assert!(
        !server.lines().iter().any(|line| sleeping.iter().any(|id| *line == Line::Answer(*id)))
    );
}

fn a_thousand_cancelled_calls_leave_nothing_behind() {
    /// Far less than 1,000 instances take, each of which has a MiB or more of memory.
    const KEPT_BYTES_MAX: u64 = 64 << 20;
    let mut server = serve("limits.call_deadline_ms = 3_600_000");
    assert_eq!(server.call("good_well_behaved", json!({})), one());
    let resident = server.resident_bytes();
    // A simple generator (Numerical Recipes, 7.1) says which call goes when.
    let mut state: u32 = 7;
    let mut random = move |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    let mut running: Vec<u64> = Vec::new();
    let mut cancelled: Vec<u64> = Vec::new();
    while cancelled.len() < 1000 {
        if running.len() < 20 && random(2) == 0 {
            let tool = ["bad_loops", "bad_sleeps"][random(2) as usize];
            running.push(server.send_call(tool, json!({})));
        } else if !running.is_empty() {
            let at = random(u32::try_from(running.len()).expect("few")) as usize;
            let id = running.swap_remove(at);
            server.notify("notifications/cancelled", json!({ "requestId": id, "reason": "test" }));
            cancelled.push(id);
        }
    }
    for id in running {
        server.notify("notifications/cancelled", json!({ "requestId": id }));
        cancelled.push(id);
    }
    // All of the room is there again.
    let calls: Vec<u64> =
        (0..64).map(|_| server.send_call("good_well_behaved", json!({}))).collect();
    for id in calls {
        assert_eq!(server.result(id), one());
    }
    let before = server.processor_time();
    std::thread::sleep(Duration::from_millis(500));
    let used = server.processor_time() - before;
    note(26, "processor time in the half second after 1,000 cancels", format!("{used:.0?}"));
    let kept = server.resident_bytes().saturating_sub(resident);
    note(26, "memory kept after 1,000 cancels", format!("{} KiB", kept >> 10));
    assert!(kept < KEPT_BYTES_MAX, "{kept} bytes");
    assert!(server.close().success());
    assert!(!server.log().contains("panic"), "{}", server.log());
    let answered = |line: &Line| match line {
        Line::Answer(id) => cancelled.contains(id),
        Line::Notification(_) | Line::Request(_) | Line::Stray(_) => true,
    };
    let lines: Vec<Line> = server.lines().into_iter().filter(answered).collect();
    assert_eq!(lines, [], "an answer to a cancelled call, or a stray line");
}
