//! The JSON of each type's values.
//!
//! A value that is not of its type is an error, never something else.

use std::collections::HashSet;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::keys::Key;
use super::writer::{Step, Writer};
use super::{
    Case, Definition, Either, Entry, Field, Label, Named, Type, Unpublishable, Value, scalars,
};

impl<'v> Writer<'v> {
    pub(super) fn value(&mut self, ty: &'v Type, value: &'v Value) -> Result<(), Unpublishable> {
        if self.cuts(value) {
            return Ok(());
        }
        match (ty, value) {
            (Type::Alias(alias), value) => return self.value(&alias.ty, value),
            (Type::Bool, Value::Bool(value)) => self.json(value),
            (Type::Char, Value::Char(c)) => self.json(c),
            (Type::String, Value::String(text)) => self.json(text),
            (Type::Integer(integer, written), value) => match value.integer() {
                Some((of, n)) if of == *integer => {
                    let quote = if written.is_text() { "\"" } else { "" };
                    // Writing to a Vec cannot fail.
                    let _ = write!(self.out, "{quote}{n}{quote}");
                }
                Some(_) | None => return Err(self.of_type()),
            },
            (Type::F32, Value::F32(float)) => {
                self.finite(float.is_nan(), float.is_infinite())?;
                self.json(&scalars::widened(*float));
            }
            (Type::F64, Value::F64(float)) => {
                self.finite(float.is_nan(), float.is_infinite())?;
                self.json(float);
            }
            (Type::Bytes, value) => self.bytes(value)?,
            (Type::List(element), Value::List(values)) => self.list(element, values)?,
            (Type::FixedList(element, length), Value::FixedList(values) | Value::List(values))
                if usize::try_from(*length).is_ok_and(|length| length == values.len()) =>
            {
                self.list(element, values)?;
            }
            (Type::Pairs(entry), Value::List(pairs)) => self.pairs(entry, pairs)?,
            (Type::Map(entry), Value::Map(entries)) => {
                self.map(entry, entries.iter().map(|(key, value)| (key, value)))?;
            }
            (Type::Tuple(types), Value::Tuple(values)) if types.len() == values.len() => {
                self.tuple(types, values)?;
            }
            (Type::Option(_), Value::Option(None)) => self.text("null"),
            (Type::Option(inner), Value::Option(Some(value))) => {
                if inner.is_option() {
                    self.tagged("some", inner, value)?;
                } else {
                    self.value(inner, value)?;
                }
            }
            (Type::Result(either), Value::Result(result)) => self.result(either, result)?,
            (Type::Named(named), value) => self.named(named, value)?,
            (
                Type::Bool
                | Type::Char
                | Type::String
                | Type::F32
                | Type::F64
                | Type::List(_)
                | Type::FixedList(..)
                | Type::Pairs(_)
                | Type::Map(_)
                | Type::Tuple(_)
                | Type::Option(_)
                | Type::Result(_),
                _,
            ) => return Err(self.of_type()),
        }
        Ok(())
    }

    fn named(&mut self, named: &'v Named, value: &'v Value) -> Result<(), Unpublishable> {
        match (&named.definition, value) {
            (Definition::Record(fields), Value::Record(values)) if fields.len() == values.len() => {
                self.record(fields, values)
            }
            (Definition::Variant(cases), Value::Variant(name, payload)) => {
                let Some(case) = cases.iter().find(|case| case.name == *name) else {
                    return Err(self.of_type());
                };
                self.case(case, payload.as_deref())
            }
            (Definition::Enum(labels), Value::Enum(name)) => self.label(labels, name),
            (Definition::Flags(labels), Value::Flags(names)) => self.flags(labels, names),
            (
                Definition::Record(_)
                | Definition::Variant(_)
                | Definition::Enum(_)
                | Definition::Flags(_),
                _,
            ) => Err(self.of_type()),
        }
    }

    fn record(
        &mut self,
        fields: &'v [Field],
        values: &'v [(String, Value)],
    ) -> Result<(), Unpublishable> {
        self.text("{");
        for (index, (field, (name, value))) in fields.iter().zip(values).enumerate() {
            if field.wit_name != *name {
                return Err(self.of_type());
            }
            self.separate(index);
            self.json(&field.name);
            self.text(":");
            self.under(Step::Name(&field.name), |writer| writer.value(&field.ty, value))?;
        }
        self.text("}");
        Ok(())
    }

    fn list(&mut self, element: &'v Type, values: &'v [Value]) -> Result<(), Unpublishable> {
        self.array(values.iter().map(|value| (element, value)))
    }

    fn tuple(&mut self, types: &'v [Type], values: &'v [Value]) -> Result<(), Unpublishable> {
        self.array(types.iter().zip(values))
    }

    fn array(
        &mut self,
        elements: impl Iterator<Item = (&'v Type, &'v Value)>,
    ) -> Result<(), Unpublishable> {
        self.text("[");
        for (index, (ty, value)) in elements.enumerate() {
            self.separate(index);
            self.under(Step::Index(index), |writer| writer.value(ty, value))?;
        }
        self.text("]");
        Ok(())
    }

