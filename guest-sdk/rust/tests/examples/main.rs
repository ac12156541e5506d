//! The examples of the documentation, compiled.

#![allow(dead_code, missing_docs)]

mod ask;
mod content;
mod error;
mod full;
mod json;
mod requires;
