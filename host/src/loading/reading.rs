//! Reading a component's file when nobody writes to it.

use std::time::Duration;

use crate::component::LoadError;
use crate::config::{ComponentConfig, Config};
use crate::files::{self, Capped, Stamp};

/// How often a file that is being written is read before it counts as broken.
const READS_MAX: usize = 100;
/// For how long a file must be away until it counts as removed.
const GONE_AFTER: Duration = Duration::from_millis(300);
/// Between two readings of a file that has just changed.
const BETWEEN_READINGS: Duration = Duration::from_millis(10);

/// After the last change, for how long somebody may be at a file still.
const SETTLED_AFTER: Duration = Duration::from_secs(1);

/// The bytes of a component's file when nobody writes to it, with what can be seen of it: once, if
/// it has not changed for a while, and else as soon as they are read twice in a row. A file that is
/// cut off between two sections is a component too, with less in it. `changed`: it is another one
/// than before.
///
/// # Errors
/// When it cannot be read, is too large, or is written to all the time.
pub(super) async fn read(
    named: &ComponentConfig,
    config: &Config,
    changed: bool,
) -> Result<(Vec<u8>, Stamp), LoadError> {
    let mut before = once(named, config)?;
    if !changed && before.1.is_older_than(SETTLED_AFTER) {
        return Ok(before);
    }
    for _ in 0..READS_MAX {
        tokio::time::sleep(BETWEEN_READINGS).await;
        let now = once(named, config)?;
        if now == before {
            return Ok(now);
        }
        before = now;
    }
    Err(LoadError::Unreadable(std::io::Error::other("it is being written to all the time")))
}

fn once(named: &ComponentConfig, config: &Config) -> Result<(Vec<u8>, Stamp), LoadError> {
    let stamp = Stamp::of(&named.path).map_err(LoadError::Unreadable)?;
    let bytes_max = config.host.component_bytes_max;
    if stamp.bytes() > bytes_max {
        return Err(LoadError::TooLarge { bytes_max });
    }
    match files::read(&named.path, bytes_max).map_err(LoadError::Unreadable)? {
        Capped::Whole(bytes) => Ok((bytes, stamp)),
        Capped::TooLarge => Err(LoadError::TooLarge { bytes_max }),
    }
}

/// Whether a file that is away comes back at once: it is being replaced then, and its new version
/// is looked at when whoever does it is done.
pub(super) async fn comes_back(path: &std::path::Path) -> bool {
    tokio::time::sleep(GONE_AFTER).await;
    Stamp::of(path).is_ok()
}
