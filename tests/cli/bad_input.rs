//! What cannot be carried out: the whole line, the status, and nothing on stdout.

use libtest_mimic::Trial;

use super::Place;
use crate::harness::{Run, named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "cli",
        named![
            a_file_that_is_not_there_is_named,
            a_text_file_is_no_component,
            an_empty_file_is_no_component,
            a_core_module_is_told_from_a_component,
            a_component_without_tools_is_refused,
            a_component_that_does_not_compile_is_refused,
            an_empty_directory_is_refused,
            a_directory_without_a_component_of_tools_is_refused,
            arguments_that_are_not_json_are_refused,
            arguments_that_are_no_object_are_refused,
            an_unknown_tool_is_refused_with_the_nearest_name,
            a_config_that_is_not_there_is_named,
            a_config_with_an_unknown_key_names_the_nearest_one,
            a_config_with_a_value_out_of_range_says_the_range,
            a_config_with_a_component_that_is_not_there_names_it,
            no_path_and_no_config_says_what_to_name,
            an_unknown_option_is_refused,
            an_unknown_command_is_refused,
        ],
    )
}

fn a_file_that_is_not_there_is_named() {
    let why = "cannot read `no such.wasm`: No such file or directory (os error 2); name a component \
               (.wasm) or a directory of them";
    refused_by_all(&Place::new(), "no such.wasm", why);
}

fn a_text_file_is_no_component() {
    let place = Place::new().file("a text.wasm", b"(component)\n");
    let why = "cannot load `a text.wasm`: it is not a WebAssembly binary; name a component \
               (.wasm) or a directory of them";
    refused_by_all(&place, "a text.wasm", why);
}

fn an_empty_file_is_no_component() {
    let place = Place::new().file("empty.wasm", b"");
    let why = "cannot load `empty.wasm`: it is not a WebAssembly binary; name a component \
               (.wasm) or a directory of them";
    refused_by_all(&place, "empty.wasm", why);
}

fn a_core_module_is_told_from_a_component() {
    let place = Place::new().file("module.wasm", CORE_MODULE);
    let why = "cannot load `module.wasm`: it is a core WebAssembly module, not a component; build \
               it for wasm32-wasip2, or make a component of it with `wasm-tools component new`";
    refused_by_all(&place, "module.wasm", why);
}

fn a_component_without_tools_is_refused() {
    let place = Place::new().file("nothing.wasm", EMPTY_COMPONENT);
    let why = "cannot load `nothing.wasm`: it exports no tools; a component of tools exports \
               functions, or the interface `portcullis:guest/tools@0.1.0` (it exports nothing)";
    refused_by_all(&place, "nothing.wasm", why);
}

fn a_component_that_does_not_compile_is_refused() {
    let cut = [EMPTY_COMPONENT, &[0x07, 0x7f]].concat();
    let place = Place::new().file("cut.wasm", &cut);
    let why = "cannot load `cut.wasm`: it does not compile: failed to parse WebAssembly module: \
               unexpected end-of-file (at offset 0xa); build it again";
    refused_by_all(&place, "cut.wasm", why);
}

fn an_empty_directory_is_refused() {
    let place = Place::new().directory("no tools");
    let why = "no component in `no tools`; put a .wasm component there, or name one";
    refused_by_all(&place, "no tools", why);
}

fn a_directory_without_a_component_of_tools_is_refused() {
    let place = Place::new().file("tools/a.wasm", b"text").file("tools/b.wasm", CORE_MODULE);
    let why = "none of the files found is a component of tools; the first: cannot load \
               `tools/a.wasm`: it is not a WebAssembly binary; name a component (.wasm) or a \
               directory of them";
    // The log has a line for each file that is passed over.
    for command in ["serve", "list"] {
        assert_eq!(place.run(&[command, "--log=off", "tools"]), refusal(why));
    }
}

fn arguments_that_are_not_json_are_refused() {
    let place = Place::with_weather();
    let run = place.run(&["call", "weather.wasm", "get_weather", "{city: London}"]);
    let why = "the arguments of `get_weather` are not JSON: key must be a string (at byte 2); quote \
               them for the shell, such as '{\"city\": \"London\"}'";
    assert_eq!(run, refusal(why));
}

