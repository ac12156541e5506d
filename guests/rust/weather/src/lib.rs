//! The tools that the documentation of structured output shows, one for each form that a result
//! can have.

mod described;

use indexmap::IndexMap;
use portcullis_guest::{Full, Json, Result, tool};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

const WHOLE_READINGS: [(&str, i64); 3] = [("London", 17), ("Cairo", 34), ("Reykjavik", 4)];
const READINGS: [(&str, f64); 3] = [("London", 16.2), ("Cairo", 34.1), ("Reykjavik", 4.4)];
const UPSTREAM: [(&str, &str); 1] =
    [("London", r#"{"temperature": 16.2, "conditions": "Overcast"}"#)];

#[derive(Serialize, JsonSchema)]
struct WeatherData {
    temperature: f64,
    humidity: f64,
    conditions: String,
}

impl WeatherData {
    fn overcast(temperature: f64) -> Self {
        Self { temperature, humidity: 0.83, conditions: "Overcast".to_owned() }
    }
}

/// Current temperature in a city, in whole degrees Celsius.
#[tool]
fn get_temperature(city: String) -> i64 {
    lookup(&WHOLE_READINGS, &city)
}

/// Current weather for a city.
#[tool]
fn get_weather(_city: String) -> described::WeatherData {
    described::WeatherData { temperature: 16.2, humidity: 0.83, conditions: "Overcast".to_owned() }
}

/// Current weather for a city.
#[tool]
fn get_weather_td(_city: String) -> WeatherData {
    WeatherData::overcast(16.2)
}

/// Current weather for a city.
#[tool]
fn get_weather_dc(_city: String) -> WeatherData {
    WeatherData::overcast(16.2)
}

/// Daily forecast for a city.
#[tool]
fn get_forecast(_city: String, days: i64) -> Vec<WeatherData> {
    (0..days).map(|day| WeatherData::overcast(16.2 + day as f64)).collect()
}

/// Current temperature for each city, in degrees Celsius.
#[tool]
fn get_temperatures(cities: Vec<String>) -> IndexMap<String, f64> {
    cities
        .into_iter()
        .map(|city| {
            let reading = lookup(&READINGS, &city);
            (city, reading)
        })
        .collect()
}

/// Current weather for a city.
#[tool]
fn get_weather_bad(city: String) -> Result<Json<WeatherData>> {
    let upstream = lookup(&UPSTREAM, &city);
    Ok(Json::parse(upstream)?)
}

/// A human-readable weather report for a city.
#[tool(content_only)]
fn weather_report(city: String) -> String {
    format!("{city}: 17 degrees, overcast, light rain easing by evening.")
}

/// Current weather for a city, with where the reading comes from.
#[tool]
fn get_weather_with_meta(city: String) -> Full<WeatherData> {
    Full::new(WeatherData::overcast(16.2))
        .meta("station", format!("{}-1", city.to_lowercase()))
        .meta("source", json!({ "name": "hourly", "age_minutes": 12 }))
}

fn lookup<T: Copy>(readings: &[(&str, T)], city: &str) -> T {
    match readings.iter().find(|(name, _)| *name == city) {
        Some((_, reading)) => *reading,
        None => panic!("no reading for {city}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_a_plain_function() {
        assert_eq!(get_temperature("London".to_owned()), 17);
    }

    #[test]
    fn temperatures_come_in_the_order_asked_for() {
        let cities = ["Reykjavik", "London"].map(str::to_owned).to_vec();
        let readings: Vec<_> = get_temperatures(cities).into_iter().collect();
        let expected =
            [("Reykjavik", 4.4), ("London", 16.2)].map(|(city, it)| (city.to_owned(), it));
        assert_eq!(readings, expected);
    }

    #[test]
    fn each_day_of_the_forecast_is_a_degree_warmer() {
        let forecast = get_forecast("London".to_owned(), 2);
        let temperatures: Vec<f64> = forecast.iter().map(|day| day.temperature).collect();
        assert_eq!(temperatures, [16.2, 17.2]);
    }

    #[test]
    fn upstream_says_nothing_of_humidity() {
        let answer = get_weather_bad("London".to_owned()).unwrap();
        assert_eq!(answer.value().get("humidity"), None);
    }
}
