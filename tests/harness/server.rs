//! A client of its own, line by line: it keeps every byte that a server writes to stdout, so
//! that a test can say that nothing but answers came out.

use std::ffi::OsStr;
use std::io::Write as _;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::heard::{Heard, Line, without_call_id};
use super::program;

/// A running `portcullis serve` and the connection to it. It is killed when this is dropped.
pub(crate) struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    heard: Arc<Heard>,
    sent: u64,
    /// What the client can do.
    capabilities: Value,
    /// What every request says of its client, in the era without handshakes.
    meta: Option<Value>,
    /// What the server said of itself.
    greeting: Value,
    /// What it serves from.
    kept: Option<TempDir>,
}

/// A revision of the protocol, and with it the way in which client and server meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// 2025-11-25: the client begins with a handshake.
    Handshake,
    /// 2026-07-28: every request says what the client is.
    Stateless,
}

impl Server {
    /// Starts `portcullis serve` with `arguments` and shakes hands.
    pub(crate) fn start<A: AsRef<OsStr>>(arguments: &[A]) -> Self {
        Self::start_in(Era::Handshake, arguments)
    }

    /// Starts `portcullis serve` with `arguments` and asks what it is, as clients of `era` do.
    pub(crate) fn start_in<A: AsRef<OsStr>>(era: Era, arguments: &[A]) -> Self {
        Self::of(era, program().arg("serve").args(arguments))
    }

    /// Starts a command that serves, and asks what it is, as clients of `era` do.
    pub(crate) fn of(era: Era, command: &mut Command) -> Self {
        Self::able(era, json!({}), command)
    }

    /// The same, by a client of these capabilities.
    pub(crate) fn able(era: Era, capabilities: Value, command: &mut Command) -> Self {
        Self::begin(era, capabilities, command, |heard, stderr| {
            std::thread::spawn(move || heard.keep_log(stderr));
        })
    }

    /// The same, with a log that is not read; with `closed`, one that cannot be.
    pub(crate) fn start_deaf<A: AsRef<OsStr>>(arguments: &[A], closed: bool) -> Self {
        Self::begin(
            Era::Handshake,
            json!({}),
            program().arg("serve").args(arguments),
            |_, stderr| {
                if !closed {
                    std::mem::forget(stderr);
                }
            },
        )
    }

