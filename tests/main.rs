//! Tests of the command as it ships: what clients see over stdio, what people see on the command
//! line, and how hostile guests end.
//!
//! What could not be tested on this machine is said in the last lines of the run. With `CI=true`
//! it is a failure.

mod cli;
mod clients;
mod conformance;
mod dev;
mod docs;
mod frozen;
mod generated;
mod golden;
mod harness;
mod hostile;
mod http;
mod languages;
mod laws;
mod lock;
mod page;
mod provider;
mod reload;
mod reports;
mod stdio;
mod surface;
mod validators;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = [
        hostile::trials(),
        http::trials(),
        cli::trials(),
        page::trials(),
        golden::trials(),
        laws::trials(),
        languages::trials(),
        lock::trials(),
        provider::trials(),
        reload::trials(),
        dev::trials(),
        docs::trials(),
        frozen::trials(),
        reports::trials(),
        stdio::trials(),
        surface::trials(),
        validators::trials(),
        clients::trials(),
        conformance::trials(),
    ];
    let conclusion = libtest_mimic::run(&arguments, trials.into_iter().flatten().collect());
    for note in harness::notes() {
        println!("{note}");
    }
    conclusion.exit_code()
}
