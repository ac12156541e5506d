//! The `portcullis` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    portcullis::command::main()
}
