//! What holds for every type and every value.
//!
//! The schemas are checked by the validator itself, and by the contract that results go through.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};

use super::testing::function_of;
use super::*;
use crate::schema::{Bounds, Input, Output, Style};

/// Levels of types within types.
const DEPTH: u32 = 4;

fn leaf() -> impl Strategy<Value = Type> {
    let integers = [
        Integer::S8,
        Integer::S16,
        Integer::S32,
        Integer::S64,
        Integer::U8,
        Integer::U16,
        Integer::U32,
        Integer::U64,
    ];
    let integer = (proptest::sample::select(integers.to_vec()), any::<bool>()).prop_map(
        |(integer, as_text)| {
            let is_text = as_text && integer.is_large();
            Type::Integer(integer, if is_text { Written::Text } else { Written::Number })
        },
    );
    let plain = [Type::Bool, Type::Char, Type::String, Type::F32, Type::F64, Type::Bytes].to_vec();
    prop_oneof![
        proptest::sample::select(plain),
        integer,
        labels().prop_map(|labels| named(Definition::Enum(labels))),
        labels().prop_map(|labels| named(Definition::Flags(labels))),
    ]
}

fn labels() -> impl Strategy<Value = Vec<Label>> {
    let label = |index| Label { name: format!("case-{index}"), docs: None };
    (1..6_usize).prop_map(move |count| (0..count).map(label).collect())
}

/// Names repeat, as they do across interfaces.
fn named(definition: Definition) -> Type {
    let wit_name = match &definition {
        Definition::Record(fields) => format!("record-{}", fields.len()),
        Definition::Variant(_) => "choice".to_owned(),
        Definition::Enum(_) | Definition::Flags(_) => "labels".to_owned(),
    };
    let interface = Some("things".to_owned());
    Type::Named(Arc::new(Named { wit_name, interface, notes: Notes::default(), definition }))
}

fn inner_types(inner: BoxedStrategy<Type>) -> BoxedStrategy<Type> {
    let entry =
        (inner.clone(), inner.clone()).prop_map(|(key, value)| Arc::new(Entry { key, value }));
    let maybe = proptest::option::of(inner.clone());
    prop_oneof![
        inner.clone().prop_map(list_of),
        (inner.clone(), 0..3_u32).prop_map(|(ty, length)| Type::FixedList(Arc::new(ty), length)),
        entry.clone().prop_map(Type::Pairs),
        entry.prop_map(Type::Map),
        vec(inner.clone(), 1..4).prop_map(|types| Type::Tuple(types.into())),
        inner.clone().prop_map(|ty| Type::Option(Arc::new(ty))),
        (maybe.clone(), maybe.clone())
            .prop_map(|(ok, err)| Type::Result(Arc::new(Either { ok, err }))),
        vec(inner.clone(), 1..4).prop_map(|types| named(Definition::Record(fields(types)))),
        vec(maybe, 1..4).prop_map(|payloads| named(Definition::Variant(cases(payloads)))),
        inner.prop_map(|ty| Type::Alias(Arc::new(Alias {
            wit_name: "other-name".to_owned(),
            interface: None,
            notes: Notes::of_docs(Some("Docs.".to_owned())),
            ty,
        }))),
    ]
    .boxed()
}

/// As it is read: bytes are not a list.
fn list_of(element: Type) -> Type {
    match element.plain() {
        Type::Integer(Integer::U8, _) => Type::Bytes,
        _other => Type::List(Arc::new(element)),
    }
}

fn fields(types: Vec<Type>) -> Vec<Field> {
    let field = |(index, ty)| Field {
        wit_name: format!("field-{index}"),
        name: format!("field_{index}"),
        ty,
        notes: Notes::default(),
    };
    types.into_iter().enumerate().map(field).collect()
}

fn cases(payloads: Vec<Option<Type>>) -> Vec<Case> {
    let case = |(index, payload)| Case { name: format!("case-{index}"), payload, docs: None };
    payloads.into_iter().enumerate().map(case).collect()
}

