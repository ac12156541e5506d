//! The tools that are measured, as plain functions.

#![cfg(target_family = "wasm")]

wit_bindgen::generate!({
    inline: "
        package bench:plain;
        interface tools {
            record reading { station: string, celsius: f64, humidity: u32, is-fresh: bool }
            add: func(a: s64, b: s64) -> s64;
            %record: func(number: u32) -> reading;
            records: func(count: u32) -> list<reading>;
            text: func(count: u32) -> string;
            bytes: func(count: u32) -> list<u8>;
        }
        world plain { export tools; }
    ",
});

use exports::bench::plain::tools::{Guest, Reading};

struct Plain;

export!(Plain);

impl Guest for Plain {
    fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    fn record(number: u32) -> Reading {
        Reading {
            station: format!("station-{number}"),
            celsius: f64::from(number % 40) + 0.5,
            humidity: number % 100,
            is_fresh: number.is_multiple_of(2),
        }
    }

    fn records(count: u32) -> Vec<Reading> {
        (0..count).map(Self::record).collect()
    }

    fn text(count: u32) -> String {
        "x".repeat(count as usize)
    }

    fn bytes(count: u32) -> Vec<u8> {
        vec![7; count as usize]
    }
}
