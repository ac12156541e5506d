//! The server's side of HTTP: where it listens, whom it lets in, and how much of each it takes.
//!
//! Nothing gets to `mcp` from here that was not let in: the name it was called by, the page it comes
//! from, who sent it, how often, and how much.

mod at_once;
mod auth;
mod bodies;
mod connections;
mod endpoint;
mod guard;
mod listener;
mod shares;

pub(crate) use listener::{Ended, Listener};