fn types() -> impl Strategy<Value = Type> {
    leaf().prop_recursive(DEPTH, 24, 4, |inner| inner_types(inner.boxed()))
}

fn values(ty: &Type) -> BoxedStrategy<Value> {
    match ty.plain() {
        Type::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Type::Char => any::<char>().prop_map(Value::Char).boxed(),
        Type::String => any::<String>().prop_map(Value::String).boxed(),
        Type::Integer(integer, _) => integers(*integer),
        Type::F32 => {
            any::<f32>().prop_filter("finite", |n| n.is_finite()).prop_map(Value::F32).boxed()
        }
        Type::F64 => {
            any::<f64>().prop_filter("finite", |n| n.is_finite()).prop_map(Value::F64).boxed()
        }
        Type::Bytes => vec(any::<u8>(), 0..9).prop_map(Value::Bytes).boxed(),
        Type::List(element) => vec(values(element), 0..4).prop_map(Value::List).boxed(),
        Type::FixedList(element, length) => {
            vec(values(element), *length as usize).prop_map(Value::FixedList).boxed()
        }
        Type::Map(entry) => entries(entry).prop_map(Value::Map).boxed(),
        Type::Pairs(entry) => entries(entry)
            .prop_map(|entries| {
                let pairs =
                    entries.into_iter().map(|(key, value)| Value::Tuple([key, value].into()));
                Value::List(pairs.collect())
            })
            .boxed(),
        Type::Tuple(types) => {
            types.iter().map(values).collect::<Vec<_>>().prop_map(Value::Tuple).boxed()
        }
        Type::Option(inner) => proptest::option::of(values(inner))
            .prop_map(|value| Value::Option(value.map(Box::new)))
            .boxed(),
        Type::Result(either) => prop_oneof![
            payloads(&either.ok).prop_map(|ok| Value::Result(Ok(ok))),
            payloads(&either.err).prop_map(|err| Value::Result(Err(err))),
        ]
        .boxed(),
        Type::Named(named) => of_named(&named.definition),
        Type::Alias(_) => unreachable!("it is plain"),
    }
}

fn integers(integer: Integer) -> BoxedStrategy<Value> {
    let (least, greatest) = integer.range();
    let edges = proptest::sample::select(vec![least, greatest, 0, 1]);
    let number = prop_oneof![edges, least..=greatest];
    number.prop_map(move |n| Value::of_integer(integer, n).unwrap()).boxed()
}

fn payloads(ty: &Option<Type>) -> BoxedStrategy<Option<Box<Value>>> {
    match ty {
        Some(ty) => values(ty).prop_map(|value| Some(Box::new(value))).boxed(),
        None => Just(None).boxed(),
    }
}

/// No key is there twice.
fn entries(entry: &Entry) -> impl Strategy<Value = Vec<(Value, Value)>> + use<> {
    let key = entry.key.clone();
    vec((values(&entry.key), values(&entry.value)), 0..4).prop_map(move |mut entries| {
        let mut seen = std::collections::HashSet::new();
        entries.retain(|(found, _)| seen.insert(encode(&key, found).unwrap()));
        entries
    })
}

fn of_named(definition: &Definition) -> BoxedStrategy<Value> {
    match definition {
        Definition::Record(fields) => {
            let names: Vec<String> = fields.iter().map(|field| field.wit_name.clone()).collect();
            let fields: Vec<_> = fields.iter().map(|field| values(&field.ty)).collect();
            fields
                .prop_map(move |values| Value::Record(names.iter().cloned().zip(values).collect()))
                .boxed()
        }
        Definition::Variant(cases) => {
            let case = |case: &Case| {
                let name = case.name.clone();
                payloads(&case.payload)
                    .prop_map(move |payload| Value::Variant(name.clone(), payload))
                    .boxed()
            };
            let cases: Vec<_> = cases.iter().map(case).collect();
            proptest::strategy::Union::new(cases).boxed()
        }
        Definition::Enum(labels) => {
            let names: Vec<String> = labels.iter().map(|label| label.name.clone()).collect();
            proptest::sample::select(names).prop_map(Value::Enum).boxed()
        }
        Definition::Flags(labels) => {
            let names: Vec<String> = labels.iter().map(|label| label.name.clone()).collect();
            let count = names.len();
            proptest::sample::subsequence(names, 0..=count).prop_map(Value::Flags).boxed()
        }
    }
}

