//! Portcullis runs tools that are WebAssembly components in a sandbox, checks what they
//! return against the schema that they declare, and serves them to agents over MCP.
//!
//! ARCHITECTURE.md has the map. In short: [`config`] says what to load, [`component`] turns
//! bytes into described tools, [`catalog`] names them, [`call`] runs one, [`present`] writes
//! the reply, and [`mcp`] speaks the protocol. [`schema`] is pure, and [`sandbox`] is the only
//! place where guest code runs.

pub mod build;
pub mod call;
pub mod catalog;
pub mod clients;
pub mod command;
pub mod component;
pub mod config;
mod difference;
mod files;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
pub mod grants;
mod host;
mod http;
mod loading;
pub mod lock;
pub mod mcp;
mod moment;
mod pack;
pub mod present;
mod rates;
mod reload;
pub mod sandbox;
mod status;

pub mod schema;

pub use host::Host;
pub use loading::{HostError, NotLoaded};