fn arguments_that_are_no_object_are_refused() {
    let place = Place::with_weather();
    let run = place.run(&["call", "weather.wasm", "get_weather", "\"London\""]);
    let why = "the arguments of `get_weather` must be a JSON object, such as \
               '{\"city\": \"London\"}'";
    assert_eq!(run, refusal(why));
}

fn an_unknown_tool_is_refused_with_the_nearest_name() {
    let place = Place::with_weather();
    let run = place.run(&["call", "weather.wasm", "get_wether", "{}"]);
    let why = "Unknown tool: get_wether; did you mean get_weather? `portcullis list weather.wasm` \
               shows the names";
    assert_eq!(run, refusal(why));
}

fn a_config_that_is_not_there_is_named() {
    let place = Place::new();
    let why = "cannot read `my.toml`: No such file or directory (os error 2); name a config that can \
               be read";
    for command in ["serve", "list"] {
        assert_eq!(place.run(&[command, "--config", "my.toml"]), refusal(why));
    }
}

fn a_config_with_an_unknown_key_names_the_nearest_one() {
    let place = Place::new().file("my.toml", b"[limits]\ncall_deadline = 5\n");
    let why = "my.toml:2:1: unknown field `call_deadline`, expected one of `call_deadline_ms`, \
               `memory_bytes_max`, `table_elements_max`, `instances_max`, `handles_max`, \
               `result_bytes_max`, `argument_bytes_max`, `log_bytes_max`, \
               `progress_notes_per_second_max`, `http_requests_max`, `http_bytes_max`, `calls_per_second_max`; did you mean \
               `call_deadline_ms`?";
    for command in ["serve", "list"] {
        assert_eq!(place.run(&[command, "--config", "my.toml"]), refusal(why));
    }
}

fn a_config_with_a_value_out_of_range_says_the_range() {
    let place = Place::new().file("my.toml", b"limits.call_deadline_ms = 0\n");
    let why = "my.toml:1:27: `call_deadline_ms` is 0; it can be 1 to 3600000";
    for command in ["serve", "list"] {
        assert_eq!(place.run(&[command, "--config", "my.toml"]), refusal(why));
    }
}

fn a_config_with_a_component_that_is_not_there_names_it() {
    let place = Place::new().file("sub/my.toml", b"[components.a]\npath = \"gone.wasm\"\n");
    let why = "cannot load `sub/gone.wasm`: No such file or directory (os error 2); name a \
               component (.wasm) that can be read";
    for command in ["serve", "list"] {
        assert_eq!(place.run(&[command, "--config", "sub/my.toml"]), refusal(why));
    }
}

fn no_path_and_no_config_says_what_to_name() {
    let why = "no component is named, and there is no `portcullis.toml` here; name a component \
               (.wasm) or a directory of them";
    for command in ["serve", "list"] {
        assert_eq!(Place::new().run(&[command]), refusal(why));
    }
}

fn an_unknown_option_is_refused() {
    for command in ["serve", "list", "call", "demo"] {
        misused(&[command, "--polish"], "error: unexpected argument '--polish' found\n");
    }
}

fn an_unknown_command_is_refused() {
    misused(&["polish"], "error: unrecognized subcommand 'polish'\n");
}

/// A core module without sections: magic and version.
const CORE_MODULE: &[u8] = b"\0asm\x01\0\0\0";
/// A component without sections: magic, version and layer.
const EMPTY_COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

/// Every command that takes a path refuses it in the same words.
fn refused_by_all(place: &Place, path: &str, why: &str) {
    for arguments in [&["serve", path][..], &["list", path], &["call", path, "get_weather", "{}"]] {
        assert_eq!(place.run(arguments), refusal(why), "{arguments:?}");
    }
}

/// One line on stderr, and nothing else.
pub(super) fn refusal(why: &str) -> Run {
    Run { status: 2, stdout: String::new(), stderr: format!("portcullis: {why}\n") }
}

/// What the parser of arguments says begins with `error` and shows how it is used.
fn misused(arguments: &[&str], error: &str) {
    let run = Place::new().run(arguments);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
    assert!(run.stderr.starts_with(error), "{}", run.stderr);
    assert!(run.stderr.contains("For more information, try '--help'."), "{}", run.stderr);
}
