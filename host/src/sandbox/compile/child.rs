//! The child process that compiles a component, from its parent's side.
//!
//! A child has ended when its work is given back, and it is given nothing but the component.

use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};

use super::NotCompiled;
use super::program::{COMPILE_COMMAND, NO_MEMORY, REFUSED};
use crate::config::HostLimits;
use crate::present::clean;

/// The most bytes that the code of a component may have.
pub(super) const CODE_BYTES_MAX: u64 = 1 << 30;
/// Bytes of what a child says that are kept.
const SAID_BYTES_MAX: usize = 4 << 10;
/// Threads that compile one component. Each takes some of the address space.
const THREADS_MAX: usize = 4;

/// A program that compiles a component, and the limits that it keeps to.
#[derive(Debug)]
pub(super) struct Child {
    program: PathBuf,
    deadline: Duration,
    memory_bytes_max: u64,
}

impl Child {
    /// A child that keeps to the usual limits.
    pub(super) fn new(program: PathBuf) -> Self {
        let child = Self { program, deadline: Duration::ZERO, memory_bytes_max: 0 };
        child.within(&HostLimits::default())
    }

    /// A child that keeps to these limits.
    pub(super) fn within(self, limits: &HostLimits) -> Self {
        Self {
            program: self.program,
            deadline: Duration::from_millis(limits.compile_deadline_ms),
            memory_bytes_max: limits.compile_memory_bytes_max,
        }
    }

    /// The code of the component.
    pub(super) async fn compile(&self, component: &[u8]) -> Result<Vec<u8>, NotCompiled> {
        let mut child = self.command().spawn().map_err(NotCompiled::NoChild)?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let work = async {
            let fed = async {
                if let Some(mut stdin) = stdin {
                    // A child that ended early does not read; its status says why it ended.
                    let _ = stdin.write_all(component).await;
                }
            };
            // More than the limit of code is an error, and then the pipe is closed.
            let code = read(stdout, CODE_BYTES_MAX + 1);
            let ((), code, said) = tokio::join!(fed, code, said(stderr));
            Ok((code?, said, child.wait().await?))
        };
        match tokio::time::timeout(self.deadline, work).await {
            Ok(Ok((code, _, _))) if code.len() as u64 > CODE_BYTES_MAX => {
                Err(NotCompiled::Refused(format!(
                    "its machine code has more than {CODE_BYTES_MAX} bytes"
                )))
            }
            Ok(Ok((code, said, status))) => self.outcome(code, said, status),
            Ok(Err(error)) => Err(NotCompiled::NoChild(error)),
            Err(_) => {
                // Once it is reaped nothing of it is left; an error means that it has ended.
                let _ = child.kill().await;
                Err(NotCompiled::Deadline { deadline: self.deadline })
            }
        }
    }

