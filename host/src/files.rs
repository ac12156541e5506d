//! The door to the file system: what the host reads, it reads here.
//!
//! Every read has a limit, and nothing here writes. (Compiled code has a door of its own,
//! `sandbox::cache`.)

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The most bytes that a config may have.
const CONFIG_BYTES_MAX: u64 = 1 << 20;

/// The text of a config file.
pub(crate) fn read_config(path: &Path) -> io::Result<String> {
    match read(path, CONFIG_BYTES_MAX)? {
        Capped::Whole(bytes) => String::from_utf8(bytes)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text")),
        Capped::TooLarge => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {CONFIG_BYTES_MAX} bytes"),
        )),
    }
}

/// What was read under a limit.
pub(crate) enum Capped {
    Whole(Vec<u8>),
    TooLarge,
}

/// The bytes of `path`, if they are at most `bytes_max`.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) fn read(path: &Path, bytes_max: u64) -> io::Result<Capped> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Ok(Capped::TooLarge);
    }
    Ok(Capped::Whole(bytes))
}

/// What a path leads to.
pub(crate) enum Place {
    File,
    /// The .wasm files in it, in order of their names.
    Directory(Vec<PathBuf>),
}

/// Looks at `path`.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) fn look(path: &Path) -> io::Result<Place> {
    if !std::fs::metadata(path)?.is_dir() {
        return Ok(Place::File);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "wasm") && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(Place::Directory(files))
}
