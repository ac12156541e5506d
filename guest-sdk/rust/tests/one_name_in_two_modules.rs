//! Two tools of one name that no single module sees.

use portcullis_guest::{testing, tool};

#[tool]
fn get_weather() {}

mod described {
    #[portcullis_guest::tool]
    fn Get_Weather() {}
}

#[test]
fn the_description_fails_and_names_both() {
    assert_eq!(
        testing::describe().unwrap_err(),
        "two tools are named `Get_Weather`, in one_name_in_two_modules (line 5) and in \
         one_name_in_two_modules::described (line 9): \
         write `#[tool(name = \"…\")]` on one of them"
    );
}
