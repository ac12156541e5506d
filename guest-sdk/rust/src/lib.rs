//! Write a sandboxed MCP tool as a plain Rust function.
//!
#![doc = "```"]
#![doc = include_str!("../tests/forecast.rs")]
#![doc = "```"]
//!
//! That is a whole crate but for its `Cargo.toml`:
//!
//! ```toml
//! [lib]
//! crate-type = ["cdylib"]
//!
//! [dependencies]
//! portcullis-guest = "0.1"
//! schemars = "1"                                   # for types of your own
//! serde = { version = "1", features = ["derive"] } # likewise
//! ```
//!
//! `cargo build --release --target wasm32-wasip2` makes the component; with `opt-level = "s"`,
//! `lto`, one codegen unit and `strip` in its profile it is half as large. There is nothing to
//! register: every `#[tool]` in the crate is part of it, module by module, each in source order.
//! The component's name and version are the crate's.
//!
//! # What a function says
//!
//! | in Rust | in the contract |
//! |---|---|
//! | the doc comment | the description, for the model |
//! | a parameter and its doc comment | a property and its description |
//! | `#[default(…)]`, `#[range(…)]`, … on a parameter | see [`tool`](macro@tool) |
//! | `Option<T>` as a parameter | an argument that may be left out |
//! | the return type | the output schema |
//! | `Result<T, E>` | `T`'s schema; an `Err` is a tool error with `E`'s text |
//! | [`Result<T>`](Result) | the same, with `?` on any error, or a [kind](Error) of failure |
//! | [`Json<T>`] | `T`'s schema for a value that came from elsewhere; the host checks it |
//! | [`Bytes`] | a base64 string |
//! | [`Full<T>`] | `T`'s schema; a value with meta, content of its own, or an error mark |
//! | [`Content`], `Vec<Content>`, `Full<Content>`, `#[tool(content_only)]` | no schema: text, images and links |
//!
//! A type without a schema does not compile, and the compiler says what to derive. What a tool
//! gives is checked by the host before anyone sees it, against the schema that was published: a
//! mismatch is a tool error that names the field.
//!
//! # During a call
//!
//! A parameter of type `&`[`Call`], or [`call()`], tells about the call: its time limit, and what
//! the client can do. [`log`] and [`progress`] speak to the host; a component that calls neither
//! does not import them. What a component needs beyond running, such as a host to fetch from, it
//! says with [`requires!`]; whether it gets it is for the operator to say.
//!
//! [`Call::ask`] asks the user, or their model, in the middle of a call; the function then runs again from
//! its beginning with the answer. [`changed`] announces that something is another than it was.
//!
//! # Beside tools
//!
//! [`resource`](macro@resource), [`prompt`](macro@prompt) and [`complete`](macro@complete) make
//! resources, prompts and suggestions of functions. Each is an export of the component that it does not have
//! unless its feature is on: `resources`, `prompts`, `completion`.
//!
//! Every call gets an instance of its own, and no state outlives it. A panic ends the call: its
//! message goes to the host's log, and the model is told no more than that the tool failed.
//!
//! # Tests
//!
//! A tool stays a plain function, so a native `cargo test` calls it as one. [`testing`] shows what
//! a host would see.
#![allow(clippy::test_attr_in_doctest, reason = "the examples are tests, in tests/")]
#![deny(missing_docs)]

#[cfg(test)]
extern crate self as portcullis_guest;

mod arguments;
mod ask;
mod bytes;
mod call;
pub mod changed;
mod complete;
#[cfg(target_arch = "wasm32")]
mod component;
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
mod prompt;
mod read;
mod registry;
mod requires;
mod resource;
mod returns;
mod root;
mod run;
mod schema;
mod strict;
pub mod testing;

pub use ask::{Question, Reply, Root, Sampling};
pub use bytes::Bytes;
pub use call::{Call, ClientAbilities, call};
pub use complete::{Suggestions, Typing};
pub use content::Content;
pub use error::{Error, Result};
pub use full::Full;
pub use json::Json;
#[cfg(feature = "completion")]
pub use portcullis_guest_macros::complete;
#[cfg(not(feature = "completion"))]
#[doc(hidden)]
pub use portcullis_guest_macros::complete_without_feature as complete;
#[cfg(feature = "prompts")]
pub use portcullis_guest_macros::prompt;
#[cfg(not(feature = "prompts"))]
#[doc(hidden)]
pub use portcullis_guest_macros::prompt_without_feature as prompt;
#[cfg(feature = "resources")]
pub use portcullis_guest_macros::resource;
#[cfg(not(feature = "resources"))]
#[doc(hidden)]
pub use portcullis_guest_macros::resource_without_feature as resource;
pub use portcullis_guest_macros::tool;
pub use prompt::Message;
pub use resource::{Embedded, Link};

/// What `#[tool]` writes into an author's crate. It may change at any time.
#[doc(hidden)]
pub mod __private {
    pub use inventory;

    pub use crate::arguments::Arguments;
    pub use crate::call::{Call, ClientAbilities};
    pub use crate::complete::{Completion, Subject, Suggestions, Typing};
    pub use crate::error::{Error, ToolError};
    pub use crate::output::{Contract, Outcome, Output, OwnContent, Written};
    pub use crate::parameter::{Handle, Parameter, Published, Spec, from_text, parameter};
    pub use crate::prompt::{
        Message, Messages, Parameter as PromptParameter, Prompt, optional, required,
    };
    pub use crate::read::{Contents, Resource};
    pub use crate::registry::{Hints, Package, Place, Tool};
    pub use crate::requires::{Directory, Requirements};
    pub use crate::resource::Embedded;
    pub use crate::returns::{Blocks, Fallible, Infallible, Of, Returns, Value};
    pub use crate::schema::constraint::{Bound, Constraint};
    pub use crate::schema::inputs::Inputs;
}
