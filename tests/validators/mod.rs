//! The validators that clients have, against every schema that is derived from types: they accept
//! each without a warning, and agree about which values are valid.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::LazyLock;

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::{Map, Value as Json, json};

use crate::clients::{NodePackages, given, node_packages};
use crate::generated::Served;
use crate::golden;
use crate::harness::{checkout, note, python_environment, skipped};
use crate::laws;

/// Values of other types that each schema is asked about.
const OTHERS: usize = 4;

/// Makes a command that runs a validator, or says what this machine lacks for it.
type Validator = fn() -> Result<Command, String>;

pub(crate) fn trials() -> Vec<Trial> {
    let validators: [(&str, Validator); 2] = [("ajv", ajv), ("pythons_jsonschema", jsonschema)];
    let trials = validators.into_iter().map(|(name, validator)| {
        let test = format!("validators::{name}_accepts_what_we_derive_and_the_same_values");
        Trial::ignorable_test(test, move || match validator() {
            Ok(validator) => accepts_what_we_derive(name, validator),
            Err(why) => skipped(name, &why),
        })
    });
    trials.collect()
}

fn accepts_what_we_derive(name: &str, validator: Command) -> Result<Completion, Failed> {
    let cases = cases();
    let said = given(validator, &json!([cases.as_slice(), &[bad()]].concat()));
    let complaints: Vec<&str> =
        said.as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let (of_bad, complaints): (Vec<&str>, Vec<&str>) =
        complaints.into_iter().partition(|complaint| complaint.starts_with(BAD));
    assert!(!of_bad.is_empty(), "it complains of nothing");
    let first = complaints.iter().take(20).copied().collect::<Vec<_>>().join("\n");
    assert_eq!(complaints.len(), 0, "{first}");
    let values = |key: &str| -> usize {
        cases.iter().filter_map(|case| case[key].as_array()).map(Vec::len).sum()
    };
    note(format!(
        "validators: {name} accepts {} schemas, finds {} values valid and {} not",
        cases.len(),
        values("valid"),
        values("invalid")
    ));
    Ok(Completion::Completed)
}

/// The name of the case that a validator must complain of.
const BAD: &str = "bad";

fn bad() -> Json {
    let schema = json!({ "type": "integer", "format": "uint" });
    json!({ "name": BAD, "schema": schema, "valid": ["x"], "invalid": [] })
}

/// Every schema, with the values that leave or come under it, and with some of its neighbours'
/// that are not valid.
fn cases() -> Vec<Json> {
    let mut published: Vec<(String, &Json, Vec<Json>)> = Vec::new();
    let mut add = |definition: &'static Map<String, Json>, values: BTreeMap<&str, Vec<Json>>| {
        for (key, values) in values {
            if let Some(schema) = definition.get(key) {
                published.push((format!("{} {key}", definition["name"]), schema, values));
            }
        }
    };
    for echoes in laws::all() {
        for echo in &echoes.echoes {
            let cases = echo.cases();
            let arguments = cases.iter().map(|case| case.arguments.clone()).collect();
            let structured = cases.iter().map(|case| case.structured.clone()).collect();
            let values = [("inputSchema", arguments), ("outputSchema", structured)];
            add(echoes.served.definition(&echo.tool), BTreeMap::from(values));
        }
    }
    let weather = weather();
    for (tool, arguments, result) in &weather.calls {
        let structured = result.get("structuredContent").cloned().into_iter().collect();
        let values = [("inputSchema", vec![arguments.clone()]), ("outputSchema", structured)];
        add(weather.served.definition(tool), BTreeMap::from(values));
    }
    for ran in golden::typed() {
        let results = ran.results.iter();
        let structured = results.filter_map(|(_, result)| result.get("structuredContent")).cloned();
        let values = [("inputSchema", Vec::new()), ("outputSchema", structured.collect())];
        add(&ran.definition, BTreeMap::from(values));
    }
    let others: Vec<Json> = published.iter().flat_map(|(_, _, values)| values.clone()).collect();
    let mut others = others.iter().cycle();
    published
        .into_iter()
        .map(|(name, schema, valid)| {
            let ours = jsonschema::draft202012::new(schema).expect("it was compiled before");
            let others: Vec<&Json> = others.by_ref().take(OTHERS).collect();
            let invalid: Vec<&Json> =
                others.into_iter().filter(|value| !ours.is_valid(value)).collect();
            json!({ "name": name, "schema": schema, "valid": valid, "invalid": invalid })
        })
        .collect()
}

/// The weather component, whose schemas the Rust SDK derived, and what calls of it gave.
struct Weather {
    served: Served,
    calls: Vec<(&'static str, Json, Map<String, Json>)>,
}

fn weather() -> &'static Weather {
    static SERVED: LazyLock<Weather> = LazyLock::new(|| {
        let served = Served::file(crate::harness::weather(), |_| ());
        let london = || json!({ "city": "London" });
        let calls = [
            ("get_temperature", london()),
            ("get_weather", london()),
            ("get_weather_td", london()),
            ("get_weather_dc", london()),
            ("get_forecast", json!({ "city": "London", "days": 2 })),
            ("get_temperatures", json!({ "cities": ["London", "Cairo"] })),
            ("get_weather_bad", london()),
            ("weather_report", london()),
            ("get_weather_with_meta", london()),
        ];
        let calls = calls.map(|(tool, arguments)| {
            let result = served.call(tool, &arguments);
            (tool, arguments, result)
        });
        assert_eq!(served.definitions.len(), calls.len(), "every tool is called");
        Weather { calls: calls.to_vec(), served }
    });
    &SERVED
}

fn ajv() -> Result<Command, String> {
    let directory = node_packages(&NodePackages {
        directory: "validators-node",
        what: "ajv",
        files: &[
            ("package.json", include_str!("package.json")),
            ("package-lock.json", include_str!("package-lock.json")),
            ("ajv.mjs", include_str!("ajv.mjs")),
        ],
    })?;
    let mut node = Command::new("node");
    node.arg(directory.join("ajv.mjs"));
    Ok(node)
}

fn jsonschema() -> Result<Command, String> {
    let requirements = checkout().join("tests/validators/requirements.txt");
    let mut python =
        Command::new(python_environment("validators-python", "jsonschema", &requirements)?);
    python.arg("-I").arg(checkout().join("tests/validators/validate.py"));
    Ok(python)
}
