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
    #[command(flatten)]
    confines: Confines,
}

impl Arguments {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        if terminal::is_there() {
            anyhow::bail!(
                "`{COMPILE_COMMAND}` is what `portcullis` starts by itself to compile a component; \
                 to see what is in one, use `portcullis check`"
            );
        }
        let answer = compile_confined(self.confines, std::io::stdin().lock())?;
        match &answer {
            Answer::Code(code) => terminal::give(code)?,
            Answer::Refused(why) => terminal::complain(why),
            Answer::NoMemory => terminal::complain("there is too little memory"),
        }
        Ok(ExitCode::from(answer.status()))
    }
}
