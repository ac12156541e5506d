use portcullis_guest::tool;

struct Station;

#[derive(Clone, Copy, schemars::JsonSchema, serde::Deserialize)]
struct Window {
    days: u8,
}

#[tool]
fn of_a_struct(station: Station) {}

#[tool]
fn of_a_reference(city: &str) {}

#[tool]
fn with_a_default(#[default(Window { days: 1 })] window: Window) {}

#[tool]
fn with_a_default_of_another_type(#[default(1.5)] days: u8) {}

fn main() {}
