//! The `portcullis` command.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A call allocates on one thread and frees on another; the system's allocator has them wait for each other
/// (docs/decisions/0013-what-a-call-costs.md).
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    portcullis::command::main()
}
