//! Results checked while they are read.
//!
//! A published schema whose keywords all allow it is compiled once into a tree. A text is held
//! against that tree as serde_json reads it, and written down anew, compact, in the same pass:
//! there is no `Value`. This only ever accepts. What it does not accept, [`Contract`] decides, and
//! words the error (docs/decisions/0012-checked-while-read.md).
//!
//! [`Contract`]: super::contract::Contract

mod apart;
mod compile;
mod entries;
mod keywords;
mod node;
mod numbers;
mod read;
mod scalar;
#[cfg(test)]
mod tests;
mod written;

use node::{Id, Node};

/// A schema that values are checked against while they are read.
#[derive(Debug)]
pub(super) struct Stream {
    /// By [`Id`].
    nodes: Vec<Node>,
    /// That of the value itself, never wrapped.
    start: Id,
    wraps: bool,
}
