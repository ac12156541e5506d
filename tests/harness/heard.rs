//! What a client hears: every line of stdout, and the log.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

/// How long anything may take before a test gives up. No test waits for it to pass.
const HANG: Duration = Duration::from_secs(300);

/// A line that the server wrote to stdout.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Line {
    /// The one answer to the request of this id.
    Answer(u64),
    /// A message without an id.
    Notification(Value),
    /// A request to the client.
    Request(Value),
    /// Anything else, byte for byte as far as it is UTF-8.
    Stray(String),
}

#[derive(Default)]
pub(super) struct Heard {
    said: Mutex<Said>,
    pub(super) more: Condvar,
}

/// All that was heard so far.
#[derive(Default)]
pub(super) struct Said {
    pub(super) lines: Vec<Line>,
    pub(super) awaited: BTreeSet<u64>,
    pub(super) answers: BTreeMap<u64, Value>,
    pub(super) log: String,
    pub(super) stdout_ended: bool,
    pub(super) log_ended: bool,
}

impl Heard {
    pub(super) fn said(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wait(&self, what: &str, until: impl Fn(&Said) -> bool) -> MutexGuard<'_, Said> {
        let waited = self.more.wait_timeout_while(self.said(), HANG, |said| !until(said));
        let (said, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(!timeout.timed_out(), "waited too long for {what}; the log:\n{}", said.log);
        said
    }

    pub(super) fn listen(&self, stdout: impl Read) {
        for line in BufReader::new(stdout).split(b'\n') {
            let Ok(line) = line else { break };
            self.said().hear(&line);
            self.more.notify_all();
        }
        self.said().stdout_ended = true;
        self.more.notify_all();
    }

    pub(super) fn keep_log(&self, stderr: impl Read) {
        for line in BufReader::new(stderr).split(b'\n') {
            let Ok(line) = line else { break };
            self.said().log.push_str(&(String::from_utf8_lossy(&line) + "\n"));
            self.more.notify_all();
        }
        self.said().log_ended = true;
        self.more.notify_all();
    }
}

impl Said {
    fn hear(&mut self, line: &[u8]) {
        let stray = || Line::Stray(String::from_utf8_lossy(line).into_owned());
        let message: Value = serde_json::from_slice(line).unwrap_or_default();
        let id = message["id"].as_u64();
        let is_answer = message.get("result").is_some() != message.get("error").is_some();
        let heard = match id {
            Some(id) if is_answer && self.awaited.remove(&id) => {
                self.answers.insert(id, message);
                Line::Answer(id)
            }
            None if message["method"].is_string() && message.get("id").is_none() => {
                Line::Notification(message)
            }
            Some(_) if message["method"].is_string() => Line::Request(message),
            Some(_) | None => stray(),
        };
        self.lines.push(heard);
    }
}

/// `text` with the id of a call, by which it may point to the log, written `cN`.
pub(crate) fn without_call_id(text: &str) -> String {
    const BEFORE: &str = "under call c";
    let mut parts = text.split(BEFORE);
    let mut normal = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        assert!(rest.len() < part.len(), "a call's id is `c` and a number: {text}");
        normal.push_str(BEFORE);
        normal.push('N');
        normal.push_str(rest);
    }
    normal
}
