//! From types to JSON Schema 2020-12, in the subset that strict clients accept.
//!
//! A schema is of the value itself; wrapping, titles and the place of `$defs` are the
//! normaliser's. Every named type is defined once and referred to.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::definitions::describe;
use super::keys::Key;
use super::{
    Alias, Case, Constraints, Either, Entry, Function, Integer, Label, Named, Type, Written,
    scalars,
};

/// The schema of a function's arguments: an object with a property for every parameter. An
/// option, and what has a default, may be left out.
#[must_use]
pub fn input_schema(function: &Function) -> Json {
    let mut publisher = Publisher::new(Direction::In);
    let schema = publisher.object(&function.parameters);
    publisher.finish(schema)
}

/// The schema of the value that a function gives; no result is null.
#[must_use]
pub fn output_schema(function: &Function) -> Json {
    let mut publisher = Publisher::new(Direction::Out);
    let schema = match function.value() {
        Some(ty) => {
            let mut schema = publisher.schema(ty);
            constrain(&mut schema, ty, &function.value_notes.constraints);
            function.value_notes.annotate(&mut schema);
            schema
        }
        None => object([("type", json!("null"))]),
    };
    publisher.finish(schema)
}

/// Which way values go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Into the component: fields may be left out.
    In,
    /// Out of it: every field is written.
    Out,
}

pub(super) struct Publisher {
    pub(super) direction: Direction,
    /// By published name.
    pub(super) definitions: Map<String, Json>,
    pub(super) names: Vec<(Arc<Named>, String)>,
}

impl Publisher {
    fn new(direction: Direction) -> Self {
        Self { direction, definitions: Map::new(), names: Vec::new() }
    }

    fn finish(self, mut schema: Map<String, Json>) -> Json {
        if !self.definitions.is_empty() {
            schema.insert("$defs".to_owned(), Json::Object(self.definitions));
        }
        Json::Object(schema)
    }

    pub(super) fn schema(&mut self, ty: &Type) -> Map<String, Json> {
        match ty {
            Type::Bool => object([("type", json!("boolean"))]),
            Type::String => object([("type", json!("string"))]),
            Type::Char => {
                let one = json!(1);
                object([("type", json!("string")), ("minLength", one.clone()), ("maxLength", one)])
            }
            Type::Integer(integer, written) => integer_schema(*integer, *written),
            Type::F32 | Type::F64 => object([("type", json!("number"))]),
            Type::Bytes => {
                object([("type", json!("string")), ("contentEncoding", json!("base64"))])
            }
            Type::List(element) => self.list(element),
            Type::FixedList(element, length) => {
                let mut schema = self.list(element);
                schema.insert("minItems".to_owned(), json!(length));
                schema.insert("maxItems".to_owned(), json!(length));
                schema
            }
            Type::Map(entry) | Type::Pairs(entry) => self.map(entry),
            Type::Tuple(elements) => self.tuple(elements),
            Type::Option(inner) => self.option(inner),
            Type::Result(either) => self.result(either),
            Type::Named(named) => self.reference(named),
            Type::Alias(alias) => self.alias(alias),
        }
    }

    fn list(&mut self, element: &Type) -> Map<String, Json> {
        let items = Json::Object(self.schema(element));
        object([("type", json!("array")), ("items", items)])
    }

    /// `items` says what the elements are to readers that do not know `prefixItems`.
    fn tuple(&mut self, elements: &[Type]) -> Map<String, Json> {
        let schemas: Vec<Json> = elements.iter().map(|ty| Json::Object(self.schema(ty))).collect();
        let mut arms: Vec<&Json> = Vec::new();
        for schema in &schemas {
            if !arms.contains(&schema) {
                arms.push(schema);
            }
        }
        let items = json!({ "anyOf": arms });
        object([
            ("type", json!("array")),
            ("minItems", json!(elements.len())),
            ("maxItems", json!(elements.len())),
            ("prefixItems", Json::Array(schemas)),
            ("items", items),
        ])
    }

    fn map(&mut self, entry: &Entry) -> Map<String, Json> {
        let key = Key::of(&entry.key);
        if !key.is_scalar() {
            let pair = self.tuple(&[entry.key.clone(), entry.value.clone()]);
            return object([("type", json!("array")), ("items", Json::Object(pair))]);
        }
        let values = Json::Object(self.schema(&entry.value));
        let mut schema = object([("type", json!("object")), ("additionalProperties", values)]);
        if let Some(names) = self.property_names(key, &entry.key) {
            schema.insert("propertyNames".to_owned(), Json::Object(names));
        }
        schema
    }

