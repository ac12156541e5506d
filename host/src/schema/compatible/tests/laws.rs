//! What holds for every pair of schemas and every value.

use std::cell::Cell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use super::{accepts_all_arguments_of, accepts_all_of, says_the_same};
use crate::schema::compatible::side::Side;
use crate::schema::compile::Engine;
use crate::schema::{Bounds, Input, Style};

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => prop::sample::subsequence(vec!["integer", "number", "string", "null", "boolean", "array", "object"], 1..4)
            .prop_map(|kinds| json!({"type": kinds})),
        2 => prop::sample::select(vec!["integer", "number", "string", "null", "boolean"]).prop_map(|kind| json!({"type": kind})),
        2 => prop::sample::subsequence(vec![json!("a"), json!("ab"), json!(1), json!(1.0), json!(0.5), json!(2), json!(null), json!(true), json!([1]), json!({"a": 1})], 1..4)
            .prop_map(|cases| json!({"enum": cases})),
        1 => prop::sample::select(vec![json!("a"), json!(1), json!({"a": "b"}), json!([1, 2])]).prop_map(|only| json!({"const": only})),
        2 => (bound(), -1i32..4).prop_map(|(keyword, bound)| json!({"type": "number", keyword: bound})),
        1 => (bound(), -1i32..4).prop_map(|(keyword, bound)| json!({keyword: f64::from(bound) / 2.0})),
        1 => (1i32..5).prop_map(|divisor| json!({"multipleOf": divisor})),
        1 => (0u8..3, 0u8..4).prop_map(|(least, most)| json!({"minLength": least, "maxLength": most})),
        1 => prop::sample::select(vec!["^a", "b"]).prop_map(|pattern| json!({"type": "string", "pattern": pattern})),
        1 => Just(json!({"format": "date"})),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(json!({})),
        3 => prop::sample::select(vec!["#/$defs/A", "#/$defs/B", "#"]).prop_map(|to| json!({"$ref": to})),
    ]
}

fn bound() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])
}

fn schema() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 20, 3, |inner| {
        let some = prop::collection::vec(inner.clone(), 1..3);
        let keys = prop::collection::btree_map("[abc]", inner.clone(), 0..3);
        let names = prop::sample::subsequence(vec!["a", "b", "c"], 0..3);
        let rest = prop::option::of(prop_oneof![Just(json!(false)), inner.clone()]);
        prop_oneof![
            3 => (keys.clone(), names.clone(), rest.clone()).prop_map(|(properties, required, rest)| with(json!({"properties": properties, "required": required}), "additionalProperties", rest)),
            1 => (keys.clone(), names.clone()).prop_map(|(properties, required)| json!({"type": "object", "properties": properties, "required": required})),
            1 => (inner.clone(), rest.clone()).prop_map(|(one, rest)| with(json!({"patternProperties": {"^a": one}}), "additionalProperties", rest)),
            1 => (inner.clone(), names.clone()).prop_map(|(one, names)| json!({"additionalProperties": one, "propertyNames": {"enum": names}})),
            1 => inner.clone().prop_map(|names| json!({"propertyNames": names})),
            1 => (0u8..3, 0u8..3).prop_map(|(least, most)| json!({"minProperties": least, "maxProperties": most, "minItems": least})),
            1 => names.prop_map(|names| json!({"dependentRequired": {"a": names}})),
            1 => inner.clone().prop_map(|one| json!({"dependentSchemas": {"a": one}})),
            2 => inner.clone().prop_map(|items| json!({"items": items})),
            2 => (some.clone(), rest).prop_map(|(prefix, rest)| with(json!({"prefixItems": prefix}), "items", rest)),
            1 => (inner.clone(), 0u8..3).prop_map(|(items, most)| json!({"items": items, "maxItems": most, "uniqueItems": true})),
            1 => (inner.clone(), 0u8..3).prop_map(|(one, least)| json!({"contains": one, "minContains": least})),
            2 => some.clone().prop_map(|arms| json!({"anyOf": arms})),
            2 => some.clone().prop_map(|arms| json!({"oneOf": arms})),
            2 => some.prop_map(|arms| json!({"allOf": arms})),
            1 => inner.clone().prop_map(|one| json!({"not": one})),
            1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| json!({"if": a, "then": b, "else": c})),
            1 => (keys, inner).prop_map(|(properties, rest)| json!({"allOf": [{"properties": properties}], "unevaluatedProperties": rest})),
        ]
    })
}

fn with(mut schema: Value, keyword: &str, operand: Option<Value>) -> Value {
    if let Some(operand) = operand {
        schema[keyword] = operand;
    }
    schema
}

