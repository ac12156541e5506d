//! How large the schema of arguments may be in OpenAI's strict mode.
//!
//! Other APIs refuse schemas that nest too deep as well, but do not say how deep that is.

use super::Client::OpenAi;
use super::places::{Part, Place, whether};
use super::rule::{Effect, Evidence, Rule, Source, degrades};

const LEVELS_MAX: usize = 10;
const PROPERTIES_MAX: usize = 5000;
const ENUM_VALUES_MAX: usize = 1000;

/// What OpenAI says of schemas in strict mode.
pub(super) const STRUCTURED_OUTPUTS: Source = Source::Page {
    title: "Structured model outputs (OpenAI)",
    address: "https://developers.openai.com/api/docs/guides/structured-outputs",
};

const DOCUMENTED: Evidence =
    Evidence { client: OpenAi, effect: Effect::Degrades, source: STRUCTURED_OUTPUTS };

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "strict-depth",
        says: "OpenAI's strict mode takes objects within objects to 10 levels; flatten the \
               arguments",
        evidence: &[DOCUMENTED, degrades(OpenAi, "openai/openai-java#732")],
        find: |definition| {
            let schemas = Part::Input.schemas(definition).into_iter();
            let deep = schemas.filter(|place| place.levels > LEVELS_MAX);
            deep.map(|place| place.pointer).take(1).collect()
        },
    },
    Rule {
        id: "strict-properties",
        says: "OpenAI's strict mode takes 5000 properties in all; take fewer",
        evidence: &[DOCUMENTED],
        find: |definition| {
            let schemas = Part::Input.schemas(definition);
            let properties = schemas.iter().filter(|place| place.under == Some("properties"));
            whether(properties.count() > PROPERTIES_MAX, Part::Input.pointer(&[]))
        },
    },
    Rule {
        id: "strict-enum-values",
        says: "OpenAI's strict mode takes 1000 values of `enum` in all; take a string, and list \
               the values by another tool",
        evidence: &[DOCUMENTED],
        find: |definition| {
            let schemas = Part::Input.schemas(definition);
            let values = |place: &Place| place.schema["enum"].as_array().map_or(0, Vec::len);
            let count: usize = schemas.iter().map(values).sum();
            whether(count > ENUM_VALUES_MAX, Part::Input.pointer(&[]))
        },
    },
];
