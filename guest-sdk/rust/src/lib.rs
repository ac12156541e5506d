//! Write a sandboxed MCP tool as a plain Rust function.
#![deny(missing_docs)]

#[cfg(test)]
extern crate self as portcullis_guest;

mod arguments;
mod bindings;
mod bytes;
mod call;
mod content;
mod describe;
mod docs;
mod encode;
mod error;
mod finite;
mod full;
mod json;
pub mod log;
mod output;
mod parameter;
pub mod progress;
mod provider;
mod registry;
mod returns;
mod schema;
pub mod testing;

pub use bytes::Bytes;
pub use call::{Call, ClientAbilities, call};
pub use content::{Content, Embedded, Link};
pub use error::{Error, Result};
pub use full::Full;
pub use json::Json;
pub use portcullis_guest_macros::tool;

/// What `#[tool]` writes into an author's crate. It may change at any time.
#[doc(hidden)]
pub mod __private {
    pub use inventory;

    pub use crate::arguments::Arguments;
    pub use crate::call::Call;
    pub use crate::error::{Error, ToolError};
    pub use crate::output::{Contract, Outcome, Output, Written};
    pub use crate::parameter::{
        Parameter, Published, Spec, from_text, publish, publish_with_default, take, take_or,
    };
    pub use crate::registry::{Hints, Package, Place, Tool};
    pub use crate::returns::{Blocks, Fallible, Infallible, Of, Value};
    pub use crate::schema::constraint::{Bound, Constraint};
    pub use crate::schema::inputs::Inputs;
}