fn document() -> impl Strategy<Value = Value> {
    (schema(), schema(), schema()).prop_map(|(root, a, b)| {
        let Value::Object(mut root) = root else { return root };
        let b = json!({"type": ["object", "null", "string"], "properties": {"a": b, "c": {"$ref": "#/$defs/A"}}});
        let a = json!({"type": ["array", "null", "integer"], "items": a});
        root.insert("$defs".to_owned(), json!({"A": a, "B": b}));
        Value::Object(root)
    })
}

/// What happens to the schema at some place in a document.
#[derive(Clone, Debug)]
enum Change {
    Drop(usize),
    Into(Value),
    Arm(Value),
    And(Value),
    Number(usize, i64),
    Property(Value),
    Require,
    Close,
    Reorder,
}

fn change() -> impl Strategy<Value = (usize, Change)> {
    let change = prop_oneof![
        2 => any::<usize>().prop_map(Change::Drop),
        1 => schema().prop_map(Change::Into),
        2 => schema().prop_map(Change::Arm),
        1 => schema().prop_map(Change::And),
        2 => (any::<usize>(), -2i64..3).prop_map(|(at, by)| Change::Number(at, by)),
        2 => schema().prop_map(Change::Property),
        1 => Just(Change::Require),
        1 => Just(Change::Close),
        1 => Just(Change::Reorder),
    ];
    (0usize..12, change)
}

fn changed(document: &Value, changes: &[(usize, Change)]) -> Value {
    let mut document = document.clone();
    for (at, change) in changes {
        let mut schemas = 0;
        crate::schema::walk::every_mut(&mut document, &mut |_| schemas += 1);
        let mut left = at % std::cmp::max(schemas, 1) + 1;
        crate::schema::walk::every_mut(&mut document, &mut |schema| {
            left = left.saturating_sub(1);
            if left == 0 {
                apply(schema, change);
                left = usize::MAX;
            }
        });
    }
    document
}

fn apply(schema: &mut Map<String, Value>, change: &Change) {
    let definitions = schema.shift_remove("$defs");
    let keywords: Vec<String> = schema.keys().cloned().collect();
    let nth = |at: usize| keywords.get(at % keywords.len().max(1)).cloned().unwrap_or_default();
    match change {
        Change::Drop(at) => drop(schema.shift_remove(&nth(*at))),
        Change::Into(other) => *schema = other.as_object().cloned().unwrap_or_default(),
        Change::Arm(arm) => {
            let whole = Value::Object(std::mem::take(schema));
            schema.insert("anyOf".to_owned(), json!([whole, arm]));
        }
        Change::And(other) => drop(schema.insert("allOf".to_owned(), json!([other]))),
        Change::Number(at, by) => {
            let numbers: Vec<_> = schema.values_mut().filter(|value| value.is_number()).collect();
            let count = numbers.len();
            if let Some(number) = numbers.into_iter().nth(at % count.max(1)) {
                *number = json!(number.as_f64().unwrap_or_default() as i64 + by.abs() + 1);
            }
        }
        Change::Property(property) => {
            let properties = schema.entry("properties").or_insert_with(|| json!({}));
            properties["n"] = property.clone();
        }
        Change::Require => drop(schema.insert("required".to_owned(), json!(["a", "b"]))),
        Change::Close => drop(schema.insert("additionalProperties".to_owned(), json!(false))),
        Change::Reorder => schema.values_mut().for_each(|value| {
            if let Value::Array(items) = value {
                items.reverse();
            }
        }),
    }
    if let Some(definitions) = definitions {
        schema.insert("$defs".to_owned(), definitions);
    }
}

fn pair() -> impl Strategy<Value = (Value, Value)> {
    let changes = prop::collection::vec(change(), 0..3);
    let changed = (document(), changes).prop_map(|(one, changes)| {
        let other = changed(&one, &changes);
        (one, other)
    });
    prop_oneof![4 => changed, 1 => (document(), document())]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        (-2i64..6).prop_map(|n| json!(n)),
        prop::sample::select(vec![0.5, 1.0, 1.5, 2.0]).prop_map(|n| json!(n)),
        prop::sample::select(vec!["", "a", "ab", "abc", "b", "2024-02-29"]).prop_map(|s| json!(s)),
        any::<bool>().prop_map(|b| json!(b)),
        Just(json!(null)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| json!(items)),
            prop::collection::btree_map("[abcn]", inner, 0..4).prop_map(|entries| json!(entries)),
        ]
    })
}

fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = default.cases.max(600);
    // A failing test writes nothing into the tree.
    ProptestConfig { cases, max_shrink_iters: 20_000, failure_persistence: None, ..default }
}

