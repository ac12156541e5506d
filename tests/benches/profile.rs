//! A server under load while perf(1) looks at it: `just profile`.

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use crate::harness::{checkout, program, with_settings};
use crate::peers::{OverStdio, Peer as _, SCALAR, built};

/// The argument with which the benchmarks do this and nothing else.
pub(crate) const COMMAND: &str = "profile";

/// For how long the server has calls.
const LOAD: Duration = Duration::from_secs(10);
const IN_FLIGHT: usize = 16;

/// Writes `target/profile.data`.
pub(crate) fn record() -> ExitCode {
    let data = checkout().join("target/profile.data");
    let _ = std::fs::remove_file(&data);
    let mut perf = Command::new("perf");
    with_settings(&mut perf)
        .args(["record", "--quiet", "--freq", "499", "--call-graph", "fp", "--output"])
        .arg(&data)
        .arg("--")
        .arg(program().get_program())
        .arg("serve")
        .arg(built("provider"));
    let mut server = OverStdio::start(&mut perf);
    let began = Instant::now();
    let mut calls = 0;
    while began.elapsed() < LOAD {
        server.time_many(SCALAR, 1_000, IN_FLIGHT);
        calls += 1_000;
    }
    // perf writes the rest when the server has ended.
    drop(server);
    if !data.is_file() {
        eprintln!("perf has written nothing; `perf record true` says why");
        return ExitCode::FAILURE;
    }
    println!("{calls} calls in {:.1} s are in {}", began.elapsed().as_secs_f64(), data.display());
    ExitCode::SUCCESS
}
