//! The door to the file system: what the host reads, it reads here, and what it writes.
//!
//! Every read has a limit, and whatever is written is there whole or not at all. (Compiled code
//! has a door of its own, `sandbox::compile::cache`.)

mod built;
mod private;
mod stamp;
mod wit;

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

pub(crate) use built::{update, with_extensions};
#[cfg(unix)]
pub(crate) use private::sockets;
pub(crate) use private::{make_private, remove_unused, touch};
pub(crate) use stamp::Stamp;
pub(crate) use wit::read_wit;

/// The most bytes that a config may have.
const CONFIG_BYTES_MAX: u64 = 1 << 20;

/// The text of a config file.
pub(crate) fn read_config(path: &Path) -> io::Result<String> {
    text(read_any(path, CONFIG_BYTES_MAX)?, CONFIG_BYTES_MAX)
}

/// The text of a contract lock.
pub(crate) fn read_lock(path: &Path) -> io::Result<String> {
    /// The most bytes that a lock may have.
    const LOCK_BYTES_MAX: u64 = 64 << 20;
    text(read(path, LOCK_BYTES_MAX)?, LOCK_BYTES_MAX)
}

/// The text of a file that holds a secret.
pub(crate) fn read_secret(path: &Path) -> io::Result<String> {
    /// The most bytes that a secret may have.
    const SECRET_BYTES_MAX: u64 = 64 << 10;
    text(read(path, SECRET_BYTES_MAX)?, SECRET_BYTES_MAX)
}

fn text(read: Capped, bytes_max: u64) -> io::Result<String> {
    match read {
        Capped::Whole(bytes) => String::from_utf8(bytes)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text")),
        Capped::TooLarge => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {bytes_max} bytes"),
        )),
    }
}

/// The path of the directory that `path` leads to, with no link in it; none: it leads to something
/// else.
pub(crate) fn directory(path: &Path) -> io::Result<Option<PathBuf>> {
    let path = std::fs::canonicalize(path)?;
    Ok(std::fs::metadata(&path)?.is_dir().then_some(path))
}

/// `path` without links and dots.
pub(crate) fn resolved(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

/// `path` without links and dots, as far as it is there.
pub(crate) fn resolved_as_far(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let resolve = |there: &Path| {
        let rest = path.strip_prefix(there).ok()?;
        std::fs::canonicalize(there).ok().map(|there| there.join(rest))
    };
    // A path that ends in a slash is another one only to those who read it as text.
    path.ancestors().find_map(resolve).unwrap_or_else(|| path.components().collect())
}

/// The directory `root` and those below it that `enter` lets in, but not those that say of
/// themselves that they hold what was built (CACHEDIR.TAG), and at most `count_max` of them.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) fn directories(
    root: &Path,
    enter: impl Fn(&Path) -> bool,
    count_max: usize,
) -> Vec<PathBuf> {
    let mut found = vec![root.to_owned()];
    let mut at = 0;
    while at < found.len() && found.len() < count_max {
        // One that cannot be read has nothing to show.
        for entry in std::fs::read_dir(&found[at]).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_directory && enter(&path) && !path.join("CACHEDIR.TAG").exists() {
                found.push(path);
            }
        }
        at += 1;
    }
    found.truncate(count_max);
    found
}

/// The files in `directory` whose names end in `ending`. One that cannot be read has none.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) fn named(directory: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let ends = |path: &PathBuf| path.to_string_lossy().ends_with(ending) && path.is_file();
    entries.map(|entry| entry.path()).filter(ends).collect()
}

/// What was read under a limit.
pub(crate) enum Capped {
    Whole(Vec<u8>),
    TooLarge,
}

/// The bytes of the regular file `path`, if they are at most `bytes_max`. A pipe or a device,
/// which may never end, is an error.
pub(crate) fn read(path: &Path, bytes_max: u64) -> io::Result<Capped> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    read_any(path, bytes_max)
}

#[expect(clippy::disallowed_methods, reason = "this is the door")]
fn read_any(path: &Path, bytes_max: u64) -> io::Result<Capped> {
    let file = std::fs::File::open(path)?;
    let length = file.metadata()?.len().min(bytes_max);
    // Something that is no file may say that it has none.
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0).saturating_add(1));
    file.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Ok(Capped::TooLarge);
    }
    Ok(Capped::Whole(bytes))
}

/// A file that lines are added to; one that is made is its owner's alone.
pub(crate) fn append_to(path: &Path) -> io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // A pipe may have no reader, or one that stops.
    if std::fs::metadata(path).is_ok_and(|known| !known.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    options.open(path)
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

/// Where a file is to whoever could replace it: the file that `path` leads to, and the link itself
/// if it is one.
pub(crate) fn places(path: &Path) -> Vec<PathBuf> {
    let link = path.parent().zip(path.file_name());
    let link = link.map(|(directory, name)| resolved_as_far(directory).join(name));
    let mut places = vec![resolved_as_far(path)];
    places.extend(link.filter(|link| *link != places[0]));
    places
}

/// Whether something other than a file is at `path`, such as a pipe.
pub(crate) fn is_no_file(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|known| !known.is_file())
}

