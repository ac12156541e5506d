use portcullis_guest::tool;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
struct WeatherData {
    /// Degrees Celsius.
    temperature: f64,
    /// Relative humidity, 0 to 1.
    humidity: f64,
    conditions: String,
}

/// Daily forecast for a city.
#[tool(read_only)]
fn get_forecast(
    /// The city's English name.
    city: String,
    #[default(3)]
    #[range(1..=14)]
    days: u32,
) -> Result<Vec<WeatherData>, String> {
    if city != "London" {
        return Err(format!("no station in {city}"));
    }
    let day = |day| WeatherData {
        temperature: 16.2 + f64::from(day),
        humidity: 0.83,
        conditions: "Overcast".to_owned(),
    };
    Ok((0..days).map(day).collect())
}

#[test]
fn its_signature_is_its_contract() {
    // It is a function like any other.
    assert_eq!(get_forecast("London".to_owned(), 2).unwrap().len(), 2);

    // And its signature is the contract that the host publishes and keeps.
    let tool = &portcullis_guest::testing::describe().unwrap()["tools"][0];
    assert_eq!(tool["description"], "Daily forecast for a city.");
    assert_eq!(
        tool["input_schema"],
        serde_json::json!({
            "type": "object",
            "properties": {
                "city": { "type": "string", "description": "The city's English name." },
                "days": { "type": "integer", "minimum": 1, "maximum": 14, "default": 3 },
            },
            "required": ["city"],
        })
    );
    assert_eq!(tool["output_schema"]["type"], "array");
}