    fn property_names(&mut self, key: Key<'_>, ty: &Type) -> Option<Map<String, Json>> {
        if let (Key::Enum(_), Type::Named(named)) = (key, ty.plain()) {
            return Some(self.reference(named));
        }
        let mut names = key.names().unwrap_or_default();
        if key == Key::Text {
            names.extend(constraints_of(ty).into_iter().flat_map(Constraints::keywords));
        }
        (!names.is_empty()).then_some(names)
    }

    /// An option of an option says which of the two is none.
    fn option(&mut self, inner: &Type) -> Map<String, Json> {
        let schema = Json::Object(self.schema(inner));
        let some = if inner.is_option() { tagged("some", schema) } else { schema };
        object([("anyOf", json!([some, {"type": "null"}]))])
    }

    fn result(&mut self, either: &Either) -> Map<String, Json> {
        let case = |name: &str, payload: &Option<Type>| Case {
            name: name.to_owned(),
            payload: payload.clone(),
            docs: None,
        };
        self.union(&[case("ok", &either.ok), case("err", &either.err)])
    }

    /// One arm for each case with a payload, and one for all that have none.
    pub(super) fn union(&mut self, cases: &[Case]) -> Map<String, Json> {
        let bare: Vec<Label> = cases
            .iter()
            .filter(|case| case.payload.is_none())
            .map(|case| Label { name: case.name.clone(), docs: case.docs.clone() })
            .collect();
        let mut arms = Vec::new();
        let mut bare = (!bare.is_empty()).then_some(bare);
        for case in cases {
            match &case.payload {
                Some(payload) => {
                    let payload = Json::Object(self.schema(payload));
                    let mut arm = tagged(&case.name, payload);
                    if let (Some(docs), Json::Object(arm)) = (&case.docs, &mut arm) {
                        arm.insert("description".to_owned(), json!(docs));
                    }
                    arms.push(arm);
                }
                None => arms.extend(bare.take().map(|labels| {
                    let mut arm = one_of(&labels);
                    describe(&mut arm, None, &labels);
                    Json::Object(arm)
                })),
            }
        }
        object([("oneOf", Json::Array(arms))])
    }

    fn alias(&mut self, alias: &Alias) -> Map<String, Json> {
        let mut schema = self.schema(&alias.ty);
        constrain(&mut schema, &alias.ty, &alias.notes.constraints);
        alias.notes.annotate(&mut schema);
        schema
    }
}

/// Puts constraints where the value is: of an option, on the value that there may be.
pub(super) fn constrain(schema: &mut Map<String, Json>, ty: &Type, constraints: &Constraints) {
    match ty.plain() {
        Type::Option(inner) if !inner.is_option() => {
            let arm = schema.get_mut("anyOf").and_then(|arms| arms.get_mut(0));
            if let Some(Json::Object(arm)) = arm {
                constrain(arm, inner, constraints);
            }
        }
        _value => schema.extend(constraints.keywords()),
    }
}

/// The constraints of the aliases of a type, the inner ones first.
fn constraints_of(ty: &Type) -> Vec<&Constraints> {
    let mut found = Vec::new();
    let mut ty = ty;
    while let Type::Alias(alias) = ty {
        found.push(&alias.notes.constraints);
        ty = &alias.ty;
    }
    found.reverse();
    found
}

fn integer_schema(integer: Integer, written: Written) -> Map<String, Json> {
    if written.is_text() {
        let pattern = scalars::integer_pattern(integer);
        return object([("type", json!("string")), ("pattern", json!(pattern))]);
    }
    let (minimum, maximum) = integer.range();
    // Neither is beyond what JSON's integers are read as.
    let number =
        |n: i128| i64::try_from(n).map_or_else(|_| json!(n.unsigned_abs() as u64), Json::from);
    object([("type", json!("integer")), ("minimum", number(minimum)), ("maximum", number(maximum))])
}

pub(super) fn one_of(labels: &[Label]) -> Map<String, Json> {
    let names: Vec<&str> = labels.iter().map(|label| label.name.as_str()).collect();
    object([("type", json!("string")), ("enum", json!(names))])
}

/// An object with one property, which says which case the payload is of.
fn tagged(case: &str, payload: Json) -> Json {
    json!({
        "type": "object",
        "properties": { case: payload },
        "required": [case],
        "additionalProperties": false,
    })
}

pub(super) fn object<const N: usize>(keywords: [(&str, Json); N]) -> Map<String, Json> {
    keywords.into_iter().map(|(keyword, value)| (keyword.to_owned(), value)).collect()
}
