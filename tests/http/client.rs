//! A client that writes its requests by hand, so that every byte is seen.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::program;

/// How long anything may take before a test gives up. No test waits for it to pass.
const HANG: Duration = Duration::from_secs(120);

/// What stands before the address in the log.
const LISTENING: &str = "listening at http://";

/// A running `portcullis serve --http`. It is killed when this is dropped.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: SocketAddr,
    log: Arc<Log>,
}

#[derive(Default)]
struct Log {
    text: Mutex<(String, bool)>,
    more: Condvar,
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

/// A session that has begun.
pub(super) struct Session<'a> {
    pub(super) served: &'a Served,
    pub(super) id: String,
}

impl Served {
    /// Starts one at a free port of this machine, and waits until its components are loaded.
    pub(crate) fn start<A: AsRef<OsStr>>(arguments: &[A]) -> Self {
        let mut command = program();
        command.args(["serve", "--http", "127.0.0.1:0"]).args(arguments);
        Self::of(&mut command)
    }

    pub(super) fn of(command: &mut Command) -> Self {
        Self::once(command, |text| text.contains("serving ") && text.contains(LISTENING))
    }

    /// Starts one, and waits until it listens: its components may still be loading.
    pub(super) fn early<A: AsRef<OsStr>>(arguments: &[A]) -> Self {
        let mut command = program();
        command.args(["serve", "--http", "127.0.0.1:0"]).args(arguments);
        Self::once(&mut command, |text| text.contains(LISTENING))
    }

    fn once(command: &mut Command, is_there: impl Fn(&str) -> bool) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let stderr = child.stderr.take().expect("stderr is a pipe");
        let log = Arc::new(Log::default());
        let keeps = log.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines() {
                let Ok(line) = line else { break };
                keeps.add(&(line + "\n"));
            }
            keeps.text.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
            keeps.more.notify_all();
        });
        let text = log.wait(is_there);
        let address = text.split(LISTENING).nth(1).expect("it says where it listens");
        let address = address.split("/mcp").next().unwrap_or_default();
        Self { child, address: address.parse().expect("an address"), log }
    }

    pub(super) fn wait_for_log(&self, is_right: impl Fn(&str) -> bool) -> String {
        self.log.wait(is_right)
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn signal(&self, signal: &str) {
        let script = format!("kill {signal} {}", self.pid());
        assert!(Command::new("sh").args(["-c", &script]).status().expect("a shell runs").success());
    }

    /// Waits for the server to end by itself.
    pub(super) fn wait_for_end(&mut self) -> ExitStatus {
        self.log.wait_for_end();
        self.child.wait().expect("a child can be waited for")
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(HANG)).expect("a timeout can be set");
        stream
    }

    /// Sends a whole request, and reads the reply to its end.
    pub(super) fn raw(&self, request: &[u8]) -> Reply {
        let mut stream = self.connect();
        stream.write_all(request).expect("the server reads");
        read(stream)
    }

    pub(super) fn get(&self, path: &str) -> Reply {
        self.raw(
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                .as_bytes(),
        )
    }

    /// Posts `message` with more headers than every client sends.
    pub(super) fn post(&self, headers: &[(&str, &str)], message: &str) -> Reply {
        self.raw(&posted(headers, message))
    }

    /// Shakes hands.
    pub(super) fn session(&self) -> Session<'_> {
        self.session_with(&[])
    }

    pub(super) fn session_with(&self, headers: &[(&str, &str)]) -> Session<'_> {
        let hello = message(
            1,
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": { "name": "portcullis-tests", "version": "0" },
            }),
        );
        let reply = self.post(headers, &hello);
        assert_eq!(reply.status, 200, "{reply:?}");
        let id = reply.header("mcp-session-id").expect("a session has an id");
        let session = Session { served: self, id };
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let headers = [headers, &session.headers()].concat();
        assert_eq!(self.post(&headers, &initialized.to_string()).status, 202);
        session
    }

    /// A request of the later era.
    pub(super) fn later(&self, headers: &[(&str, &str)], method: &str, params: Value) -> Reply {
        let (own, message) = later(1, method, params);
        let own: Vec<(&str, &str)> = own.iter().map(|(n, v)| (*n, v.as_str())).collect();
        self.post(&[own.as_slice(), headers].concat(), &message)
    }
}

