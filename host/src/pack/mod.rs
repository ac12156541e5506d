//! The descriptor section: what a component of typed exports says of its tools beyond their types.
//!
//! What `portcullis pack` writes and what is read of a component are one structure, [`Said`].

mod applied;
mod faults;
mod fits;
mod merged;
mod overlay_file;
mod packing;
mod pieces;
mod said;
mod same;
mod section;
mod source;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub(crate) use applied::{ToolSaid, Unfit};
pub(crate) use faults::PackError;
pub(crate) use overlay_file::OverlayFile;
pub(crate) use packing::{Packed, pack};
pub(crate) use said::Said;
pub use section::BadSection;
pub(crate) use source::Source;

/// The name of the section.
pub(crate) const SECTION: &str = "portcullis:descriptor";
/// The version of what is in it.
const SECTION_VERSION: u64 = 1;
/// Bytes of the JSON in the section.
const SECTION_BYTES_MAX: usize = 1 << 20;
