//! What is published, written and read, by hand from the table of types.

mod arguments;
mod overlays;
mod publishing;
mod reading;
mod results;
