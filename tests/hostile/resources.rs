//! Guests that take up what they can get: time, memory, the log, the client's attention.

use std::time::Instant;

use libtest_mimic::Trial;
use serde_json::json;

use super::figures;
use super::server::serve_hostile;
use super::{DEADLINE, MEMORY, ends, one, shared, tool_error};
use crate::harness::{Line, named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "hostile",
        named![
            a_loop_meets_its_deadline,
            a_sleep_meets_its_deadline,
            a_panic_is_masked_and_logged,
            an_exit_ends_the_call_alone,
            allocation_without_end_meets_the_memory_limit,
            json_rpc_on_stdout_never_reaches_the_transport,
            a_flood_of_stderr_is_cut_in_the_log_alone,
            a_flood_of_megabytes_takes_no_memory,
            a_flood_of_progress_reaches_no_client,
            a_wrong_shape_is_named_without_its_values,
            invalid_json_is_refused,
            a_result_of_100_mb_meets_the_result_limit,
            a_result_of_100_mb_meets_the_memory_limit_first_where_that_is_lower,
        ],
    )
}

fn a_loop_meets_its_deadline() {
    ends("hurried_loops", &tool_error("hurried_loops", DEADLINE));
}

fn a_sleep_meets_its_deadline() {
    ends("hurried_sleeps", &tool_error("hurried_sleeps", DEADLINE));
}

fn a_panic_is_masked_and_logged() {
    let told = "the tool stopped unexpectedly and gave no result; \
                the host's log has the details under call cN";
    ends("hostile_panics", &tool_error("hostile_panics", told));
    shared(|server| server.wait_for_log("printed: the secret text of a panic"));
}

/// WASI 0.2 keeps of a status whether it is 0, and not which it is.
fn an_exit_ends_the_call_alone() {
    let told = "the tool exited with status 1 and gave no result; \
                the host's log has the details under call cN";
    ends("hostile_exits", &tool_error("hostile_exits", told));
}

fn allocation_without_end_meets_the_memory_limit() {
    let tool = "hostile_allocates_without_end";
    ends(tool, &tool_error(tool, MEMORY));
}

/// What it prints are answers to the ids 0 to 99, and this client's ids are among them.
fn json_rpc_on_stdout_never_reaches_the_transport() {
    ends("hostile_prints_json_rpc", &one());
    shared(|server| server.wait_for_log(r#"printed: {"jsonrpc":"2.0","id":0,"result""#));
}

fn a_flood_of_stderr_is_cut_in_the_log_alone() {
    ends("hostile_floods_stderr", &one());
    // 10,000 lines of 4,096 bytes and a line end, less the 8,192 bytes that the log keeps.
    shared(|server| server.wait_for_log("printed: 40961808 bytes before this, dropped"));
}

/// 1 GiB where figures are wanted.
fn a_flood_of_megabytes_takes_no_memory() {
    let megabytes: u64 = if figures::are_wanted() { 1024 } else { 128 };
    let mut server = serve_hostile();
    assert_eq!(server.call("hostile_well_behaved", json!({})), one());
    let began = Instant::now();
    let grown = server.grows_by(|server| {
        let flooded = server.call("hostile_floods_stderr_with", json!({ "it": megabytes }));
        assert_eq!(flooded, one());
    });
    let what = format!("memory that {megabytes} MiB to stderr take");
    figures::note(13, &what, format!("{} KiB", grown >> 10));
    let what = format!("time that {megabytes} MiB to stderr take");
    figures::note(13, &what, format!("{} ms", began.elapsed().as_millis()));
    assert!(grown < 16 << 20, "{grown}");
    // The log keeps 8,192 bytes.
    let dropped = (megabytes << 20) - 8192;
    server.wait_for_log(&format!("printed: {dropped} bytes before this, dropped"));
}

/// The tool reports 10,000 times.
fn a_flood_of_progress_reaches_no_client() {
    let mut server = serve_hostile();
    let began = Instant::now();
    let id = server.send(
        "tools/call",
        json!({
            "name": "hostile_floods_progress",
            "arguments": {},
            "_meta": { "progressToken": "p" },
        }),
    );
    assert_eq!(server.result(id), one());
    let seconds = usize::try_from(began.elapsed().as_secs()).expect("it takes seconds");
    let heard = server.beside_answers();
    figures::note(13, "notes of progress, of 10,000 reports", heard.len());
    assert!((1..=10 * (seconds + 1)).contains(&heard.len()), "{} in {seconds} s", heard.len());
    for line in heard {
        let Line::Notification(message) = line else { panic!("{line:?}") };
        assert_eq!(message["method"], "notifications/progress");
        assert_eq!(message["params"]["progressToken"], "p");
    }
}

fn a_wrong_shape_is_named_without_its_values() {
    let tool = "hostile_returns_the_wrong_shape";
    ends(tool, &tool_error(tool, "1 validation error for N\nn\n  Field required"));
}

fn invalid_json_is_refused() {
    let tool = "hostile_returns_invalid_json";
    let told = "the result is not JSON: EOF while parsing an object (at byte 6)";
    ends(tool, &tool_error(tool, told));
}

fn a_result_of_100_mb_meets_the_result_limit() {
    let told = "the result has more than 65536 bytes; ask for less, or have the operator raise \
                `result_bytes_max`";
    ends("roomy_returns_100_mb", &tool_error("roomy_returns_100_mb", told));
}

fn a_result_of_100_mb_meets_the_memory_limit_first_where_that_is_lower() {
    ends("hostile_returns_100_mb", &tool_error("hostile_returns_100_mb", MEMORY));
}
