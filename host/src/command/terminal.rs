//! What a person sees: output on stdout, complaints and progress on stderr.
//!
//! This is the one door to both; while a server runs, stdout belongs to the protocol.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use crate::difference::Difference;
use crate::present::clean;

/// Writes text and a line end to stdout.
pub(super) fn say(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.write_all(b"\n")?;
    stdout.flush()?;
    Ok(())
}

/// Writes bytes to stdout, which is a pipe to another program.
pub(super) fn give(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()?;
    Ok(())
}

/// Whether a person is at stdin or stdout.
pub(super) fn is_there() -> bool {
    io::stdin().is_terminal() || io::stdout().is_terminal()
}

/// Writes text and a line end to stderr, which may be gone.
pub(super) fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes a line to stderr, which may be gone, or a pipe that is full: other things go on meanwhile.
pub(super) async fn tell(text: String) {
    // It fails when the program ends, and then nobody is to be told.
    let _ = tokio::task::spawn_blocking(move || complain(&text)).await;
}

/// Whether a person is at stdin.
pub(super) fn is_at_stdin() -> bool {
    io::stdin().is_terminal()
}

/// So many of a thing, such as "2 tools".
pub(super) fn many(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Whether whoever read stdout has gone away, which is nobody's fault.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// A path as a command takes it, and not for an option.
pub(super) fn argument(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.starts_with('-') { format!("./{text}") } else { text.into_owned() }
}

/// Text as one word of a shell's command line.
pub(super) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// How text stands out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ink {
    Bold,
    Green,
    Yellow,
    Red,
}

/// Text that stands out where stdout is a terminal.
pub(super) fn inked(ink: Ink, text: &str) -> String {
    let code = match ink {
        Ink::Bold => 1,
        Ink::Green => 32,
        Ink::Yellow => 33,
        Ink::Red => 31,
    };
    if io::stdout().is_terminal() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

/// Text in bold where stdout is a terminal.
pub(super) fn bold(text: &str) -> String {
    inked(Ink::Bold, text)
}

/// One field that differs: where it is, what it was and what it is. Nothing is cut.
pub(super) fn field(difference: &Difference) -> String {
    let shown = |value: &Option<Value>, mark: char, ink: Ink| -> Option<String> {
        let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
        let text = match value.as_ref()? {
            Value::Array(names) if names.iter().all(Value::is_string) => {
                names.iter().map(pretty).collect::<Vec<_>>().join("\n")
            }
            value => pretty(value),
        };
        let lines = clean::text(&text);
        let lines = lines.lines().map(|line| inked(ink, &format!("    {mark} {line}")));
        Some(lines.collect::<Vec<_>>().join("\n"))
    };
    let place = clean::text(difference.path.join(".").replace('\n', " "));
    let before = shown(&difference.before, '-', Ink::Red);
    let after = shown(&difference.after, '+', Ink::Green);
    let parts = [Some(format!("  {place}")), before, after];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// A spinner on stderr, where that is a terminal; it goes away when it is dropped.
pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn start(what: &'static str) -> Self {
        let bar = ProgressBar::new_spinner().with_prefix(what);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    pub(super) fn at(&self, which: &str) {
        self.0.set_message(which.to_owned());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
