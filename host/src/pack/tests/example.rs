//! The example of docs/overlay.md.

use serde_json::json;

use super::super::testing::{packed, tools};
use super::super::{SECTION, Said};

const PAGE: &str = include_str!("../../../../docs/overlay.md");

fn block(language: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn the_example_of_the_page_says_what_the_page_says() {
    let packed = packed(block("wit"), block("toml")).unwrap();
    let orders = "example:shop/orders@1.0.0";
    assert_eq!(packed.documented, ["send", "stock", "terms"].map(|n| format!("{orders}#{n}")));
    assert_eq!(packed.undocumented, [""; 0]);
    assert_eq!(packed.left_out, [format!("{orders}#reset")]);
    assert!(packed.refused.is_empty());
    let tools = tools(&packed.component);
    let digits = json!({"type": "string", "pattern": "^(0|[1-9][0-9]*)$"});
    let ids = &tools["send"]["input"]["$defs"]["Parcel"]["properties"]["previous_ids"];
    assert_eq!(ids["items"]["type"], digits["type"]);
    assert_eq!(ids["maxItems"], 10);
    assert_eq!(tools["send"]["title"], "Send a parcel");
    assert_eq!(tools["send"]["description"], "Sends a parcel.");
    assert_eq!(tools["send"]["hints"], json!([null, false, false, true]));
    assert_eq!(tools["send"]["output"]["type"], "string");
    assert_eq!(tools["send"]["output"]["description"], "The number of the shipment.");
    assert_eq!(
        tools["send"]["input"]["properties"]["days_ahead"],
        json!({
            "type": "integer",
            "minimum": 1,
            "maximum": 14,
            "title": "Days ahead",
            "description": "How many days from now.",
            "examples": [1, 7],
            "default": 1,
        })
    );
    let parcel = &tools["send"]["input"]["$defs"]["Parcel"];
    assert_eq!(parcel["description"], "Something to send.");
    assert_eq!(
        parcel["properties"]["code"],
        json!({
            "type": "string",
            "minLength": 6,
            "maxLength": 12,
            "pattern": "^[A-Z0-9]+$",
            "description": "What can be on a parcel's label.",
        })
    );
    assert_eq!(parcel["properties"]["grams"]["exclusiveMinimum"], 0);
    assert_eq!(parcel["properties"]["grams"]["maximum"], 30000);
    assert_eq!(parcel["properties"]["grams"]["description"], "What it weighs.");
    let speed = tools["send"]["input"]["$defs"]["Speed"]["description"].as_str().unwrap();
    for part in ["How a parcel travels.", "A week.", "A day."] {
        assert!(speed.contains(part), "{speed}");
    }
    assert_eq!(tools["stock"]["output"]["type"], "object");
    assert_eq!(tools["stock"]["output"]["maxProperties"], 500);
    assert_eq!(tools["stock"]["hints"], json!([true, null, null, null]));
    assert_eq!(tools["terms"]["output"], json!(null));
    assert_eq!(tools["terms"]["description"], "The terms of business, as text to read.");
    assert_eq!(tools["terms"]["input"].get("required"), None);
    assert!(tools.get("reset").is_none());
    let said = Said::read(&packed.component).unwrap().unwrap();
    assert_eq!((said.component.name.as_str(), said.component.version.as_str()), ("shop", "1.4.0"));
    assert_eq!(said.requires.count(), 5);
}

#[test]
fn the_page_names_the_section_and_every_key() {
    assert!(PAGE.contains(&format!("`{SECTION}`")));
    // Serde lists the keys that it knows when it meets another.
    for table in ["component", "requires", "functions.a", "functions.a.hints", "types.a"] {
        let error = toml::from_str::<Said>(&format!("[{table}]\nunknown = 1")).unwrap_err();
        let keys: Vec<&str> = error.message().split('`').skip(3).step_by(2).collect();
        assert!(keys.len() > 1, "{table}: {error}");
        for key in keys {
            let is_there = [format!("`{key}`"), format!("`{key}."), format!("{key}`")];
            assert!(is_there.iter().any(|shape| PAGE.contains(shape)), "{table}: {key}");
        }
    }
}
