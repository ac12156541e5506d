//! What the compiler says to an author who got something wrong.

#[test]
fn mistakes_are_told_with_what_to_do() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
