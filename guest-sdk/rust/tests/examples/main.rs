//! The examples of the documentation, compiled.

#![allow(dead_code, missing_docs)]

mod content;
mod error;
mod full;
mod json;
mod requires;
