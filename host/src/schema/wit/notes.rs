//! What is said about a type or a field beside what it is.
//!
//! Constraints narrow what a type allows and never widen it.

use serde_json::{Map, Number, Value};

/// Docs, and what WIT cannot say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// A name for people.
    pub title: Option<String>,
    /// For the model.
    pub description: Option<String>,
    /// What is meant when an argument is left out, in JSON as published.
    pub default: Option<Value>,
    /// Values as they may be, in JSON as published.
    pub examples: Vec<Value>,
    /// What values are allowed.
    pub constraints: Constraints,
}

/// Which of a type's values are allowed: the keywords of JSON Schema 2020-12 (validation,
/// section 6) that go with the type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constraints {
    /// The least number.
    pub minimum: Option<Number>,
    /// The greatest number.
    pub maximum: Option<Number>,
    /// A bound below every number.
    pub exclusive_minimum: Option<Number>,
    /// A bound above every number.
    pub exclusive_maximum: Option<Number>,
    /// What every number is a multiple of.
    pub multiple_of: Option<Number>,
    /// The least length of a string, in characters.
    pub min_length: Option<u64>,
    /// The greatest length of a string, in characters.
    pub max_length: Option<u64>,
    /// What every string has in it.
    pub pattern: Option<String>,
    /// What every string is, as `date-time`.
    pub format: Option<String>,
    /// The least number of elements of a list.
    pub min_items: Option<u64>,
    /// The greatest number of elements of a list.
    pub max_items: Option<u64>,
    /// Whether no element of a list is there twice.
    pub unique_items: bool,
    /// The least number of entries of a map.
    pub min_properties: Option<u64>,
    /// The greatest number of entries of a map.
    pub max_properties: Option<u64>,
}

impl Notes {
    /// Notes that are docs alone.
    #[must_use]
    pub fn of_docs(docs: Option<String>) -> Self {
        Self { description: docs, ..Self::default() }
    }

    /// Adds title, description and examples to a schema.
    pub(super) fn annotate(&self, schema: &mut Map<String, Value>) {
        for (keyword, text) in [("title", &self.title), ("description", &self.description)] {
            if let Some(text) = text {
                schema.insert(keyword.to_owned(), Value::String(text.clone()));
            }
        }
        if !self.examples.is_empty() {
            schema.insert("examples".to_owned(), Value::Array(self.examples.clone()));
        }
    }
}

impl Constraints {
    /// Whether everything is allowed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keywords().is_empty()
    }

    /// The keywords that say it.
    #[must_use]
    pub fn keywords(&self) -> Map<String, Value> {
        let number = |number: &Option<Number>| number.clone().map(Value::Number);
        let count = |count: Option<u64>| count.map(Value::from);
        let text = |text: &Option<String>| text.clone().map(Value::String);
        let keywords = [
            ("minimum", number(&self.minimum)),
            ("maximum", number(&self.maximum)),
            ("exclusiveMinimum", number(&self.exclusive_minimum)),
            ("exclusiveMaximum", number(&self.exclusive_maximum)),
            ("multipleOf", number(&self.multiple_of)),
            ("minLength", count(self.min_length)),
            ("maxLength", count(self.max_length)),
            ("pattern", text(&self.pattern)),
            ("format", text(&self.format)),
            ("minItems", count(self.min_items)),
            ("maxItems", count(self.max_items)),
            ("uniqueItems", self.unique_items.then_some(Value::Bool(true))),
            ("minProperties", count(self.min_properties)),
            ("maxProperties", count(self.max_properties)),
        ];
        let given = keywords.into_iter().filter_map(|(keyword, value)| Some((keyword, value?)));
        given.map(|(keyword, value)| (keyword.to_owned(), value)).collect()
    }
}
