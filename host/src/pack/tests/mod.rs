//! Packing, from the .wit source to the tools that a host sees.

mod example;
mod packing;
mod refusing;
