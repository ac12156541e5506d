use portcullis_guest::tool;

#[tool]
fn unknown(#[minimum(1)] _days: u8) {}

#[tool]
fn range_of_one(#[range(1)] _days: u8) {}

#[tool]
fn endless(#[range(..)] _days: u8) {}

#[tool]
fn length_of_text(#[length("1")] _city: String) {}

#[tool]
fn pattern_of_a_number(#[pattern(1)] _city: String) {}

#[tool]
fn no_default(#[default()] _city: String) {}

#[tool]
fn one_name(_city: String, #[rename("city")] _town: String) {}

fn main() {}