/// How often the law had something to say.
#[derive(Default)]
struct Tally {
    pairs: Cell<usize>,
    accepted: Cell<usize>,
    /// Values that both were asked about.
    values: Cell<usize>,
    /// Pairs that differ, where one of the two does not accept all of the other.
    strict: Cell<usize>,
}

fn count(cell: &Cell<usize>) {
    cell.set(cell.get() + 1);
}

#[test]
fn what_a_schema_accepts_is_accepted_by_one_that_accepts_all_of_it() {
    let (engine, tally) = (Engine::new(&Bounds::default()), Tally::default());
    let law = |((one, other), values): ((Value, Value), Vec<Value>)| {
        // Where it does not compile there is nothing to say, nor where it never ends.
        let compiled = [&one, &other].map(|schema| engine.compile(schema));
        let ends = [&one, &other].map(|schema| Side::read(schema).is_some());
        let ([Ok(of_one), Ok(of_other)], [true, true]) = (compiled, ends) else { return Ok(()) };
        count(&tally.pairs);
        let both = [(&one, &of_one, &other, &of_other), (&other, &of_other, &one, &of_one)];
        let answers = both.map(|(wide, _, narrow, _)| accepts_all_of(wide, narrow));
        if answers[0] != answers[1] {
            count(&tally.strict);
        }
        for ((wide, of_wide, narrow, of_narrow), accepts) in both.into_iter().zip(answers) {
            if !accepts {
                continue;
            }
            count(&tally.accepted);
            for value in values.iter().filter(|value| of_narrow.is_valid(value)) {
                count(&tally.values);
                prop_assert!(of_wide.is_valid(value), "{wide} accepts all of {narrow} but {value}");
            }
        }
        Ok(())
    };
    let strategy = (pair(), prop::collection::vec(value(), 24));
    TestRunner::new(config()).run(&strategy, law).unwrap();
    let Tally { pairs, accepted, values, strict } = tally;
    let (pairs, accepted, values, strict) =
        (pairs.get(), accepted.get(), values.get(), strict.get());
    let told = format!("{accepted} of 2 × {pairs} pairs, {strict} one way only, {values} values");
    assert!(
        pairs > 300 && accepted * 3 > pairs && strict * 12 > pairs && values > pairs * 2,
        "{told}"
    );
}

#[test]
fn arguments_that_were_accepted_are_accepted() {
    let tally = Tally::default();
    let object = |schema: Value| {
        let Value::Object(mut schema) = schema else { return json!({"properties": {"a": schema}}) };
        if schema.contains_key("properties") {
            schema.insert("type".to_owned(), json!("object"));
            return Value::Object(schema);
        }
        let definitions = schema.shift_remove("$defs");
        json!({"type": "object", "properties": {"a": schema}, "$defs": definitions})
    };
    let arguments = prop::collection::btree_map("[abcn]", value(), 0..4);
    let strategy = (pair(), prop::collection::vec(arguments, 16));
    let law = |((one, other), values): ((Value, Value), Vec<BTreeMap<String, Value>>)| {
        let (old, new) = (object(one), object(other));
        let load = |schema: &Value| {
            Input::load(&schema.to_string(), "t", Style::default(), &Bounds::default())
        };
        let (Ok(of_old), Ok(of_new)) = (load(&old), load(&new)) else { return Ok(()) };
        count(&tally.pairs);
        if !accepts_all_arguments_of(&new, &old) {
            return Ok(());
        }
        count(&tally.accepted);
        for value in values {
            let value: Map<String, Value> = value.into_iter().collect();
            // Nothing that was read as something else, which may be another thing now.
            let read = of_old.check(value.clone());
            if read.is_ok_and(|read| *read.as_map() == value) {
                count(&tally.values);
                prop_assert!(
                    of_new.check(value.clone()).is_ok(),
                    "{new} accepts all of {old} but {value:?}"
                );
            }
        }
        Ok(())
    };
    TestRunner::new(config()).run(&strategy, law).unwrap();
    let (pairs, accepted, values) = (tally.pairs.get(), tally.accepted.get(), tally.values.get());
    let told = format!("{accepted} of {pairs} pairs, {values} values");
    assert!(pairs > 300 && accepted * 4 > pairs && values > pairs / 2, "{told}");
}

proptest! {
    #[test]
    fn every_schema_accepts_itself_and_says_the_same(schema in document()) {
        if Side::read(&schema).is_some() {
            prop_assert!(accepts_all_of(&schema, &schema));
        }
        prop_assert!(says_the_same(&schema, &schema));
    }
}
