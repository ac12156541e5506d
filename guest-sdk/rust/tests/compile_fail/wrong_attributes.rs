use portcullis_guest::tool;

#[tool]
fn unknown(#[minimum(1)] days: u8) {}

#[tool]
fn range_of_one(#[range(1)] days: u8) {}

#[tool]
fn endless(#[range(..)] days: u8) {}

#[tool]
fn length_of_text(#[length("1")] city: String) {}

#[tool]
fn pattern_of_a_number(#[pattern(1)] city: String) {}

#[tool]
fn no_default(#[default()] city: String) {}

#[tool]
fn one_name(city: String, #[rename("city")] town: String) {}

fn main() {}
