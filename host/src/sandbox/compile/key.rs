//! The key that seals what the cache keeps.
//!
//! It is a file that only its owner can read. A key that anybody else could have made or read is
//! replaced, and what it sealed is worth nothing from then on.

use std::io::{self, Read as _, Write as _};
use std::path::Path;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::files::{self, Capped};

/// The name of its file.
pub(super) const FILE_NAME: &str = "key";
/// Bytes of a key, and of a seal.
pub(super) const BYTES: usize = 32;
/// Bytes of an entry that are looked at in one go.
const PART_BYTES: usize = 64 << 10;

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
        self.under(name).chain_update(code).finalize().into_bytes().into()
    }

    /// Whether what `entry` reads is code and the seal of it under this name, `bytes` together. How long it
    /// takes does not tell how much of the seal is right.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn is_sealed(
        &self,
        name: &str,
        mut entry: impl io::Read,
        bytes: u64,
    ) -> io::Result<bool> {
        let Some(mut left) = bytes.checked_sub(BYTES as u64) else { return Ok(false) };
        let (mut mac, mut part) = (self.under(name), vec![0; PART_BYTES]);
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(PART_BYTES).min(PART_BYTES);
            let read = entry.read(&mut part[..most])?;
            if read == 0 {
                return Ok(false);
            }
            mac.update(&part[..read]);
            left -= read as u64;
        }
        // The seal, and one byte more where somebody added to it meanwhile.
        let mut seal = Vec::with_capacity(BYTES + 1);
        entry.take(BYTES as u64 + 1).read_to_end(&mut seal)?;
        Ok(mac.verify_slice(&seal).is_ok())
    }

    fn under(&self, name: &str) -> Hmac<Sha256> {
        // No name has a NUL in it, so it is clear where the code begins.
        self.0.clone().chain_update(name).chain_update([0])
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
        assert!(is_sealed(&again, "a", b"code", &seal));
        for (name, code) in [("b", b"code".as_slice()), ("a", b"cod"), ("", b"a\0code")] {
            assert!(!is_sealed(&again, name, code, &seal), "{name} {code:?}");
        }
        assert!(!is_sealed(&again, "a", b"code", &seal[..31]));
        assert!(!is_sealed(&again, "a", b"", &seal[..31]));
        let entry = [b"code".as_slice(), &seal].concat();
        for bytes in [35, 37] {
            assert!(!again.is_sealed("a", entry.as_slice(), bytes).unwrap(), "{bytes}");
        }
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
        is_sealed(&after, "a", b"code", &seal)
    }

    fn is_sealed(key: &Key, name: &str, code: &[u8], seal: &[u8]) -> bool {
        let entry = [code, seal].concat();
        key.is_sealed(name, entry.as_slice(), entry.len() as u64).unwrap()
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
