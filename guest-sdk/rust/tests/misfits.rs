//! What only the description can tell of an author's mistakes.

use portcullis_guest::{testing, tool};

// Of a type by its own name, the macro knows better; see `compile_fail/disagreements.rs`.
type City = String;

#[tool]
fn forecast(#[range(1..)] city: City) -> String {
    city
}

#[test]
fn a_constraint_that_does_not_fit_the_type_is_told() {
    assert_eq!(
        testing::describe().unwrap_err(),
        "tool `forecast`: parameter `city`: `#[range(…)]` is for numbers, and the type is none"
    );
}
