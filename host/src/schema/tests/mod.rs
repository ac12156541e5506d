//! Tests of the room as a whole.

mod hostile;
mod laws;
