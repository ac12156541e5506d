//! The hostile component under three sets of limits, each under a prefix of its own, and servers
//! of what one test is about.

use tempfile::TempDir;

use crate::harness::{Server, hostile};

/// Starts a server that has every hostile tool three times:
/// `hostile_…` with little memory and a deadline of an hour, `hurried_…` with a deadline of half
/// a second, and `roomy_…` with memory for 100 MB and a deadline of an hour.
pub(super) fn serve_hostile() -> Server {
    serve(&[("portcullis.toml", text().as_bytes())])
}

/// Starts a server of a `portcullis.toml` and of the files that it is about.
pub(super) fn serve(files: &[(&str, &[u8])]) -> Server {
    let directory = place(files);
    let config = directory.path().join("portcullis.toml");
    Server::start(&["--config".as_ref(), config.as_os_str()]).keeping(directory)
}

/// A directory of these files.
pub(super) fn place(files: &[(&str, &[u8])]) -> TempDir {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    for (name, bytes) in files {
        let written = std::fs::write(directory.path().join(name), bytes);
        written.expect("the temporary directory can be written");
    }
    directory
}

fn text() -> String {
    // A JSON string is a TOML string, too.
    let path = serde_json::json!(hostile()).to_string();
    format!(
        r#"
[limits]
call_deadline_ms = 3_600_000
memory_bytes_max = 16_777_216
result_bytes_max = 65_536
log_bytes_max = 8_192

[components.hostile]
path = {path}
prefix = "hostile"

[components.hurried]
path = {path}
prefix = "hurried"
limits = {{ call_deadline_ms = 500 }}

[components.roomy]
path = {path}
prefix = "roomy"
limits = {{ memory_bytes_max = 268_435_456 }}
"#
    )
}
