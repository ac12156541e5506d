//! What the child does that compiles a component: it confines itself, reads, compiles.
//!
//! Not a byte of the component is read before the limits hold.

use std::io::{self, Read};

use wasmtime::OutOfMemory;

use crate::sandbox::engine;

/// The name of the command that the child is started with.
pub(crate) const COMPILE_COMMAND: &str = "compile-component";

/// Exit status of a child whose component does not compile; why is on its stderr.
pub(super) const REFUSED: u8 = 3;
/// Exit status of a child that got no memory.
pub(super) const NO_MEMORY: u8 = 4;

/// What the process that compiles may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Confines {
    /// Bytes of address space.
    pub(crate) memory_bytes_max: u64,
    /// Seconds of all processors together.
    pub(crate) cpu_seconds_max: u64,
}

/// What the child has to say.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The component's code.
    Code(Vec<u8>),
    /// It does not compile, and why.
    Refused(String),
    /// There was too little memory.
    NoMemory,
}

impl Answer {
    /// The exit status that tells the parent which answer this is.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Self::Code(_) => 0,
            Self::Refused(_) => REFUSED,
            Self::NoMemory => NO_MEMORY,
        }
    }
}

/// Confines this process for good, and compiles the component that `component` holds.
///
/// # Errors
/// When the process cannot be confined, or the component cannot be read.
pub(crate) fn compile_confined(
    confines: Confines,
    mut component: impl Read,
) -> anyhow::Result<Answer> {
    confines.hold()?;
    let mut bytes = Vec::new();
    match component.read_to_end(&mut bytes) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::OutOfMemory => return Ok(Answer::NoMemory),
        Err(error) => return Err(error.into()),
    }
    Ok(compile(&bytes))
}

fn compile(component: &[u8]) -> Answer {
    match engine::for_compiling().and_then(|engine| engine.precompile_component(component)) {
        Ok(code) => Answer::Code(code),
        Err(error) if is_out_of_memory(&error) => Answer::NoMemory,
        Err(error) => Answer::Refused(format!("{error:#}")),
    }
}

/// Whether an error of the engine says that there was no memory.
fn is_out_of_memory(error: &wasmtime::Error) -> bool {
    error.is::<OutOfMemory>()
        || error
            .chain()
            .filter_map(|cause| cause.downcast_ref::<io::Error>())
            .any(|error| error.kind() == io::ErrorKind::OutOfMemory)
}

impl Confines {
    /// Sets the limits, which this process cannot raise again.
    #[cfg(unix)]
    #[expect(clippy::disallowed_methods, reason = "the door for limits of a process")]
    fn hold(self) -> io::Result<()> {
        use rustix::process::{Resource, Rlimit, setrlimit};
        /// Three pipes, and what the standard library looks up about processors.
        const FILES_MAX: u64 = 16;
        let exactly = |most| Rlimit { current: Some(most), maximum: Some(most) };
        // The first is a signal that tells the parent what happened; the second kills.
        let cpu = Rlimit {
            current: Some(self.cpu_seconds_max),
            maximum: Some(self.cpu_seconds_max.saturating_add(1)),
        };
        // What it prints goes through pipes, which are no files.
        setrlimit(Resource::Fsize, exactly(0))?;
        setrlimit(Resource::Core, exactly(0))?;
        setrlimit(Resource::Nofile, exactly(FILES_MAX))?;
        setrlimit(Resource::Cpu, cpu)?;
        // Apple's systems refuse a limit that is below what every process maps there.
        if cfg!(not(target_vendor = "apple")) {
            setrlimit(Resource::As, exactly(self.memory_bytes_max))?;
        }
        Ok(())
    }

    /// There are no such limits here; the parent's deadline holds.
    #[cfg(not(unix))]
    fn hold(self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_component_is_refused() {
        let Answer::Refused(why) = compile(b"no component") else { panic!("it is none") };
        assert!(!why.is_empty());
        // The smallest component there is.
        assert_eq!(compile(b"\0asm\x0d\0\x01\0").status(), 0);
        // A module is none.
        assert_eq!(compile(b"\0asm\x01\0\0\0").status(), REFUSED);
    }

    #[test]
    fn the_systems_error_without_memory_is_told_from_others() {
        let of = |kind: io::ErrorKind| wasmtime::Error::from(io::Error::from(kind));
        assert!(is_out_of_memory(&of(io::ErrorKind::OutOfMemory).context("mmap failed")));
        assert!(!is_out_of_memory(&of(io::ErrorKind::NotFound).context("mmap failed")));
    }
}
