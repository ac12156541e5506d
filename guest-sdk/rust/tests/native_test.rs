use portcullis_guest::{testing, tool};
use serde_json::json;

/// Current temperature in a city, in whole degrees Celsius.
#[tool]
fn get_temperature(city: String) -> i64 {
    if city == "London" { 17 } else { 34 }
}

#[test]
fn a_tool_as_a_host_sees_it() {
    let component = testing::describe().unwrap();
    assert_eq!(component["tools"][0]["input_schema"]["required"], json!(["city"]));

    let outcome = testing::call("get_temperature", json!({ "city": "London" })).unwrap();
    assert_eq!(outcome, json!({ "value": 17 }));
}
