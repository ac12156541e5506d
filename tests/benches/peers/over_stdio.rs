//! Lines that are written and read.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use super::peer::{Call, Peer};

/// A server over stdio to which a client has said hello.
pub(crate) struct OverStdio {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    line: Vec<u8>,
    next_id: u64,
}

impl OverStdio {
    /// Starts a server.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let stdin = child.stdin.take();
        let stdout = BufReader::with_capacity(1 << 20, child.stdout.take().expect("it is a pipe"));
        let mut peer = Self { child, stdin, stdout, line: Vec::new(), next_id: 0 };
        peer.write(
            r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"lean","version":"0"}}}"#,
        );
        peer.read();
        peer.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        peer
    }

    fn write(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("it is open");
        stdin.write_all(format!("{line}\n").as_bytes()).expect("the server reads");
    }

    fn read(&mut self) {
        self.line.clear();
        self.stdout.read_until(b'\n', &mut self.line).expect("the server writes");
        assert!(!self.line.is_empty(), "the server is gone");
    }

    fn send(&mut self, Call { tool, arguments }: Call) {
        self.next_id += 1;
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#,
            self.next_id
        );
        self.write(&line);
    }
}

impl Peer for OverStdio {
    fn reply(&mut self, call: Call) -> &[u8] {
        self.send(call);
        self.read();
        &self.line
    }

    fn time_many(&mut self, call: Call, calls: usize, in_flight: usize) -> Duration {
        let began = Instant::now();
        for _ in 0..in_flight.min(calls) {
            self.send(call);
        }
        for done in 1..=calls {
            self.read();
            if done + in_flight <= calls {
                self.send(call);
            }
        }
        began.elapsed()
    }

    fn process(&self) -> &Child {
        &self.child
    }
}

impl Drop for OverStdio {
    fn drop(&mut self) {
        // It ends when its stdin does.
        self.stdin = None;
        let _ = self.child.wait();
    }
}
