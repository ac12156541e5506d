//! How long it takes to compile a component and nothing else, in the way in which the host does.

use std::fs::File;
use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::harness::program;

/// The time of the child that a host starts for a component.
pub(crate) fn compile_time(component: &[u8]) -> Duration {
    let mut file = tempfile::NamedTempFile::new().expect("the temporary directory can be written");
    file.write_all(component).expect("the temporary directory can be written");
    let stdin = File::open(file.path()).expect("it was written");
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    let mut child = program();
    child
        .args(["compile-component", "--memory-bytes-max=4294967296", "--cpu-seconds-max=600"])
        .env("MALLOC_ARENA_MAX", threads.to_string())
        .env("RAYON_NUM_THREADS", threads.to_string())
        .stdin(Stdio::from(stdin));
    let began = Instant::now();
    let output = child.output().expect("the command starts");
    let took = began.elapsed();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    took
}
