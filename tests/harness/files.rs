//! Files that are replaced while they are served.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Puts a file in place at once.
pub(crate) fn rename_over(file: &Path, bytes: &[u8]) {
    let aside = file.with_extension("new");
    fs::write(&aside, bytes).expect("it can be written");
    fs::rename(aside, file).expect("it can be put in place");
}

/// The moment in nanoseconds, for bytes that no earlier run has seen.
pub(crate) fn moment() -> [u8; 16] {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    since_1970.expect("it is later").as_nanos().to_le_bytes()
}
