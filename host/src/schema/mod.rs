//! Contracts: schemas as published, arguments and results checked against them.
//!
//! Only this module makes [`Arguments`] and [`Verified`], and nothing in it reads a file, opens a
//! connection or waits.

mod arguments;
mod bounds;
mod coerce;
mod compatible;
mod compile;
mod contract;
mod decimal;
mod dialect;
mod encoding;
mod evaluate;
mod expansion;
mod form;
pub(crate) mod headers;
mod hoist;
mod inline;
mod json;
mod kinds;
mod mismatch;
mod normalise;
mod output;
mod overlap;
mod parts;
mod references;
mod refused;
mod remember;
mod root;
mod shape;
mod stream;
#[cfg(test)]
mod tests;
mod tidy;
mod titles;
mod unevaluated;
mod unions;
mod walk;
pub mod wit;
mod wording;

pub use arguments::{Arguments, Input};
pub use bounds::Bounds;
pub(crate) use bounds::below;
pub(crate) use compatible::{accepts_all_arguments_of, accepts_all_of, says_the_same};
pub(crate) use form::Form;
pub(crate) use json::read as read_json;
pub use json::{NotJson, VALUE_DEPTH_MAX, integers_fit, strict_json};
pub use mismatch::Mismatch;
pub(crate) use normalise::RESULT;
pub use output::{Output, Unverified, Verified};
pub(crate) use references::percent_decoded;
pub use refused::{At, Piece, Refused};
pub(crate) use walk::{Step, children, is_annotation};

/// How schemas are published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// What becomes of references (`schema.refs`). Default: [`Refs::Defs`].
    pub refs: Refs,
    /// Whether titles are made from names (`schema.titles`, rules S1 and S2); an author's own
    /// titles are always kept. Default: true.
    pub titles: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { refs: Refs::Defs, titles: true }
    }
}

/// What becomes of references in published schemas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refs {
    /// They lead to `$defs` at the root (rule S2).
    #[default]
    Defs,
    /// They are replaced by what they refer to, for clients that do not follow them. A recursive
    /// type cannot be written so: references to it stay.
    Inline,
}
