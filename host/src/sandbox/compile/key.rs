//! The key that seals what the cache keeps.
//!
//! It is a file that only its owner can read. A key that anybody else could have made or read is
//! replaced, and what it sealed is worth nothing from then on.

use std::io::{self, Write as _};
use std::path::Path;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::files::{self, Capped};

/// The name of its file.
pub(super) const FILE_NAME: &str = "key";
/// Bytes of a key, and of a seal.
pub(super) const BYTES: usize = 32;

/// A secret of the cache.
#[derive(Debug)]
pub(super) struct Key(Hmac<Sha256>);

impl Key {
    /// The key in `directory`, which is made if there is none that is good. Of two processes that
    /// make one at the same time the later one's stays; what the other keeps is compiled anew.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn of(directory: &Path) -> io::Result<Self> {
        let path = directory.join(FILE_NAME);
        let bytes = match read(&path) {
            Some(bytes) => bytes,
            None => make(directory, &path)?,
        };
        Hmac::new_from_slice(&bytes).map(Self).map_err(io::Error::other)
    }

    /// The seal of `code` under this name.
    pub(super) fn seal(&self, name: &str, code: &[u8]) -> [u8; BYTES] {
        self.over(name, code).finalize().into_bytes().into()
    }

    /// Whether `seal` is that of `code` under this name. How long it takes does not tell how much of
    /// it is right.
    pub(super) fn is_sealed(&self, name: &str, code: &[u8], seal: &[u8]) -> bool {
        self.over(name, code).verify_slice(seal).is_ok()
    }

    fn over(&self, name: &str, code: &[u8]) -> Hmac<Sha256> {
        // No name has a NUL in it, so it is clear where the code begins.
        self.0.clone().chain_update(name).chain_update([0]).chain_update(code)
    }
}

/// The bytes of the key at `path`; none: it is not there, or no good.
fn read(path: &Path) -> Option<[u8; BYTES]> {
    if !is_our_own(path) {
        return None;
    }
    match files::read(path, BYTES as u64) {
        Ok(Capped::Whole(bytes)) => bytes.try_into().ok(),
        Ok(Capped::TooLarge) | Err(_) => None,
    }
}

fn make(directory: &Path, path: &Path) -> io::Result<[u8; BYTES]> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    // A new file of this kind is its owner's alone. A link in its place is replaced, not followed.
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(&bytes)?;
    file.persist(path)?;
    Ok(bytes)
}

/// Whether at `path` is a file, and no link to one, that nobody but this user can read or write.
#[cfg(unix)]
fn is_our_own(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::symlink_metadata(path).is_ok_and(|known| {
        known.is_file()
            && known.uid() == rustix::process::geteuid().as_raw()
            && known.mode() & 0o077 == 0
    })
}

#[cfg(not(unix))]
fn is_our_own(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|known| known.is_file())
}

#[cfg(test)]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "tests read and write files")]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn a_key_is_its_owners_alone_and_stays() {
        let directory = tempfile::tempdir().unwrap();
        let seal = Key::of(directory.path()).unwrap().seal("a", b"code");
        let known = fs::metadata(directory.path().join(FILE_NAME)).unwrap();
        assert_eq!((known.permissions().mode() & 0o777, known.len()), (0o600, 32));
        let again = Key::of(directory.path()).unwrap();
        assert!(again.is_sealed("a", b"code", &seal));
        for (name, code) in [("b", b"code".as_slice()), ("a", b"cod"), ("", b"a\0code")] {
            assert!(!again.is_sealed(name, code, &seal), "{name} {code:?}");
        }
        assert!(!again.is_sealed("a", b"code", &seal[..31]));
        assert_eq!(directory.path().read_dir().unwrap().count(), 1, "nothing half written");
    }

    /// Puts something in the key's place, and says whether a key that it knows is still in use.
    fn survives(spoil: impl FnOnce(&Path)) -> bool {
        let directory = tempfile::tempdir().unwrap();
        let seal = Key::of(directory.path()).unwrap().seal("a", b"code");
        spoil(&directory.path().join(FILE_NAME));
        let after = Key::of(directory.path()).unwrap();
        let known = fs::symlink_metadata(directory.path().join(FILE_NAME)).unwrap();
        assert!(known.is_file() && known.permissions().mode() & 0o077 == 0);
        after.is_sealed("a", b"code", &seal)
    }

    #[test]
    fn a_key_that_is_no_good_is_replaced() {
        assert!(survives(|_| ()));
        assert!(!survives(|key| fs::remove_file(key).unwrap()), "missing");
        assert!(!survives(|key| fs::write(key, [1; 31]).unwrap()), "short");
        assert!(!survives(|key| fs::write(key, [1; 33]).unwrap()), "long");
        let open = |key: &Path| fs::set_permissions(key, Permissions::from_mode(0o640)).unwrap();
        assert!(!survives(open), "read by others");
        assert!(
            !survives(|key| {
                let elsewhere = key.with_file_name("elsewhere");
                fs::rename(key, &elsewhere).unwrap();
                symlink(elsewhere, key).unwrap();
            }),
            "a link"
        );
    }
}
