use portcullis_guest::{Full, tool};

/// Current temperature in a city, in whole degrees Celsius.
#[tool]
fn get_temperature(city: String) -> Full<i64> {
    Full::new(17).meta("station", format!("{city}-1"))
}
