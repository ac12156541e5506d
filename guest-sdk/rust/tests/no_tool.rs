//! A crate that forgot its tools.

use portcullis_guest::testing;

#[test]
fn the_description_says_what_is_missing() {
    assert_eq!(testing::describe().unwrap_err(), "there is no tool: write `#[tool]` on a function");
}