impl Session<'_> {
    pub(super) fn headers(&self) -> [(&str, &str); 2] {
        [("mcp-session-id", &self.id), ("mcp-protocol-version", "2025-11-25")]
    }

    /// Opens its stream.
    pub(super) fn stream(&self) -> TcpStream {
        let mut stream = self.served.connect();
        let get = format!(
            "GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\
             mcp-session-id: {}\r\n\r\n",
            self.id
        );
        stream.write_all(get.as_bytes()).expect("the server reads");
        wait_for(&mut stream, "text/event-stream");
        stream
    }

    /// Sends a request within the session.
    pub(super) fn request(&self, method: &str, params: Value) -> Reply {
        self.served.post(&self.headers(), &message(7, method, params))
    }
}

impl Reply {
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let found = lines.find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.to_owned())
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The code of the error that it is.
    pub(super) fn code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {self:?}"))
    }
}

pub(super) fn message(id: u64, method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

/// The headers and the body of a request of the later era.
pub(super) fn later(
    id: u64,
    method: &str,
    mut params: Value,
) -> (Vec<(&'static str, String)>, String) {
    let mut headers =
        vec![("mcp-protocol-version", "2026-07-28".to_owned()), ("mcp-method", method.to_owned())];
    headers.extend(params["name"].as_str().map(|name| ("mcp-name", name.to_owned())));
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "portcullis-tests", "version": "0" },
    });
    (headers, message(id, method, params))
}

/// The bytes of a POST. A header that is given takes the place of the usual one.
pub(super) fn posted(headers: &[(&str, &str)], message: &str) -> Vec<u8> {
    let length = message.len().to_string();
    let usual = [
        ("host", "localhost"),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("connection", "close"),
        ("content-length", &length),
    ];
    let usual = usual.into_iter().filter(|(name, _)| !headers.iter().any(|(own, _)| own == name));
    let mut request = "POST /mcp HTTP/1.1\r\n".to_owned();
    for (name, value) in usual.chain(headers.iter().copied()) {
        request += &format!("{name}: {value}\r\n");
    }
    (request + "\r\n" + message).into_bytes()
}

/// Reads a reply until the server closes.
pub(super) fn read(mut stream: TcpStream) -> Reply {
    let mut bytes = Vec::new();
    // A server that closes on what it did not read resets; what it said before that counts.
    let _ = stream.read_to_end(&mut bytes);
    parsed(&bytes)
}

pub(super) fn parsed(bytes: &[u8]) -> Reply {
    let text = String::from_utf8_lossy(bytes);
    let Some((head, rest)) = text.split_once("\r\n\r\n") else { return Reply::default() };
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let reply = Reply { status, head: head.to_owned(), body: String::new() };
    let is_chunked = reply.header("transfer-encoding").is_some();
    Reply { body: if is_chunked { body(rest) } else { rest.to_owned() }, ..reply }
}

/// What chunks hold, as far as they are there.
pub(super) fn body(mut chunks: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = chunks.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        let Some(data) = rest.get(..size).filter(|data| !data.is_empty()) else { break };
        whole += data;
        chunks = rest.get(size + 2..).unwrap_or_default();
    }
    whole
}

impl Log {
    fn add(&self, line: &str) {
        self.text.lock().unwrap_or_else(PoisonError::into_inner).0.push_str(line);
        self.more.notify_all();
    }

    fn wait(&self, is_right: impl Fn(&str) -> bool) -> String {
        let text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        let waited =
            self.more.wait_timeout_while(text, HANG, |(text, ended)| !is_right(text) && !*ended);
        let (text, _) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(is_right(&text.0), "the log:\n{}", text.0);
        text.0.clone()
    }

    fn wait_for_end(&self) {
        let text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.more.wait_timeout_while(text, HANG, |(_, ended)| !*ended);
        let (text, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(!waited.timed_out(), "it does not end; the log:\n{}", text.0);
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Both fail for a server that has ended, which is as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the stream until it holds `text`.
pub(super) fn wait_for(stream: &mut TcpStream, text: &str) -> String {
    let (mut seen, mut buffer) = (String::new(), [0; 4096]);
    while !seen.contains(text) {
        let count = stream.read(&mut buffer).expect("the stream goes on");
        assert_ne!(count, 0, "the stream ended: {seen}");
        seen += &String::from_utf8_lossy(&buffer[..count]);
    }
    seen
}
