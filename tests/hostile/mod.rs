//! Guests that misbehave, against one server that goes on serving.
//!
//! Every way to misbehave ends as one tool error, whose whole text is known, and the next call
//! works. Nothing here measures time: what must not wait for a limit has one of an hour.

mod compile;
mod concurrent;
mod server;

use std::sync::{LazyLock, Mutex, PoisonError};

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::harness::{Server, named, trials as named_trials};
use server::serve_hostile;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = named_trials(
        "hostile",
        named![
            a_loop_meets_its_deadline,
            a_sleep_meets_its_deadline,
            a_panic_is_masked_and_logged,
            an_exit_ends_the_call_alone,
            allocation_without_end_meets_the_memory_limit,
            json_rpc_on_stdout_never_reaches_the_transport,
            a_flood_of_stderr_is_cut_in_the_log_alone,
            a_wrong_shape_is_named_without_its_values,
            invalid_json_is_refused,
            a_result_of_100_mb_meets_the_result_limit,
            a_result_of_100_mb_meets_the_memory_limit_first_where_that_is_lower,
        ],
    );
    trials.extend(compile::trials());
    trials.extend(concurrent::trials());
    trials
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
    shared(|server| server.wait_for_log("printed: 40961808 bytes more, dropped"));
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

const DEADLINE: &str = "the call took longer than 500 ms and was stopped; ask for less, or have \
                        the operator raise `call_deadline_ms`";
const MEMORY: &str = "the call needed more than 16777216 bytes of memory and was stopped; ask for \
                      less, or have the operator raise `memory_bytes_max`";

/// Calls `tool`, compares its whole result, and then calls a tool that behaves.
fn ends(tool: &str, expected: &Value) {
    shared(|server| {
        let result = server.call(tool, json!({}));
        assert_eq!(&result, expected);
        assert_eq!(server.call("hostile_well_behaved", json!({})), one());
        assert_eq!(server.beside_answers(), []);
    });
}

/// All of these tests have one server, one after the other.
fn shared(test: impl FnOnce(&mut Server)) {
    static SERVER: LazyLock<Mutex<Server>> = LazyLock::new(|| Mutex::new(serve_hostile()));
    test(&mut SERVER.lock().unwrap_or_else(PoisonError::into_inner));
}

/// What `well_behaved` gives, and those that misbehave only beside their result.
fn one() -> Value {
    json!({
        "content": [{ "type": "text", "text": "{\n  \"n\": 1\n}" }],
        "structuredContent": { "n": 1 },
        "isError": false,
    })
}

/// The whole result of a call that failed.
fn tool_error(tool: &str, told: &str) -> Value {
    let text = format!("Error executing tool {tool}: {told}");
    json!({ "content": [{ "type": "text", "text": text }], "isError": true })
}
