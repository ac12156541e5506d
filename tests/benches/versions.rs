//! Versions of the components that are measured, which a client can tell apart by their
//! definitions and by what they give.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::generated::{numbered, section, weighted};
use crate::harness::{Server, moment, reaching, weather};

/// A component of which there are versions.
pub(crate) struct Versions {
    make: fn(u32) -> Vec<u8>,
    /// What it is granted, as a config says so.
    pub(crate) grants: &'static str,
    tool: fn(u32) -> String,
    arguments: fn() -> Value,
    /// What the content of a call is.
    says: fn(u32) -> String,
}

/// The weather guest, with other words in its data.
pub(crate) const WEATHER: Versions = Versions {
    make: |number| {
        static GUEST: LazyLock<Vec<u8>> =
            LazyLock::new(|| std::fs::read(weather()).expect("it was built"));
        let described = replaced(&GUEST, b"human-readable", format!("v {number:012}").as_bytes());
        replaced(&described, b"light rain", format!("{number:010}").as_bytes())
    },
    grants: "",
    tool: |_| "weather_report".to_owned(),
    arguments: || json!({ "city": "London" }),
    says: |number| format!("London: 17 degrees, overcast, {number:010} easing by evening."),
};

/// The guest of the tests that reaches for things, which has 200 KB; versions have other names for one
/// of its tools.
pub(crate) const REACHING: Versions = Versions {
    make: |number| {
        static GUEST: LazyLock<Vec<u8>> =
            LazyLock::new(|| std::fs::read(reaching()).expect("it was built"));
        let (from, to) = (b"hoard", format!("v{number:04}"));
        let mut bytes = GUEST.clone();
        let places = bytes.windows(from.len()).enumerate().filter(|(_, place)| place == from);
        let places: Vec<usize> = places.map(|(at, _)| at).collect();
        assert!(!places.is_empty(), "it has a tool of that name");
        for at in places {
            bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        }
        bytes
    },
    grants: "http = [\"api.example:443\"]",
    tool: |number| format!("v{number:04}"),
    arguments: || json!({ "count": 3 }),
    says: |_| "3".to_owned(),
};

/// 18 MB of functions, which are all compiled.
pub(crate) const LARGE: Versions = Versions {
    make: |number| large("version", number),
    grants: "",
    tool: |_| "version".to_owned(),
    arguments: || json!({}),
    says: |number| number.to_string(),
};

/// A component of one function, `name`, and 18 MB.
pub(crate) fn large(name: &str, number: u32) -> Vec<u8> {
    const FUNCTIONS: u32 = 9_000;
    const STEPS: u32 = 1_053_000;
    weighted(&numbered(name, number, &format!("Version {number}.")), FUNCTIONS, STEPS)
}

impl Versions {
    /// A version that is the same in every run.
    pub(crate) fn known(&self, number: u32) -> Vec<u8> {
        (self.make)(number)
    }

    /// A version that no run before has compiled.
    pub(crate) fn fresh(&self, number: u32) -> Vec<u8> {
        [self.known(number), section("moment", &moment())].concat()
    }

    /// Calls until the answer is that of a version.
    pub(crate) fn await_answer(&self, server: &mut Server, number: u32) {
        let expected = (self.says)(number);
        loop {
            let asked = json!({ "name": (self.tool)(number), "arguments": (self.arguments)() });
            let reply = server.request("tools/call", asked);
            if reply["result"]["content"][0]["text"] == expected {
                return;
            }
            // It has no such tool yet.
            let code = &reply["error"]["code"];
            assert!(code == -32602 || reply["result"]["isError"] == false, "{reply}");
        }
    }
}

/// `bytes` with other words in one place.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
    let [at] = places[..] else { panic!("it is there {} times", places.len()) };
    [&bytes[..at], to, &bytes[at + from.len()..]].concat()
}

/// That what is measured is what is meant.
pub(crate) fn megabytes(bytes: &[u8]) -> String {
    format!("{:.1} MB", bytes.len() as f64 / 1e6)
}