fn typed_values() -> impl Strategy<Value = (Type, Value)> {
    types().prop_flat_map(|ty| {
        let values = values(&ty);
        (Just(ty), values)
    })
}

fn validator(schema: &Json) -> jsonschema::Validator {
    jsonschema::options().with_draft(jsonschema::Draft::Draft202012).build(schema).unwrap()
}

/// As told apart by their bits: `-0.0` is not `0.0`.
fn same(one: &Value, other: &Value) -> bool {
    format!("{one:?}") == format!("{other:?}")
}

/// Wide enough for whatever is generated.
fn bounds() -> Bounds {
    Bounds {
        schema_bytes_max: 4 << 20,
        published_bytes_max: 8 << 20,
        subschemas_max: 1 << 16,
        expansion_max: 1 << 16,
        ..Bounds::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_leaves_validates_and_comes_back((ty, value) in typed_values()) {
        let text = encode(&ty, &value).unwrap();
        let json: Json = serde_json::from_str(&text).unwrap();
        let schema = output_schema(&function_of(&ty));
        prop_assert!(validator(&schema).is_valid(&json), "{text} of {schema}");
        let decoded = decode(&ty, &json, "x").unwrap();
        prop_assert!(same(&decoded, &value), "{decoded:?} of {text}");
        // Nothing was lost on the way through the JSON that clients see.
        prop_assert_eq!(encode(&ty, &decoded).unwrap(), json.to_string());
    }

    #[test]
    fn results_pass_the_published_contract((ty, value) in typed_values()) {
        let function = function_of(&ty);
        let schema = output_schema(&function).to_string();
        let output = Output::load(&schema, "f", Style::default(), &bounds()).unwrap();
        let text = encode(&ty, &value).unwrap();
        let verified = output.verify(&text).map_err(|error| error.to_string()).unwrap();
        prop_assert_eq!(verified.json(), &text);
        let streamed = output.read(&text);
        if output.stream().is_some() {
            prop_assert_eq!(streamed, Some(verified), "{} of {}", text, schema);
        } else {
            prop_assert!(false, "no tree: {}", schema);
        }
    }

    #[test]
    fn arguments_pass_the_published_contract((ty, value) in typed_values()) {
        let function = function_of(&ty);
        let schema = input_schema(&function).to_string();
        let input = Input::load(&schema, "f", Style::default(), &bounds()).unwrap();
        let json: Json = serde_json::from_str(&encode(&ty, &value).unwrap()).unwrap();
        let arguments = Map::from_iter([("x".to_owned(), json)]);
        let arguments = input.check(arguments).map_err(|error| error.to_string()).unwrap();
        let decoded = decode_arguments(&function, arguments.as_map(), "x").unwrap();
        prop_assert!(same(&decoded[0], &value), "{decoded:?}");
    }

    #[test]
    fn any_json_is_decoded_or_refused_with_a_place(
        (ty, (_, other)) in (types(), typed_values_of_any()),
    ) {
        if let Ok(decoded) = decode(&ty, &other, "x") {
            prop_assert!(encode(&ty, &decoded).is_ok());
        }
    }
}

/// Values of another type, as JSON.
fn typed_values_of_any() -> impl Strategy<Value = (Type, Json)> {
    typed_values().prop_map(|(ty, value)| {
        let json = encode(&ty, &value).unwrap();
        (ty, serde_json::from_str(&json).unwrap_or(json!(null)))
    })
}
