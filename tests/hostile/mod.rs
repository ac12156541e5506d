//! Guests that misbehave, against one server that goes on serving.
//!
//! Every way to misbehave ends as one tool error, whose whole text is known, or as one tool that
//! is not served; the next call works. Nothing here measures time: what must not wait for a limit
//! has one of an hour.

mod compile;
mod concurrent;
mod content;
mod figures;
mod granted;
mod network;
mod reach;
mod resources;
mod says;
mod server;
mod shares;
mod values;

use std::collections::BTreeSet;
use std::sync::{LazyLock, Mutex, PoisonError};

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::harness::{Server, named, trials as named_trials};
use server::serve_hostile;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = named_trials("hostile", named![every_threat_is_accounted_for]);
    trials.extend(says::trials());
    trials.extend(content::trials());
    trials.extend(values::trials());
    trials.extend(resources::trials());
    trials.extend(compile::trials());
    trials.extend(concurrent::trials());
    trials.extend(shares::trials());
    trials.extend(reach::trials());
    trials.extend(network::trials());
    trials
}

/// Where it is tested that a threat comes to nothing.
enum Tested {
    /// By these trials.
    By(&'static [&'static str]),
    /// Where no guest plays it against the command.
    Elsewhere(&'static str),
    /// No guest can play it: why.
    NoGuest(&'static str),
}
use Tested::{By, Elsewhere, NoGuest};

/// The threats by their numbers.
const THREATS: [(u8, &str, Tested); 48] = [
    (
        1,
        "poisoned definitions",
        By(&[
            "hostile::says::hidden_characters_are_refused_in_definitions",
            "hostile::says::hidden_characters_are_refused_in_what_is_packed",
            "hostile::says::descriptions_are_at_most_1_kib",
        ]),
    ),
    (2, "definitions change after approval", Elsewhere("the trials of `lock`, leaf by leaf")),
    (
        3,
        "permissions grow in an update",
        Elsewhere("the trials of `lock`, with a component that reaches"),
    ),
    (
        4,
        "names that collide",
        By(&[
            "hostile::says::names_that_a_reader_takes_for_one_are_refused_across_components",
            "hostile::says::exports_that_a_reader_takes_for_one_are_refused",
            "reports::names_that_a_reader_takes_for_one_are_refused",
        ]),
    ),
    (5, "code that runs when tools are listed", By(&["hostile::listing_runs_no_guest"])),
    (
        6,
        "injection through errors and traps",
        By(&[
            "hostile::says::a_long_panic_tells_the_model_nothing",
            "hostile::says::a_long_error_is_cut",
            "hostile::says::a_trap_names_no_function",
            "hostile::a_panic_is_masked_and_logged",
        ]),
    ),
    (
        7,
        "control sequences",
        By(&[
            "hostile::says::hidden_characters_are_shown_in_texts",
            "hostile::says::hidden_characters_are_shown_in_the_log",
            "hostile::says::hidden_characters_are_shown_on_the_terminal",
            "hostile::says::hidden_characters_are_shown_in_notes_of_progress",
            "hostile::says::structured_content_stays_exact",
        ]),
    ),
    (
        8,
        "content that says other than the data",
        By(&[
            "hostile::content::text_and_structured_content_say_the_same",
            "hostile::content::content_of_its_own_has_to_be_announced",
            "laws::what_is_sent_comes_back_and_validates",
        ]),
    ),
    (9, "images that are none", By(&["hostile::content::an_image_is_what_it_says_it_is"])),
    (10, "links of other schemes", By(&["hostile::content::links_have_an_allowed_scheme"])),
    (11, "meta of others", By(&["hostile::content::meta_stays_under_the_components_prefix"])),
    (12, "a false claim to change nothing", By(&["hostile::says::a_writer_is_not_read_only"])),
    (
        13,
        "floods of lines and of progress",
        By(&[
            "hostile::a_flood_of_megabytes_takes_no_memory",
            "hostile::a_flood_of_progress_reaches_no_client",
            "hostile::a_flood_of_stderr_is_cut_in_the_log_alone",
        ]),
    ),
    (
        14,
        "forged JSON-RPC on stdout",
        By(&["hostile::json_rpc_on_stdout_never_reaches_the_transport"]),
    ),
    (
        15,
        "references that leave a schema",
        By(&["hostile::values::nothing_is_fetched_for_a_reference"]),
    ),
    (16, "bombs of unions", By(&["hostile::values::a_bomb_of_unions_is_refused"])),
    (
        17,
        "4,000 levels",
        By(&[
            "hostile::values::a_schema_of_4000_levels_is_refused",
            "hostile::values::a_value_of_4000_levels_is_refused",
        ]),
    ),
    (18, "catastrophic patterns", By(&["hostile::values::a_catastrophic_pattern_is_answered"])),
    (
        19,
        "10,000 cases",
        By(&[
            "hostile::values::a_schema_of_10000_cases_is_refused",
            "hostile::values::a_type_of_10000_cases_is_refused",
        ]),
    ),
    (20, "a large value in an error", By(&["hostile::values::5_mb_make_a_short_error"])),
    (
        21,
        "huge results, and lists that are one in memory",
        By(&[
            "hostile::values::lists_that_are_one_in_memory_meet_the_result_limit",
            "hostile::a_result_of_100_mb_meets_the_result_limit",
            "hostile::a_result_of_100_mb_meets_the_memory_limit_first_where_that_is_lower",
        ]),
    ),
    (
        22,
        "schemas that are none",
        By(&[
            "reports::a_schema_that_does_not_compile_takes_no_other_tool_with_it",
            "reports::a_schema_of_an_older_draft_is_served_as_the_current_one_or_refused",
        ]),
    ),
    (
        23,
        "loops",
        By(&[
            "hostile::a_loop_meets_its_deadline",
            "hostile::loops_meet_their_deadlines_together",
            "hostile::a_good_call_is_answered_while_others_loop",
            "hostile::a_ping_is_answered_while_a_guest_loops",
            "hostile::loops_of_every_slot_leave_pings_and_other_components_alone",
            "hostile::fifty_loops_leave_a_fast_tool_answering",
        ]),
    ),
    (24, "host calls that hang", By(&["hostile::a_sleep_meets_its_deadline"])),
    (
        25,
        "memory, tables, instances, handles",
        By(&[
            "hostile::allocation_without_end_meets_the_memory_limit",
            "hostile::fifty_allocators_stay_within_the_budget_of_the_host",
            "hostile::handles_meet_their_limit",
            "hostile::tables_and_instances_meet_their_limits",
        ]),
    ),
    (
        26,
        "cancelled and disconnected calls",
        By(&[
            "hostile::a_cancelled_call_gets_no_answer",
            "hostile::cancelled_calls_give_their_room_back",
            "hostile::a_server_ends_when_its_client_goes_away",
            "hostile::a_thousand_cancelled_calls_leave_nothing_behind",
        ]),
    ),
    (
        27,
        "bombs for the compiler",
        By(&[
            "hostile::a_component_that_takes_too_long_to_compile_is_refused",
            "hostile::a_component_that_takes_too_much_memory_to_compile_is_refused",
            "hostile::a_component_with_functions_for_an_hour_is_refused",
        ]),
    ),
    (28, "deep types", By(&["hostile::values::a_type_of_99_levels_is_refused"])),
    (
        29,
        "more calls than room",
        By(&[
            "hostile::a_call_beyond_the_room_is_told_so",
            "hostile::more_calls_than_there_is_room_for_wait_or_are_told",
            "hostile::a_component_that_fills_its_share_leaves_room_for_another",
        ]),
    ),
    (
        30,
        "environment, arguments, secrets",
        By(&[
            "hostile::no_variable_and_no_argument_of_the_host_is_seen",
            "hostile::variables_that_are_granted_are_the_only_ones",
            "hostile::a_secret_leaves_in_no_way_that_is_looked_for",
            "hostile::a_secret_is_in_no_log_and_no_output_of_the_command",
        ]),
    ),
    (
        31,
        "files",
        By(&[
            "hostile::no_file_is_seen_without_a_grant",
            "hostile::a_granted_directory_is_read_and_not_written",
            "hostile::nothing_outside_of_a_granted_directory_is_read",
            "hostile::a_directory_that_is_swapped_for_a_link_leads_nowhere",
            "hostile::a_pipe_in_a_directory_is_not_opened",
        ]),
    ),
    (
        32,
        "network",
        By(&[
            "hostile::no_request_reaches_an_address_that_is_not_granted",
            "hostile::a_granted_address_is_reached_and_only_there",
            "hostile::a_name_that_is_answered_otherwise_later_leads_nowhere_else",
            "hostile::a_redirect_is_a_request_of_its_own",
            "hostile::sockets_are_never_granted",
        ]),
    ),
    (33, "headers", By(&["hostile::a_guest_sets_no_host_and_smuggles_no_header"])),
    (
        34,
        "leaks from tool to tool",
        By(&[
            "hostile::a_secret_of_one_component_is_not_seen_by_another",
            "hostile::an_instance_is_never_used_twice",
        ]),
    ),
    (
        35,
        "clocks and random numbers",
        By(&[
            "hostile::clocks_are_coarse_unless_granted",
            "hostile::random_numbers_are_a_grant",
            "hostile::hash_seeds_need_no_grant",
        ]),
    ),
    (36, "a poisoned cache", Elsewhere("unit tests of the cache: a guest cannot reach it")),
    (
        37,
        "bad builds during a reload",
        By(&[
            "reload::two_hundred_replacements_fail_no_call",
            "reload::a_bad_version_leaves_the_last_good_one_and_is_told_once",
        ]),
    ),
    (38, "foreign origins", NoGuest("clients play it, over HTTP")),
    (39, "tampered state", NoGuest("clients play it; state leaves sealed when there are rounds")),
    (40, "a panic in a handler", NoGuest("a guest's panic is a trap; ours would be a defect")),
    (41, "malformed parameters", NoGuest("clients play it")),
    (42, "retagged components", NoGuest("registries play it")),
    (43, "phishing questions", NoGuest("this version asks no questions")),
    (44, "sampling that costs", NoGuest("this version samples nothing")),
    (
        45,
        "keys that are there twice",
        By(&[
            "hostile::values::a_key_that_is_there_twice_is_refused",
            "hostile::values::a_key_that_is_there_twice_in_a_map_is_refused",
        ]),
    ),
    (
        46,
        "a directory filled up",
        By(&["hostile::a_granted_directory_has_a_quota_and_another_is_unaffected"]),
    ),
    (47, "floods of requests", By(&["hostile::requests_and_their_bytes_are_counted"])),
    (
        48,
        "half a file that is a component",
        By(&[
            "reload::two_hundred_replacements_fail_no_call",
            "reload::a_file_that_is_cut_between_sections_is_not_served",
        ]),
    ),
];

fn every_threat_is_accounted_for() {
    let modules = [
        trials(),
        crate::reload::trials(),
        crate::reports::trials(),
        crate::laws::trials(),
        crate::provider::trials(),
    ];
    let there: BTreeSet<String> =
        modules.iter().flatten().map(|trial| trial.name().to_owned()).collect();
    for (number, (row, what, tested)) in (1..).zip(&THREATS) {
        assert_eq!(*row, number, "{what}");
        match tested {
            By(trials) => {
                assert!(!trials.is_empty(), "{row}");
                for trial in *trials {
                    assert!(there.contains(*trial), "{row}: there is no trial {trial}");
                }
            }
            Elsewhere(place) | NoGuest(place) => assert!(!place.is_empty(), "{row}"),
        }
    }
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
