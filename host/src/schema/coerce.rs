//! Arguments as models write them.
//!
//! Nothing is changed but as rules I1 to I5 have it, nothing that fits as it is, and no number
//! ever to one that is not exactly the same.

use serde_json::{Map, Value};

use super::contract::Contract;
use super::evaluate::{Evaluator, Manner};
use super::kinds::Kinds;
use super::mismatch::Problem;
use super::{decimal, json, references};

/// Schemas that are looked at for one set of arguments.
const STEPS_MAX: usize = 10_000;
/// Schemas that are looked at within one another, as each takes its part of the stack.
const LEVELS_MAX: usize = 96;

/// Whether a value holds a float that may stand for an integer.
pub(super) fn has_whole_float(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            number.is_f64() && number.as_f64().is_some_and(|float| float.fract() == 0.0)
        }
        Value::Array(items) => items.iter().any(has_whole_float),
        Value::Object(entries) => entries.values().any(has_whole_float),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

/// Reads `arguments`, an object, by the schema. The problems are numbers that could be read in
/// more than one way.
pub(super) fn coerce(contract: &Contract, arguments: Value) -> (Value, Vec<Problem>) {
    let evaluator = contract.evaluator(Manner::Lenient);
    let mut coercion =
        Coercion { evaluator, steps: 0, levels: 0, path: Vec::new(), problems: Vec::new() };
    let root = contract.schema();
    let Value::Object(arguments) = arguments else { return (arguments, Vec::new()) };
    let read = arguments.into_iter().map(|(name, value)| {
        let value = match property(root, &name) {
            Some(schema) => coercion.at(name.clone(), |this| this.parameter(schema, value)),
            None => value,
        };
        (name, value)
    });
    let mut value = Value::Object(read.collect());
    if let Value::Object(root) = root {
        value = coercion.in_place(root, value);
    }
    (value, coercion.problems)
}

/// The schema of the property `name`; those of patterns are left to the validator.
fn property<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    let declared = schema.get("properties").and_then(|properties| properties.get(name));
    declared.or_else(|| schema.get("additionalProperties"))
}

struct Coercion<'s> {
    evaluator: Evaluator<'s>,
    steps: usize,
    levels: usize,
    path: Vec<String>,
    problems: Vec<Problem>,
}

impl<'s> Coercion<'s> {
    fn at<T>(&mut self, step: String, run: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let result = run(self);
        self.path.pop();
        result
    }

    /// Rules I3 and I4: JSON text for an object or an array that cannot be a string.
    fn parameter(&mut self, schema: &'s Value, value: Value) -> Value {
        let kinds = Kinds::allowed(schema, &|reference| self.evaluator.find(reference));
        let value = match value {
            Value::String(text) if !kinds.has(Kinds::STRING) => decoded(text, kinds),
            value => value,
        };
        self.value(schema, value)
    }

    fn value(&mut self, schema: &'s Value, value: Value) -> Value {
        let Value::Object(map) = schema else { return value };
        self.steps += 1;
        if self.steps > STEPS_MAX || self.levels >= LEVELS_MAX {
            return value;
        }
        self.levels += 1;
        let value = self.read(schema, map, value);
        self.levels -= 1;
        value
    }

    fn read(&mut self, schema: &'s Value, map: &'s Map<String, Value>, value: Value) -> Value {
        let value = self.scalar(map, value);
        let value = self.in_place(map, value);
        self.parts(schema, value)
    }

