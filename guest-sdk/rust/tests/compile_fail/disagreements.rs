use portcullis_guest::tool;

#[tool]
fn quoted_number(#[default("3")] _days: u32) {}

#[tool]
fn quoted_word(#[default("three")] _days: f64) {}

#[tool]
fn quoted_flag(#[default("false")] _verbose: bool) {}

#[tool]
fn range_of_text(#[range(1..=80)] _city: String) {}

#[tool]
fn range_of_words(#[range("a"..)] _days: u32) {}

#[tool]
fn range_of_fractions(#[range(0.5..)] _days: u32) {}

#[tool]
fn length_of_a_number(#[length(1..)] _days: u32) {}

#[tool]
fn pattern_of_a_flag(#[pattern("^t")] _verbose: bool) {}

#[tool]
fn default_out_of_range(
    #[default(20)]
    #[range(1..=14)]
    _days: u32,
) {
}

#[tool]
fn default_too_long(
    #[default("London")]
    #[length(..6)]
    _city: String,
) {
}

#[tool]
fn empty_range(#[range(14..=1)] _days: u32) {}

#[tool]
fn empty_length(#[length(5..5)] _cities: Vec<String>) {}

#[tool]
fn wider_than_the_type(#[range(0..=300)] _days: u8) {}

#[tool]
fn below_the_type(#[range(-1..)] _days: u8) {}

fn main() {}
