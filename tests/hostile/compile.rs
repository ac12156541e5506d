//! Components that cost more to compile than they may.
//!
//! The child that compiles one is stopped, the command says which limit it was, and what it goes
//! on to load is loaded.

use std::process::{Command, Stdio};

use libtest_mimic::Trial;

use crate::generated::weighted;
use crate::harness::{Run, named, program, run, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "hostile",
        named![
            a_component_that_takes_too_long_to_compile_is_refused,
            a_component_that_takes_too_much_memory_to_compile_is_refused,
            a_component_with_functions_for_an_hour_is_refused,
            the_command_that_compiles_answers_with_code_or_a_status,
            the_command_that_compiles_holds_its_own_limits,
        ],
    )
}

fn a_component_that_takes_too_long_to_compile_is_refused() {
    let why = "it could not be compiled within `compile_deadline_ms` = 100 ms; raise the limit if \
               you trust it";
    assert_eq!(listed("compile_deadline_ms = 100", &bomb(1)), refusal(why));
}

fn a_component_that_takes_too_much_memory_to_compile_is_refused() {
    let why = "it could not be compiled within `compile_memory_bytes_max` = 268435456 bytes; raise \
               the limit if you trust it";
    assert_eq!(listed("compile_memory_bytes_max = 268_435_456", &bomb(1)), refusal(why));
}

/// Many functions that each compile in good time.
fn a_component_with_functions_for_an_hour_is_refused() {
    let why = "it could not be compiled within `compile_deadline_ms` = 100 ms; raise the limit if \
               you trust it";
    assert_eq!(listed("compile_deadline_ms = 100", &bomb(1000)), refusal(why));
}

fn the_command_that_compiles_answers_with_code_or_a_status() {
    let code = compile("--memory-bytes-max=1000000000", EMPTY);
    assert_eq!((code.status.code(), code.stderr.as_slice()), (Some(0), b"".as_slice()));
    assert!(code.stdout.starts_with(b"\x7fELF"), "code is an object file");
    let refused = compile("--memory-bytes-max=1000000000", &EMPTY[..6]);
    assert_eq!((refused.status.code(), refused.stdout.as_slice()), (Some(3), b"".as_slice()));
    let why = String::from_utf8(refused.stderr).expect("the command writes UTF-8");
    assert!(why.ends_with('\n') && why.lines().count() == 1, "{why}");
}

fn the_command_that_compiles_holds_its_own_limits() {
    let stopped = compile("--memory-bytes-max=268435456", &bomb(1));
    assert_ne!(stopped.status.code(), Some(0));
    assert_eq!(stopped.stdout, b"");
}

/// Runs the command that a host starts for a component.
fn compile(memory: &str, component: &[u8]) -> std::process::Output {
    let file = tempfile::NamedTempFile::new().expect("the temporary directory can be written");
    std::fs::write(&file, component).expect("the temporary directory can be written");
    let stdin = std::fs::File::open(&file).expect("it was written");
    let mut command: Command = program();
    command
        .args(["compile-component", memory, "--cpu-seconds-max=600"])
        .env("MALLOC_ARENA_MAX", "1")
        .env("MIMALLOC_ARENA_RESERVE", "65536")
        .env("RAYON_NUM_THREADS", "1")
        .stdin(Stdio::from(stdin))
        .output()
        .expect("the command starts")
}

/// Lists the tools of a component under a limit of the host.
fn listed(limit: &str, component: &[u8]) -> Run {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let put = |name: &str, bytes: &[u8]| {
        std::fs::write(directory.path().join(name), bytes)
            .expect("the temporary directory can be written");
    };
    put("bomb.wasm", component);
    put("limits.toml", format!("[host]\n{limit}\n").as_bytes());
    run(directory.path(), &["list", "bomb.wasm", "--config", "limits.toml"])
}

fn refusal(why: &str) -> Run {
    let stderr = format!("portcullis: cannot load `bomb.wasm`: {why}\n");
    Run { status: 2, stdout: String::new(), stderr }
}

/// The smallest component there is.
const EMPTY: &[u8] = b"\0asm\x0d\0\x01\0";

/// A component of about 2 MB that takes seconds and gigabytes to compile, in functions of which
/// each has an equal part of it.
fn bomb(functions: u32) -> Vec<u8> {
    weighted(EMPTY, functions, 150_000)
}