/// Whether `path` leads to a file, or to a directory with components in it.
pub(crate) fn has_files(path: &Path) -> bool {
    match look(path) {
        Ok(Place::File) => true,
        Ok(Place::Directory(files)) => !files.is_empty(),
        Err(_) => false,
    }
}

/// Whether there is a symbolic link at `path`, wherever it leads.
pub(crate) fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|known| known.is_symlink())
}

/// The directory that `path` is in, held until the file that is returned is dropped: whoever else
/// holds it waits. Where the system cannot hold a directory, nobody waits.
///
/// # Errors
/// When it is not there.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) fn hold_directory_of(path: &Path) -> io::Result<Option<std::fs::File>> {
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        Some(_) | None => Path::new("."),
    };
    if !directory.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "its directory does not exist"));
    }
    let held = std::fs::File::open(directory).ok();
    Ok(held.filter(|held| held.lock().is_ok()))
}

/// Makes the directory `path`, which is not there.
///
/// # Errors
/// When something is there, or it cannot be made.
pub(crate) fn make_new(path: &Path) -> io::Result<()> {
    std::fs::create_dir(path)
}

/// Makes the directory `path` and those that it is in, where they are not there.
///
/// # Errors
/// When one cannot be made.
pub(crate) fn make_directories(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}

/// Writes a text to a file that is not there, and makes the directories that it is in.
///
/// # Errors
/// When something is there, or it cannot be written.
pub(crate) fn write_new(path: &Path, text: &str) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}

/// Writes what is in the file `from` to `to`, as [`replace`] does.
///
/// # Errors
/// When one cannot be read or the other not be written.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    replace(to, &std::fs::read(from)?)
}

/// Writes `bytes` to the file at `path`, which is replaced at once if it is there, with the
/// permissions that it has.
///
/// # Errors
/// When it cannot be written, or something other than a file is there. Nothing is changed then.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let known = match std::fs::metadata(path) {
        Ok(known) if known.is_file() => Some(known),
        Ok(_) => return Err(io::Error::other("it is not a file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    // Where a link leads is written, and not the link.
    let path = if known.is_some() { std::fs::canonicalize(path)? } else { path.to_owned() };
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        Some(_) | None => Path::new("."),
    };
    if !directory.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "its directory does not exist"));
    }
    // The error of the library names the file that was to be made on the way.
    let mut file = new_file(directory).map_err(|error| io::Error::from(error.kind()))?;
    if let Some(known) = known {
        file.as_file().set_permissions(known.permissions())?;
    }
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(&path)?;
    Ok(())
}

/// A file with the permissions that new files have.
#[cfg(unix)]
fn new_file(directory: &Path) -> io::Result<tempfile::NamedTempFile> {
    use std::os::unix::fs::PermissionsExt as _;
    let usual = std::fs::Permissions::from_mode(0o666);
    tempfile::Builder::new().permissions(usual).tempfile_in(directory)
}

#[cfg(not(unix))]
fn new_file(directory: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::NamedTempFile::new_in(directory)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests read and write files")]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_with_its_permissions_and_nothing_is_left_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.wasm");
        replace(&file, b"one").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"one");
        let mut permissions = std::fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(&file, permissions.clone()).unwrap();
        replace(&file, b"two").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"two");
        assert_eq!(std::fs::metadata(&file).unwrap().permissions(), permissions);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_file_is_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let error = replace(directory.path(), b"one").unwrap_err();
        assert_eq!(error.to_string(), "it is not a file");
        let error = replace(&directory.path().join("none/a.wasm"), b"one").unwrap_err();
        assert_eq!(error.to_string(), "its directory does not exist");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_what_it_leads_to_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let [file, link] = ["a.wasm", "link.wasm"].map(|name| directory.path().join(name));
        replace(&file, b"one").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace(&link, b"two").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"two");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_directory_is_resolved() {
        let [real, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let link = other.path().join("link");
        std::os::unix::fs::symlink(real.path(), &link).unwrap();
        let resolved = std::fs::canonicalize(real.path()).unwrap();
        assert_eq!(directory(&link).unwrap(), Some(resolved));
        std::fs::write(other.path().join("file"), "").unwrap();
        assert_eq!(directory(&other.path().join("file")).unwrap(), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_path_is_resolved_as_far_as_it_is_there() {
        let [real, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let link = other.path().join("link");
        std::os::unix::fs::symlink(real.path(), &link).unwrap();
        let there = std::fs::canonicalize(real.path()).unwrap();
        assert_eq!(resolved_as_far(&link.join("not/yet")), there.join("not/yet"));
        assert_eq!(resolved_as_far(&link), there);
    }

    #[test]
    fn directories_are_found_but_not_those_of_built_things() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["src/deep", "built/debug", "no"] {
            std::fs::create_dir_all(directory.path().join(name)).unwrap();
        }
        std::fs::write(directory.path().join("built/CACHEDIR.TAG"), "").unwrap();
        let found = |count_max| {
            let mut found = directories(directory.path(), |path| !path.ends_with("no"), count_max);
            found.sort();
            found
        };
        let names = ["", "src", "src/deep"].map(|name| directory.path().join(name));
        assert_eq!(found(10), names.map(|path| path.components().collect::<PathBuf>()));
        assert_eq!(found(2).len(), 2);
    }
}
