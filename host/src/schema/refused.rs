//! Why a schema is refused.
//!
//! Every text is bounded and clean: what it repeats of the schema was written by a guest.

use std::fmt;

use super::NotJson;
use crate::present::clean;

/// Bytes of a pointer, and of a piece of the schema, that an error repeats.
const PIECE_BYTES_MAX: usize = 160;

/// A place in a schema: a JSON pointer, `#` for the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At(String);

impl At {
    pub(super) fn new(pointer: &str) -> Self {
        Self(clean::bounded(&format!("#{pointer}"), PIECE_BYTES_MAX))
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A piece of a schema, cleaned and bounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece(String);

impl Piece {
    pub(super) fn new(text: &str) -> Self {
        Self(clean::bounded(text, PIECE_BYTES_MAX))
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a schema is refused. The tool's author must act.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The text is not strict JSON.
    #[error("it is not JSON: {0}")]
    NotJson(#[from] NotJson),
    /// The text, or what is published of it, is too long.
    #[error("it has {bytes} bytes, more than {bytes_max}")]
    TooLarge {
        /// Bytes that it has.
        bytes: usize,
        /// Bytes that it may have.
        bytes_max: usize,
    },
    /// It nests too deep, as written or once its references are followed.
    #[error("it is nested deeper than {depth_max} levels at {at}")]
    TooDeep {
        /// Where.
        at: At,
        /// Levels that it may have.
        depth_max: usize,
    },
    /// It has too many schemas.
    #[error("it has more than {subschemas_max} schemas")]
    TooManySchemas {
        /// Schemas that it may have.
        subschemas_max: usize,
    },
    /// Checking one value would take too many steps.
    #[error(
        "one value would have to be checked against more than {expansion_max} schemas at {at}; \
         use fewer nested references, `anyOf`, `oneOf` and `allOf`"
    )]
    TooManySteps {
        /// Where.
        at: At,
        /// Schemas that one value may have to be checked against.
        expansion_max: usize,
    },
    /// Checking could take twice as long with each level of a value, and what would keep it from
    /// that cannot be done with a keyword.
    #[error(
        "several of its schemas lead into the same part of a value, and `{keyword}` cannot be \
         checked in time then; use references by pointer, and `additionalProperties`"
    )]
    Overlap {
        /// The keyword.
        keyword: &'static str,
    },
    /// A schema refers to itself for the same value.
    #[error("it refers to itself without going into the value at {at}")]
    Endless {
        /// Where.
        at: At,
    },
    /// An enum or a union has too many cases.
    #[error("`{keyword}` has {cases} cases at {at}, more than {cases_max}")]
    TooManyCases {
        /// Where.
        at: At,
        /// The keyword.
        keyword: &'static str,
        /// Cases that it has.
        cases: usize,
        /// Cases that it may have.
        cases_max: usize,
    },
    /// A description or a title is too long.
    #[error("its `{keyword}` has {bytes} bytes at {at}, more than {bytes_max}")]
    TooLong {
        /// Where.
        at: At,
        /// The keyword.
        keyword: &'static str,
        /// Bytes that it has.
        bytes: usize,
        /// Bytes that it may have.
        bytes_max: usize,
    },
    /// A text hides something from a reader.
    #[error("it holds control, bidirectional, tag or zero-width characters at {at}: {text}")]
    Hidden {
        /// Where.
        at: At,
        /// The text, its hidden characters shown.
        text: Piece,
    },
    /// Something is not a schema.
    #[error("what is at {at} is not a schema: {why}")]
    Invalid {
        /// Where.
        at: At,
        /// What is wrong.
        why: Piece,
    },
    /// A reference leaves the document.
    #[error(
        "`{keyword}` at {at} refers to `{reference}`, outside of the schema; put what it refers \
         to into `$defs`"
    )]
    Outside {
        /// Where.
        at: At,
        /// The keyword.
        keyword: &'static str,
        /// The reference.
        reference: Piece,
    },
    /// A reference finds nothing.
    #[error("`{keyword}` at {at} refers to `{reference}`, which the schema does not have")]
    Dangling {
        /// Where.
        at: At,
        /// The keyword.
        keyword: &'static str,
        /// The reference.
        reference: Piece,
    },
    /// A dialect that is not supported.
    #[error("its dialect `{dialect}` is not supported; write JSON Schema 2020-12")]
    Dialect {
        /// The value of `$schema`.
        dialect: Piece,
    },
    /// A keyword that 2020-12 does not have, or reads in another way.
    #[error("`{keyword}` at {at} is not of JSON Schema 2020-12; {instead}")]
    Keyword {
        /// Where.
        at: At,
        /// The keyword.
        keyword: &'static str,
        /// What to write instead.
        instead: &'static str,
    },
    /// A pattern that the engine, whose time is linear in the text, does not take.
    #[error(
        "the pattern `{pattern}` at {at} is not supported: look-around and back-references are \
         not, nor are patterns that are too large"
    )]
    Pattern {
        /// Where.
        at: At,
        /// The pattern.
        pattern: Piece,
    },
    /// There are too many patterns.
    #[error("it has more than {patterns_max} patterns")]
    TooManyPatterns {
        /// Patterns that it may have.
        patterns_max: usize,
    },
    /// The root of an input schema is not an object.
    #[error(
        "the root of an input schema is an object: write `type: object` there, and put \
         `{found}` beside it or into a property"
    )]
    Root {
        /// What is there.
        found: Piece,
    },
    /// A header of an argument that clients have to reject.
    #[error("`x-mcp-header` at {at} {why}")]
    Header {
        /// Where.
        at: At,
        /// What is wrong.
        why: Piece,
    },
    /// Nothing can match.
    #[error("it allows no value")]
    Nothing,
}