    /// By the schemas that apply to the same value as `map`.
    fn in_place(&mut self, map: &'s Map<String, Value>, mut value: Value) -> Value {
        for (_, reference) in references::of(map) {
            if let Some(target) = self.evaluator.find(reference) {
                value = self.value(target, value);
            }
        }
        for arm in map.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            value = self.value(arm, value);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(arms)) = map.get(keyword) {
                value = self.union(arms, value);
            }
        }
        value
    }

    /// Rule I2, as far as it holds: numbers and booleans.
    fn scalar(&mut self, schema: &'s Map<String, Value>, value: Value) -> Value {
        let Some(kinds) = schema.get("type").map(Kinds::named) else { return value };
        match value {
            Value::String(text) if !kinds.has(Kinds::STRING) => {
                said(&text, kinds).unwrap_or(Value::String(text))
            }
            Value::Number(number) if number.is_f64() && !kinds.has(Kinds::FLOAT) => {
                let float = number.as_f64().unwrap_or(f64::NAN);
                if kinds.has(Kinds::INTEGER) && float.fract() == 0.0 {
                    return self.whole(float);
                }
                Value::Number(number)
            }
            value => value,
        }
    }

    fn whole(&mut self, float: f64) -> Value {
        if let Some(integer) = decimal::integer_of_float(float) {
            return Value::Number(integer);
        }
        let message = "Input should be a valid integer, written without a fraction or an exponent";
        let problem = Problem::new(message);
        let problem = self.path.iter().rev().fold(problem, Problem::under);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
        Value::from(float)
    }

    /// A value that fits an arm is read by that arm, and stays as it is if any arm leaves it so.
    fn union(&mut self, arms: &'s [Value], value: Value) -> Value {
        let fitting: Vec<_> = arms.iter().filter(|arm| self.fits(arm, &value)).collect();
        let mut read = Vec::new();
        for arm in &fitting {
            let problems = self.problems.len();
            let by_arm = self.value(arm, value.clone());
            if by_arm == value && self.problems.len() == problems {
                return value;
            }
            let found = self.problems.split_off(problems);
            read.push((by_arm, found));
        }
        if let Some((value, found)) = read.into_iter().next() {
            self.problems.extend(found);
            return value;
        }
        self.meant(arms, value)
    }

    /// For a value that fits no arm: the first way of reading it that does.
    fn meant(&mut self, arms: &'s [Value], value: Value) -> Value {
        let is_null = |arm: &&Value| arm.get("type").is_some_and(|kind| kind == "null");
        let arms: Vec<_> = arms.iter().filter(|arm| !is_null(arm)).collect();
        if let [only] = arms.as_slice() {
            return self.value(only, value);
        }
        for arm in arms {
            let problems = self.problems.len();
            let read = self.value(arm, value.clone());
            if read != value && self.fits(arm, &read) {
                return read;
            }
            self.problems.truncate(problems);
        }
        value
    }

    fn fits(&mut self, schema: &'s Value, value: &Value) -> bool {
        self.evaluator.for_passing(|evaluator| evaluator.check(schema, value).is_empty())
    }

    fn parts(&mut self, schema: &'s Value, value: Value) -> Value {
        match value {
            Value::Object(entries) => {
                let read = entries.into_iter().map(|(name, value)| {
                    let value = match property(schema, &name) {
                        Some(schema) => self.at(name.clone(), |this| this.value(schema, value)),
                        None => value,
                    };
                    (name, value)
                });
                Value::Object(read.collect())
            }
            Value::Array(items) => {
                let read =
                    items.into_iter().enumerate().map(|(index, value)| match item(schema, index) {
                        Some(schema) => {
                            self.at(index.to_string(), |this| this.value(schema, value))
                        }
                        None => value,
                    });
                Value::Array(read.collect())
            }
            value @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => value,
        }
    }
}

fn item(schema: &Value, index: usize) -> Option<&Value> {
    let prefix = schema.get("prefixItems").and_then(|prefix| prefix.get(index));
    prefix.or_else(|| schema.get("items"))
}

/// What `text` says, if it is JSON for an object or an array, or for null, of `kinds`.
fn decoded(text: String, kinds: Kinds) -> Value {
    if !kinds.has(Kinds::OBJECT) && !kinds.has(Kinds::ARRAY) {
        return Value::String(text);
    }
    match json::strict_json(&text) {
        Ok(value @ (Value::Object(_) | Value::Array(_) | Value::Null))
            if kinds.has(Kinds::of(&value)) =>
        {
            value
        }
        Ok(_) | Err(_) => Value::String(text),
    }
}

