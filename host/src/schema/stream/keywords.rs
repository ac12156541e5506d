//! The keywords of a schema that has no others in its place.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::super::encoding;
use super::super::kinds::Kinds;
use super::compile::{Compiler, says_nothing};
use super::node::{ANY, Id, Object, Plain, Property};

impl<'s> Compiler<'s> {
    /// None if a keyword cannot be checked in one pass.
    pub(super) fn plain(&mut self, map: &'s Map<String, Value>) -> Option<Plain> {
        let mut plain = Plain::of(map.get("type").map_or(Kinds::ALL, Kinds::named));
        let (mut of_text, mut of_numbers) = (Map::new(), Map::new());
        for (keyword, value) in map {
            match keyword.as_str() {
                "type" | "properties" | "required" | "additionalProperties" => {}
                "propertyNames" => plain.object.names = self.id(value)?,
                "minProperties" => plain.object.min = value.as_u64()?,
                "maxProperties" => plain.object.max = value.as_u64()?,
                "items" => plain.array.items = self.items(map, value)?,
                "prefixItems" => plain.array.prefix = self.ids(value)?,
                "minItems" => plain.array.min = value.as_u64()?,
                "maxItems" => plain.array.max = value.as_u64()?,
                "uniqueItems" => plain.array.unique = value.as_bool()?,
                "minLength" => plain.text.min = value.as_u64()?,
                "maxLength" => plain.text.max = value.as_u64()?,
                "contentEncoding" => {
                    plain.text.is_encoded = Some(encoding::checker(value.as_str()?));
                }
                "pattern" | "format" => {
                    of_text.insert(keyword.clone(), value.clone());
                }
                "multipleOf" => {
                    of_numbers.insert(keyword.clone(), value.clone());
                }
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                    plain.numbers.bound(keyword, value)?;
                }
                "const" => cases(&mut plain, std::slice::from_ref(value), &mut of_numbers)?,
                "enum" if map.contains_key("const") => return None,
                "enum" => cases(&mut plain, value.as_array()?, &mut of_numbers)?,
                other if says_nothing(other) => {}
                _other => return None,
            }
        }
        self.object(&mut plain.object, map)?;
        if !of_text.is_empty() && plain.kinds.has(Kinds::STRING) {
            plain.text.rest = Some(self.engine.compile(&Value::Object(of_text)).ok()?);
        }
        if !of_numbers.is_empty() {
            plain.numbers.rest = Some(self.engine.compile(&Value::Object(of_numbers)).ok()?);
        }
        Some(plain)
    }

    fn object(&mut self, object: &mut Object, map: &'s Map<String, Value>) -> Option<()> {
        if let Some(rest) = map.get("additionalProperties") {
            object.rest = self.id(rest)?;
        }
        let mut values: IndexMap<&str, (Id, bool)> = IndexMap::new();
        for (name, value) in map.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            values.insert(name, (self.id(value)?, false));
        }
        for name in map.get("required").and_then(Value::as_array).into_iter().flatten() {
            values.entry(name.as_str()?).or_insert((object.rest, true)).1 = true;
        }
        let property = |(name, (value, required)): (&str, _)| Property {
            name: name.to_owned(),
            written: format!("{}:", Value::from(name)),
            value,
            required,
        };
        object.name(values.into_iter().map(property).collect());
        Some(())
    }

    /// What is said of the elements after the first ones, if there may be any.
    fn items(&mut self, map: &'s Map<String, Value>, items: &'s Value) -> Option<Id> {
        let first = map.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
        let max = map.get("maxItems").and_then(Value::as_u64);
        if max.is_some_and(|max| max <= first as u64) { Some(ANY) } else { self.id(items) }
    }

    fn ids(&mut self, schemas: &'s Value) -> Option<Vec<Id>> {
        schemas.as_array()?.iter().map(|schema| self.id(schema)).collect()
    }
}

/// Allows only `cases`, which are values that are not made of others.
fn cases(plain: &mut Plain, cases: &[Value], of_numbers: &mut Map<String, Value>) -> Option<()> {
    let (mut texts, mut numbers, mut booleans) = (Vec::new(), Vec::new(), Vec::new());
    let mut kinds = Kinds::NONE;
    for case in cases {
        match case {
            Value::Null => kinds = kinds.or(Kinds::NULL),
            Value::Bool(case) => {
                kinds = kinds.or(Kinds::BOOLEAN);
                booleans.push(*case);
            }
            Value::Number(_) => {
                // 1.0 is 1.
                kinds = kinds.or(Kinds::INTEGER).or(Kinds::FLOAT);
                numbers.push(case.clone());
            }
            Value::String(case) => {
                kinds = kinds.or(Kinds::STRING);
                texts.push(case.clone());
            }
            Value::Array(_) | Value::Object(_) => return None,
        }
    }
    plain.kinds = plain.kinds.and(kinds);
    plain.boolean =
        booleans.first().filter(|one| booleans.iter().all(|case| case == *one)).copied();
    texts.sort_unstable();
    plain.text.cases = Some(texts);
    if !numbers.is_empty() {
        of_numbers.insert("enum".to_owned(), Value::Array(numbers));
    }
    Some(())
}
