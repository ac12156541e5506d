//! The contract lock: what was approved of each component, and what may be served by it.
//!
//! Nothing that differs from what was approved is served in mode `locked`, and nothing ever reaches
//! more than the lock and the config both grant.

mod compatible;
mod entry;
mod file;
mod gate;
mod kept;

pub(crate) use entry::Entry;
pub use file::{FILE_NAME, Lock, LockError, Reader};
pub(crate) use gate::Judged;
pub use gate::{Gate, Mode};
pub use kept::Kept;