    #[expect(clippy::disallowed_methods, reason = "the door for the child that compiles")]
    fn command(&self) -> tokio::process::Command {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
        // Each processor may be busy until the deadline, which is the parent's to keep; should the
        // parent be gone, the child ends by this.
        let cpu_seconds = self.deadline.as_millis().div_ceil(1000).max(1) * threads as u128;
        let mut command = tokio::process::Command::new(&self.program);
        command
            .arg(COMPILE_COMMAND)
            .arg(format!("--memory-bytes-max={}", self.memory_bytes_max))
            .arg(format!("--cpu-seconds-max={cpu_seconds}"))
            .env_clear()
            // The C library would make eight for each processor, of 64 MiB of address space each; with
            // one, threads wait for each other.
            .env("MALLOC_ARENA_MAX", threads.to_string())
            // The allocator of this command would begin with 1 GiB of it, and take no less (in KiB).
            .env("MIMALLOC_ARENA_RESERVE", (64 << 10).to_string())
            .env("RAYON_NUM_THREADS", threads.to_string())
            .current_dir(Path::new("/"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// What a child's end means.
    fn outcome(
        &self,
        code: Vec<u8>,
        said: String,
        status: ExitStatus,
    ) -> Result<Vec<u8>, NotCompiled> {
        let no_memory = NotCompiled::Memory { bytes_max: self.memory_bytes_max };
        match End::of(status, &said) {
            End::Done => Ok(code),
            End::Refused => Err(NotCompiled::Refused(said)),
            End::Memory => Err(no_memory),
            End::Time => Err(NotCompiled::Deadline { deadline: self.deadline }),
            End::Stopped => Err(NotCompiled::Stopped(format!("{status} {said}"))),
        }
    }
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Done,
    Refused,
    Memory,
    Time,
    Stopped,
}

impl End {
    fn of(status: ExitStatus, said: &str) -> Self {
        if let Some(signal) = signal(status) {
            return Self::by_signal(signal, said);
        }
        match status.code().and_then(|code| u8::try_from(code).ok()) {
            Some(0) => Self::Done,
            Some(REFUSED) => Self::Refused,
            Some(NO_MEMORY) => Self::Memory,
            // A thread that cannot be started ends in a panic, with the system's error in it.
            Some(_) | None if ["code: 11,", "code: 12,"].iter().any(|c| said.contains(c)) => {
                Self::Memory
            }
            Some(_) | None => Self::Stopped,
        }
    }

    /// The standard library aborts when it gets no memory, the kernel kills a stack that cannot
    /// grow, and a whole machine without memory kills what takes most of it.
    #[cfg(unix)]
    fn by_signal(signal: i32, said: &str) -> Self {
        use rustix::process::Signal;
        let by = |named: Signal| signal == named.as_raw();
        if by(Signal::XCPU) {
            Self::Time
        } else if said.contains("has overflowed its stack") {
            Self::Stopped
        } else if [Signal::ABORT, Signal::SEGV, Signal::BUS, Signal::KILL].into_iter().any(by) {
            Self::Memory
        } else {
            Self::Stopped
        }
    }

    #[cfg(not(unix))]
    fn by_signal(_: i32, _: &str) -> Self {
        Self::Stopped
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// At most `bytes_max` bytes of what comes. The rest is not read, and its writer sees that nobody
/// does.
async fn read(from: Option<impl AsyncRead + Unpin>, bytes_max: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        from.take(bytes_max).read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

/// What a child says: its beginning, on one line, cleaned. All of it is read, so that nothing waits
/// to be said.
async fn said(from: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut from) = from else { return String::new() };
    let mut bytes = Vec::new();
    // What cannot be read was not said; the status says how it ended.
    let _ = (&mut from).take(SAID_BYTES_MAX as u64).read_to_end(&mut bytes).await;
    let _ = tokio::io::copy(&mut from, &mut tokio::io::sink()).await;
    let text = String::from_utf8_lossy(&bytes).trim().replace('\n', " ");
    clean::bounded(&text, SAID_BYTES_MAX)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    /// The status that a wait gives for an exit.
    fn exited(code: u8) -> ExitStatus {
        ExitStatus::from_raw(i32::from(code) << 8)
    }

    #[test]
    fn every_way_to_end_has_one_meaning() {
        let killed = ExitStatus::from_raw;
        let no_thread = "ThreadPoolBuildError { kind: IOError(Os { code: 11, kind: WouldBlock";
        for (status, said, end) in [
            (exited(0), "", End::Done),
            (exited(REFUSED), "unexpected end (at offset 0x8)", End::Refused),
            (exited(NO_MEMORY), "", End::Memory),
            (exited(2), "portcullis: cannot be confined", End::Stopped),
            (exited(101), "panicked at isle.rs", End::Stopped),
            (exited(101), no_thread, End::Memory),
            (killed(6), "memory allocation of 4096 bytes failed", End::Memory),
            (killed(9), "", End::Memory),
            (killed(11), "", End::Memory),
            (killed(6), "thread 'main' has overflowed its stack", End::Stopped),
            (killed(24), "", End::Time),
            (killed(15), "", End::Stopped),
        ] {
            assert_eq!(End::of(status, said), end, "{status:?} {said}");
        }
    }

    #[tokio::test]
    async fn what_a_child_says_is_cut_and_cleaned() {
        let long = [b"one\n\x1b[2Jtwo\xff ".as_slice(), &[b'x'; 100_000]].concat();
        let said = said(Some(long.as_slice())).await;
        assert!(said.starts_with("one \\u{1b}[2Jtwo\u{fffd} xxx"), "{said}");
        assert!(said.len() <= SAID_BYTES_MAX, "{}", said.len());
        assert!(read(Some([7; 10].as_slice()), 4).await.unwrap() == [7; 4]);
    }
}
