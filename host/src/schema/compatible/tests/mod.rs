//! Tests of what is compatible with what.

mod laws;
mod recorded;
mod saying;
mod schemas;
mod values;

use serde_json::Value;

use crate::schema::{accepts_all_arguments_of, accepts_all_of, says_the_same};

/// Compares each wide schema with a narrow one: the answer, and that it does not depend on where
/// the two are.
fn check(table: impl IntoIterator<Item = (Value, Value, bool)>) {
    for (wide, narrow, expected) in table {
        assert_eq!(accepts_all_of(&wide, &narrow), expected, "{wide} of {narrow}");
        for keyword in ["items", "additionalProperties"] {
            let within = |schema: &Value| serde_json::json!({ keyword: schema });
            if ![&wide, &narrow].iter().any(|schema| schema.to_string().contains('#')) {
                let (wide, narrow) = (within(&wide), within(&narrow));
                assert_eq!(accepts_all_of(&wide, &narrow), expected, "{wide} of {narrow}");
            }
        }
    }
}