/// What `text` says of a number or a boolean.
fn said(text: &str, kinds: Kinds) -> Option<Value> {
    match text {
        "true" | "false" if kinds.has(Kinds::BOOLEAN) => Some(Value::Bool(text == "true")),
        text if kinds.has(Kinds::FLOAT) => decimal::number(text).map(Value::Number),
        text if kinds.has(Kinds::INTEGER) => decimal::integer(text).map(Value::Number),
        _other => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::{Bounds, Input, Style};

    /// The parameter `p` of `schema`, given `value`: what the tool gets, or the error.
    fn read(schema: &serde_json::Value, value: &str) -> Result<String, String> {
        let author = json!({
            "properties": {"p": schema},
            "$defs": {"Point": {
                "type": "object",
                "properties": {"x": {"type": "integer"}},
                "required": ["x"],
            }},
        });
        let bounds = Bounds::default();
        let input = Input::load(&author.to_string(), "t", Style::default(), &bounds).unwrap();
        let value: serde_json::Value = serde_json::from_str(value).unwrap();
        let arguments = serde_json::Map::from_iter([("p".to_owned(), value)]);
        match input.check(arguments) {
            Ok(arguments) => Ok(arguments.as_map()["p"].to_string()),
            Err(mismatch) => {
                Err(mismatch.errors().map(|(at, what)| format!("{at}: {what}")).collect())
            }
        }
    }

    #[test]
    fn numbers_may_come_as_strings_and_integers_with_a_fraction_of_zero() {
        for (kind, value, expected) in [
            ("integer", r#""5""#, "5"),
            ("integer", "5.0", "5"),
            ("integer", "1e3", "1000"),
            ("integer", r#""1e3""#, "1000"),
            ("integer", r#""12345678901234567890""#, "12345678901234567890"),
            ("number", r#""3.5""#, "3.5"),
            ("number", r#""3""#, "3"),
            ("number", "3.0", "3.0"),
            ("boolean", r#""true""#, "true"),
            ("boolean", r#""false""#, "false"),
            ("string", r#""5""#, r#""5""#),
        ] {
            let schema = json!({"type": kind});
            assert_eq!(read(&schema, value).as_deref(), Ok(expected), "{kind} {value}");
            let optional = json!({"anyOf": [{"type": kind}, {"type": "null"}]});
            assert_eq!(read(&optional, value).as_deref(), Ok(expected), "{kind} {value}");
        }
    }

    #[test]
    fn nothing_else_is_coerced() {
        for (kind, value) in [
            ("boolean", r#""yes""#),
            ("boolean", r#""True""#),
            ("boolean", "1"),
            ("boolean", r#""1""#),
            ("integer", "5.5"),
            ("integer", r#""5.5""#),
            ("integer", "true"),
            ("integer", r#"" 5""#),
            ("integer", r#""123456789012345678901234567890""#),
            ("number", r#""NaN""#),
            ("number", r#""Infinity""#),
            ("number", r#""0.12345678901234567890123""#),
            ("number", "true"),
            ("string", "7"),
            ("string", "true"),
            ("null", r#""null""#),
            ("null", r#""""#),
        ] {
            assert!(read(&json!({"type": kind}), value).is_err(), "{kind} {value}");
        }
    }

    #[test]
    fn an_integer_that_a_float_may_not_say_exactly_is_an_error() {
        let error = "p: Input should be a valid integer, written without a fraction or an exponent";
        for value in ["9007199254740993.0", "1e18", "-1e300"] {
            assert_eq!(read(&json!({"type": "integer"}), value), Err(error.to_owned()));
        }
        assert_eq!(read(&json!({"type": "number"}), "1e18"), Ok("1e+18".to_owned()));
    }

    #[test]
    fn json_text_is_read_for_a_parameter_that_cannot_be_a_string() {
        let point = json!({"$ref": "#/$defs/Point"});
        assert_eq!(read(&point, r#""{\"x\": \"1\"}""#), Ok(r#"{"x":1}"#.to_owned()));
        let list = json!({"type": "array", "items": {"type": "integer"}});
        assert_eq!(read(&list, r#""[1, 2.0]""#), Ok("[1,2]".to_owned()));
        let optional = json!({"anyOf": [point, {"type": "null"}]});
        assert_eq!(read(&optional, r#""{\"x\": 1}""#), Ok(r#"{"x":1}"#.to_owned()));
        assert_eq!(read(&optional, r#""null""#), Ok("null".to_owned()));
        let text = json!({"anyOf": [point, {"type": "string"}]});
        assert_eq!(read(&text, r#""{\"x\": 1}""#), Ok(r#""{\"x\": 1}""#.to_owned()));
        let nested = json!({"type": "array", "items": {"type": "array"}});
        assert!(read(&nested, r#"["[]"]"#).is_err());
        for wrong in [r#""5""#, r#""{\"x\": 1""#, r#""{\"x\": 1, \"x\": 2}""#, r#""[1]""#] {
            assert!(read(&point, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_fits_an_arm_stays_as_it_is() {
        let either = json!({"anyOf": [{"type": "integer"}, {"type": "string"}]});
        assert_eq!(read(&either, r#""5""#), Ok(r#""5""#.to_owned()));
        let numbers = json!({"anyOf": [{"type": "integer"}, {"type": "number"}]});
        assert_eq!(read(&numbers, "5.0"), Ok("5.0".to_owned()));
        let flags = json!({"oneOf": [{"type": "boolean"}, {"type": "integer"}]});
        assert_eq!(read(&flags, r#""true""#), Ok("true".to_owned()));
        assert_eq!(read(&flags, r#""5""#), Ok("5".to_owned()));
    }

    #[test]
    fn values_are_read_at_every_level() {
        let schema = json!({
            "type": "object",
            "properties": {
                "a": {"prefixItems": [{"type": "boolean"}], "items": {"type": "number"}},
            },
            "additionalProperties": {"$ref": "#/$defs/Point"},
        });
        assert_eq!(
            read(&schema, r#"{"a": ["true", "1"], "b": {"x": "2"}}"#),
            Ok(r#"{"a":[true,1],"b":{"x":2}}"#.to_owned())
        );
        let both = json!({"allOf": [{"type": "integer"}, {"minimum": 3}]});
        assert_eq!(read(&both, r#""5""#), Ok("5".to_owned()));
        assert_eq!(
            read(&both, r#""2""#),
            Err("p: Input should be greater than or equal to 3".to_owned())
        );
    }
}