    fn begin(
        era: Era,
        capabilities: Value,
        command: &mut Command,
        log: impl FnOnce(Arc<Heard>, std::process::ChildStderr),
    ) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let heard = Arc::new(Heard::default());
        let stdout = child.stdout.take().expect("stdout is a pipe");
        let stderr = child.stderr.take().expect("stderr is a pipe");
        std::thread::spawn({
            let heard = heard.clone();
            move || heard.listen(stdout)
        });
        log(heard.clone(), stderr);
        let stdin = child.stdin.take();
        let (meta, greeting) = (None, Value::Null);
        let mut server =
            Self { child, stdin, heard, sent: 0, capabilities, meta, greeting, kept: None };
        server.greeting = match era {
            Era::Handshake => server.shake_hands(),
            Era::Stateless => server.discover(),
        };
        server
    }

    /// The same, with a directory that is there as long as it runs.
    pub(crate) fn keeping(mut self, directory: TempDir) -> Self {
        self.kept = Some(directory);
        self
    }

    fn shake_hands(&mut self) -> Value {
        let answer = self.request(
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": self.capabilities,
                "clientInfo": client(),
            }),
        );
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        self.notify("notifications/initialized", json!({}));
        answer
    }

    fn discover(&mut self) -> Value {
        self.meta = Some(json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": client(),
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        }));
        self.request("server/discover", json!({}))
    }

    /// The whole answer in which the server said what it is.
    pub(crate) fn greeting(&self) -> &Value {
        &self.greeting
    }

    /// Sends a request and returns its whole answer.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// The whole result of a call, call ids aside.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.send_call(tool, arguments);
        self.result(id)
    }

    /// Sends a call and returns its id.
    pub(crate) fn send_call(&mut self, tool: &str, arguments: Value) -> u64 {
        self.send("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// Sends a request and returns its id.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> u64 {
        self.send_beside(None, method, params)
    }

    /// Sends a request with a member `beside` those that it needs.
    pub(crate) fn send_beside(
        &mut self,
        beside: Option<(&str, Value)>,
        method: &str,
        mut params: Value,
    ) -> u64 {
        let id = self.sent;
        if let Some(Value::Object(meta)) = &self.meta {
            let said = params.get("_meta").and_then(Value::as_object).cloned().unwrap_or_default();
            params["_meta"] = Value::Object(meta.clone().into_iter().chain(said).collect());
        }
        self.sent += 1;
        self.heard.said().awaited.insert(id);
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        if let Some((member, value)) = beside {
            message[member] = value;
        }
        self.write(&message);
        id
    }

    /// Sends a message that gets no answer.
    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Waits for the request to the client of this method that is the `nth`, from 1.
    pub(crate) fn wait_for_request(&self, method: &str, nth: usize) -> Value {
        let is_it = |line: &&Line| matches!(line, Line::Request(m) if m["method"] == method);
        let said = self.heard.wait("a request", |said| {
            said.lines.iter().filter(is_it).count() >= nth || said.stdout_ended
        });
        let found = said.lines.iter().filter(is_it).nth(nth - 1);
        match found {
            Some(Line::Request(request)) => request.clone(),
            _ => panic!("the server ended: {}", said.log),
        }
    }

    /// Answers a request to the client.
    pub(crate) fn respond(&mut self, request: &Value, result: Value) {
        self.write(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }));
    }

    /// The notifications of this method so far.
    pub(crate) fn notifications(&self, method: &str) -> Vec<Value> {
        let is_it = |line| match line {
            Line::Notification(message) if message["method"] == method => Some(message),
            _ => None,
        };
        self.lines().into_iter().filter_map(is_it).collect()
    }

    fn write(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        let written = stdin.write_all(format!("{message}\n").as_bytes());
        assert!(written.is_ok(), "the server does not listen: {}", self.heard.said().log);
    }

    /// Waits for the answer to the request `id`.
    pub(crate) fn answer(&self, id: u64) -> Value {
        let mut said = self
            .heard
            .wait("an answer", |said| said.answers.contains_key(&id) || said.stdout_ended);
        match said.answers.remove(&id) {
            Some(answer) => answer,
            None => panic!("the server ended without an answer: {}", said.log),
        }
    }

    /// Waits for the answer to the call `id` and returns its result, call ids aside.
    pub(crate) fn result(&self, id: u64) -> Value {
        let answer = self.answer(id);
        let Some(result) = answer.get("result") else { panic!("no result: {answer}") };
        serde_json::from_str(&without_call_id(&result.to_string()))
            .expect("only digits were replaced")
    }

    /// Waits until so many requests have been answered, the handshake included.
    pub(crate) fn wait_for_answers(&self, count: usize) {
        let is_answer = |line: &&Line| matches!(line, Line::Answer(_));
        let said = self.heard.wait("answers", |said| {
            said.lines.iter().filter(is_answer).count() >= count || said.stdout_ended
        });
        assert!(!said.stdout_ended, "the server ended: {}", said.log);
    }

    /// Waits until the log holds `text`.
    pub(crate) fn wait_for_log(&self, text: &str) {
        self.wait_for_log_that(|log| log.contains(text));
    }

    /// Waits until the log is as it should be.
    pub(crate) fn wait_for_log_that(&self, is_right: impl Fn(&str) -> bool) {
        let said =
            self.heard.wait("a line of the log", |said| is_right(&said.log) || said.log_ended);
        assert!(is_right(&said.log), "the log ended:\n{}", said.log);
    }

    /// Waits for a notification of this method.
    pub(crate) fn wait_for_notification(&self, method: &str) {
        self.wait_for_notifications(method, 1);
    }

    /// Waits until so many notifications of this method have come.
    pub(crate) fn wait_for_notifications(&self, method: &str, count: usize) {
        let is_it = |line: &&Line| matches!(line, Line::Notification(m) if m["method"] == method);
        let said = self.heard.wait("a notification", |said| {
            said.lines.iter().filter(is_it).count() >= count || said.stdout_ended
        });
        assert!(!said.stdout_ended, "the server ended: {}", said.log);
    }

    /// Sends SIGHUP to the server.
    pub(crate) fn hang_up(&self) {
        self.signal("-HUP");
    }

    /// Sends a signal to the server, as kill(1) names it.
    pub(crate) fn signal(&self, signal: &str) {
        // The shell's own: not every machine has a program for it.
        let script = format!("kill {signal} {}", self.pid());
        let kill = Command::new("sh").args(["-c", &script]).status();
        assert!(kill.expect("a shell runs").success());
    }

    /// Waits for the server to end by itself.
    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        drop(self.heard.wait("its end", |said| said.stdout_ended && said.log_ended));
        self.child.wait().expect("a child can be waited for")
    }

    /// The log so far.
    pub(crate) fn log(&self) -> String {
        self.heard.said().log.clone()
    }

    /// The id of its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Every line of stdout so far, in order.
    pub(crate) fn lines(&self) -> Vec<Line> {
        self.heard.said().lines.clone()
    }

    /// What came out of stdout that is no answer to a request.
    pub(crate) fn beside_answers(&self) -> Vec<Line> {
        let lines = self.lines();
        lines.into_iter().filter(|line| !matches!(line, Line::Answer(_))).collect()
    }

    /// Closes the server's stdin and waits for its process to end, whatever becomes of the log.
    pub(crate) fn stop(&mut self) {
        drop(self.stdin.take());
        drop(self.heard.wait("the end of stdout", |said| said.stdout_ended));
        self.child.wait().expect("a child can be waited for");
    }

    /// Closes the server's stdin and waits for it to end by itself.
    pub(crate) fn close(&mut self) -> ExitStatus {
        drop(self.stdin.take());
        // Its ends of the pipes close when it ends, so there is an event to wait for.
        self.wait_for_end()
    }
}

fn client() -> Value {
    json!({ "name": "portcullis-tests", "version": "0" })
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail for a server that has ended, which is as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
