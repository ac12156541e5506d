//! Lines for the host's log and for a client that asked for them.
//!
//! A line that nobody wants costs nothing but the call. What goes beyond the host's limit is
//! dropped. Outside of a component, as in a native test, lines go to standard error.

/// How urgent a line is; the levels of RFC 5424, the least urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the standard's")]
pub enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

/// Writes one line; `logger` names the part of the component that speaks.
pub fn write(level: Level, logger: Option<&str>, message: impl AsRef<str>) {
    send(level, logger, message.as_ref());
}

/// Writes a line of level [`Level::Debug`].
pub fn debug(message: impl AsRef<str>) {
    write(Level::Debug, None, message);
}

/// Writes a line of level [`Level::Info`].
pub fn info(message: impl AsRef<str>) {
    write(Level::Info, None, message);
}

/// Writes a line of level [`Level::Notice`].
pub fn notice(message: impl AsRef<str>) {
    write(Level::Notice, None, message);
}

/// Writes a line of level [`Level::Warning`].
pub fn warning(message: impl AsRef<str>) {
    write(Level::Warning, None, message);
}

/// Writes a line of level [`Level::Error`].
pub fn error(message: impl AsRef<str>) {
    write(Level::Error, None, message);
}

#[cfg(target_arch = "wasm32")]
fn send(level: Level, logger: Option<&str>, message: &str) {
    crate::component::write_log(level, logger, message);
}

#[cfg(not(target_arch = "wasm32"))]
fn send(level: Level, logger: Option<&str>, message: &str) {
    let logger = logger.map(|name| format!("{name}: ")).unwrap_or_default();
    eprintln!("{level:?}: {logger}{message}");
}
