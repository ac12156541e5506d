use portcullis_guest::tool;

struct Station;

#[derive(Clone, Copy, schemars::JsonSchema, serde::Deserialize)]
struct Window {
    days: u8,
}

#[tool]
fn of_a_struct(_station: Station) {}

#[tool]
fn of_a_reference(_city: &str) {}

#[tool]
fn with_a_default(#[default(Window { _days: 1 })] _window: Window) {}

#[tool]
fn with_a_default_of_another_type(#[default(1.5)] _days: u8) {}

fn main() {}