    fn pairs(&mut self, entry: &'v Entry, pairs: &'v [Value]) -> Result<(), Unpublishable> {
        let mut entries = Vec::with_capacity(pairs.len());
        for pair in pairs {
            match pair {
                Value::Tuple(pair) if pair.len() == 2 => entries.push((&pair[0], &pair[1])),
                _other => return Err(self.of_type()),
            }
        }
        self.map(entry, entries.into_iter())
    }

    fn map(
        &mut self,
        entry: &'v Entry,
        entries: impl Iterator<Item = (&'v Value, &'v Value)>,
    ) -> Result<(), Unpublishable> {
        if Key::of(&entry.key).is_scalar() {
            self.object(entry, entries)
        } else {
            self.pair_array(entry, entries)
        }
    }

    fn object(
        &mut self,
        entry: &'v Entry,
        entries: impl Iterator<Item = (&'v Value, &'v Value)>,
    ) -> Result<(), Unpublishable> {
        let kind = Key::of(&entry.key);
        let mut seen = HashSet::new();
        self.text("{");
        for (index, (key, value)) in entries.enumerate() {
            let Some(name) = kind.write(key) else {
                return self.under(Step::Index(index), |writer| {
                    writer.under(Step::Name("[key]"), |writer| Err(writer.of_key(key)))
                });
            };
            self.separate(index);
            self.json(&name);
            self.text(":");
            let is_new = seen.insert(name.clone());
            self.under(Step::Key(name), |writer| match is_new {
                true => writer.value(&entry.value, value),
                false => Err(writer.unpublishable("is a key that is there twice")),
            })?;
        }
        self.text("}");
        Ok(())
    }

    fn pair_array(
        &mut self,
        entry: &'v Entry,
        entries: impl Iterator<Item = (&'v Value, &'v Value)>,
    ) -> Result<(), Unpublishable> {
        let mut seen = HashSet::new();
        self.text("[");
        for (index, (key, value)) in entries.enumerate() {
            self.separate(index);
            self.text("[");
            self.under(Step::Index(index), |writer| {
                let start = writer.out.len();
                writer.under(Step::Index(0), |writer| writer.value(&entry.key, key))?;
                if !seen.insert(writer.out[start..].to_vec()) {
                    return Err(writer.unpublishable("has a key that is there twice"));
                }
                writer.text(",");
                writer.under(Step::Index(1), |writer| writer.value(&entry.value, value))
            })?;
            self.text("]");
        }
        self.text("]");
        Ok(())
    }

    fn result(
        &mut self,
        either: &'v Either,
        result: &'v Result<Option<Box<Value>>, Option<Box<Value>>>,
    ) -> Result<(), Unpublishable> {
        let (name, ty, payload) = match result {
            Ok(payload) => ("ok", &either.ok, payload),
            Err(payload) => ("err", &either.err, payload),
        };
        self.payload(name, ty.as_ref(), payload.as_deref())
    }

    fn case(&mut self, case: &'v Case, payload: Option<&'v Value>) -> Result<(), Unpublishable> {
        self.payload(&case.name, case.payload.as_ref(), payload)
    }

    fn payload(
        &mut self,
        name: &'v str,
        ty: Option<&'v Type>,
        payload: Option<&'v Value>,
    ) -> Result<(), Unpublishable> {
        match (ty, payload) {
            (None, None) => {
                self.json(name);
                Ok(())
            }
            (Some(ty), Some(payload)) => self.tagged(name, ty, payload),
            (Some(_), None) | (None, Some(_)) => Err(self.of_type()),
        }
    }

    fn tagged(
        &mut self,
        name: &'v str,
        ty: &'v Type,
        payload: &'v Value,
    ) -> Result<(), Unpublishable> {
        self.text("{");
        self.json(name);
        self.text(":");
        self.under(Step::Name(name), |writer| writer.value(ty, payload))?;
        self.text("}");
        Ok(())
    }

    fn label(&mut self, labels: &[Label], name: &str) -> Result<(), Unpublishable> {
        if !labels.iter().any(|label| label.name == *name) {
            return Err(self.of_type());
        }
        self.json(name);
        Ok(())
    }

    /// In the order of declaration, each once.
    fn flags(&mut self, labels: &[Label], names: &[String]) -> Result<(), Unpublishable> {
        let set: Vec<&str> = labels
            .iter()
            .map(|label| label.name.as_str())
            .filter(|label| names.iter().any(|name| name == label))
            .collect();
        if set.len() != names.len() {
            return Err(self.of_type());
        }
        self.json(&set);
        Ok(())
    }

    fn bytes(&mut self, value: &Value) -> Result<(), Unpublishable> {
        let encoded = match value {
            Value::Bytes(bytes) => STANDARD.encode(bytes),
            Value::List(values) => {
                let byte = |value: &Value| match value {
                    Value::U8(byte) => Some(*byte),
                    _other => None,
                };
                let bytes: Option<Vec<u8>> = values.iter().map(byte).collect();
                STANDARD.encode(bytes.ok_or_else(|| self.of_type())?)
            }
            _other => return Err(self.of_type()),
        };
        self.text("\"");
        self.text(&encoded);
        self.text("\"");
        Ok(())
    }
}
