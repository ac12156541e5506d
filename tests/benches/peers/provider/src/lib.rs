//! The tools that are measured, with the SDK.

use portcullis_guest::{Bytes, tool};
use schemars::JsonSchema;
use serde::Serialize;

/// A reading.
#[derive(Serialize, JsonSchema)]
struct Reading {
    station: String,
    celsius: f64,
    humidity: u32,
    is_fresh: bool,
}

fn reading(number: u32) -> Reading {
    Reading {
        station: format!("station-{number}"),
        celsius: f64::from(number % 40) + 0.5,
        humidity: number % 100,
        is_fresh: number.is_multiple_of(2),
    }
}

/// The sum of two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// One reading.
#[tool]
fn record(number: u32) -> Reading {
    reading(number)
}

/// So many readings.
#[tool]
fn records(count: u32) -> Vec<Reading> {
    (0..count).map(reading).collect()
}

/// So many letters.
#[tool]
fn text(count: u32) -> String {
    "x".repeat(count as usize)
}

/// So many bytes.
#[tool]
fn bytes(count: u32) -> Bytes {
    Bytes::from(vec![7; count as usize])
}
