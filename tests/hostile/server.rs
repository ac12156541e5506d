//! The hostile component under three sets of limits, each under a prefix of its own.

use crate::harness::{Server, hostile};

/// Starts a server that has every hostile tool three times:
/// `hostile_…` with little memory and a deadline of an hour, `hurried_…` with a deadline of half
/// a second, and `roomy_…` with memory for 100 MB and a deadline of an hour.
pub(super) fn serve_hostile() -> Server {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let config = directory.path().join("portcullis.toml");
    std::fs::write(&config, text()).expect("the temporary directory can be written");
    // The config is read before the handshake is answered.
    Server::start(&["--config".as_ref(), config.as_os_str()])
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
