//! `portcullis compile-component`, the child of a command that loads components.
//!
//! A component comes on stdin and its code goes to stdout; nothing else is ever written there.

use std::process::ExitCode;

use super::terminal;
use crate::sandbox::{Answer, COMPILE_COMMAND, Confines, compile_confined};

/// Compile the component on stdin in this process, which takes no more than it may
///
/// Other commands start this one themselves for each component that is not in the cache.
#[derive(Debug, clap::Args)]
#[command(hide = true)]
pub(super) struct Arguments {
    /// Bytes of address space that it may take
    #[arg(long, value_name = "N", default_value_t = 4 << 30)]
    memory_bytes_max: u64,

    /// Seconds of all processors together that it may take
    #[arg(long, value_name = "N", default_value_t = 120)]
    cpu_seconds_max: u64,
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        if terminal::is_there() {
            anyhow::bail!(
                "`{COMPILE_COMMAND}` is what `portcullis` starts by itself to compile a component; \
                 to see what is in one, use `portcullis check`"
            );
        }
        let confines = Confines {
            memory_bytes_max: self.memory_bytes_max,
            cpu_seconds_max: self.cpu_seconds_max,
        };
        let answer = compile_confined(confines, std::io::stdin().lock())?;
        match &answer {
            Answer::Code(code) => terminal::give(code)?,
            Answer::Refused(why) => terminal::complain(why),
            Answer::NoMemory => terminal::complain("there is too little memory"),
        }
        Ok(ExitCode::from(answer.status()))
    }
}
