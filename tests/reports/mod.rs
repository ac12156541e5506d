//! What people reported of other tool hosts, as far as it is about schemas, names and values:
//! each a test of the whole kind.

mod arguments;
mod numbers;
mod refusals;
mod results;
mod schemas;
mod typed;

use libtest_mimic::Trial;
use serde_json::{Map, Value as Json, json};

use crate::harness::{named, trials as named_trials};
use arguments::*;
use numbers::*;
use refusals::*;
use results::*;
use schemas::*;

pub(crate) fn trials() -> Vec<Trial> {
    named_trials(
        "reports",
        named![
            a_number_that_is_not_finite_is_a_tool_error_with_its_path,
            integers_of_64_bits_are_exact_and_can_be_published_as_strings,
            every_array_says_what_its_items_are,
            no_number_has_a_format,
            every_type_is_one_word,
            no_schema_says_nothing,
            every_root_is_a_flat_object,
            a_wrong_case_is_told_with_its_place_and_the_legal_ones,
            an_option_may_be_left_out_null_or_set,
            what_models_write_as_a_string_is_read_where_no_string_is_meant,
            nothing_else_is_read_as_something_that_it_is_not,
            no_wrong_shape_is_a_success,
            data_that_looks_like_the_protocol_is_data,
            whatever_has_a_schema_has_structured_content,
            a_schema_that_does_not_compile_takes_no_other_tool_with_it,
            a_schema_of_an_older_draft_is_served_as_the_current_one_or_refused,
            arguments_that_are_no_flat_object_are_refused,
            names_that_some_client_refuses_are_not_served,
            names_that_a_reader_takes_for_one_are_refused,
            a_typed_export_is_called_by_its_published_name,
        ],
    )
}

/// The whole result of a call that failed.
fn failed(told: &str) -> Map<String, Json> {
    object(json!({ "content": [{ "type": "text", "text": told }], "isError": true }))
}

/// The whole result of a call that gave a value.
fn succeeded(texts: &[&str], structured: &Json) -> Map<String, Json> {
    let content: Vec<Json> =
        texts.iter().map(|text| json!({ "type": "text", "text": text })).collect();
    object(json!({ "content": content, "structuredContent": structured, "isError": false }))
}

fn object(value: Json) -> Map<String, Json> {
    match value {
        Json::Object(object) => object,
        other => panic!("no object: {other}"),
    }
}
