use portcullis_guest::{Json, Result, tool};

#[derive(schemars::JsonSchema)]
struct Reading {
    temperature: f64,
    humidity: f64,
}

/// The station's last reading.
#[tool]
fn last_reading() -> Result<Json<Reading>> {
    let upstream = r#"{"temperature": 16.2}"#;
    Ok(Json::parse(upstream)?) // the host finds that humidity is missing
}
