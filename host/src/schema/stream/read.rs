//! A text, read and checked and written in one pass.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::Serialize;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::super::json::{VALUE_DEPTH_MAX, integers_fit};
use super::super::kinds::Kinds;
use super::super::normalise::RESULT;
use super::Stream;
use super::entries::Entries;
use super::node::{Arms, Array, Id, Node, Object};
use super::scalar::Scalar;
use super::written::Written;

impl Stream {
    /// The JSON text `text`, strictly read, as serde_json writes its value, and wrapped if values
    /// are; with how many parts it has. None if it is not accepted, which says nothing about it.
    pub(in super::super) fn read(&self, text: &str) -> Option<(String, usize)> {
        let mut out = Written::with_capacity(text.len() + RESULT.len() + 8);
        if self.wraps {
            out.push("{");
            out.string(RESULT, true)?;
            out.push(":");
        }
        let mut pass = Pass { stream: self, out, parts: 0, large: false };
        let mut reader = serde_json::Deserializer::from_str(text);
        let whole = Part { pass: &mut pass, id: self.start, depth_left: VALUE_DEPTH_MAX };
        whole.deserialize(&mut reader).ok()?;
        reader.end().ok()?;
        let Pass { stream: _, mut out, parts, large } = pass;
        if large {
            integers_fit(text).ok()?;
        }
        if self.wraps {
            out.push("}");
        }
        Some((out.into_string(), parts))
    }

    /// What is said of an array at `id`, if one is allowed there.
    fn array(&self, id: Id) -> Option<&Array> {
        match &self.nodes[id] {
            Node::Plain(plain) => plain.kinds.has(Kinds::ARRAY).then_some(&plain.array),
            Node::Union(union) => self.array(union.array),
        }
    }

    /// What is said of an object at `id`, if one is allowed there.
    fn object(&self, id: Id) -> Option<Objects<'_>> {
        match &self.nodes[id] {
            Node::Plain(plain) => {
                plain.kinds.has(Kinds::OBJECT).then_some(Objects::Known(&plain.object))
            }
            Node::Union(union) => match &union.object {
                Arms::One(only) => self.object(*only),
                Arms::ByKey(arms) => Some(Objects::ByKey(arms)),
                Arms::ByTag { tag, arms } => Some(Objects::ByTag(tag, arms)),
            },
        }
    }

    /// The arm of a union that is told apart.
    fn arm(&self, arm: Option<&Id>) -> Option<&Object> {
        match self.object(*arm?)? {
            Objects::Known(object) => Some(object),
            Objects::ByKey(_) | Objects::ByTag(..) => None,
        }
    }
}

/// Which objects may be at one place; see [`Arms`].
enum Objects<'s> {
    Known(&'s Object),
    ByKey(&'s HashMap<String, Id>),
    ByTag(&'s str, &'s HashMap<String, Id>),
}

/// A text on its way.
struct Pass<'s> {
    stream: &'s Stream,
    out: Written,
    /// Values that were read.
    parts: usize,
    /// Set when a number was read that may have been an integer out of range.
    large: bool,
}

/// A part of the value, checked against a node.
struct Part<'p, 's> {
    pass: &'p mut Pass<'s>,
    id: Id,
    depth_left: usize,
}

/// Not accepted. Nobody reads why.
fn refused<E: de::Error>() -> E {
    E::custom("")
}

/// Whether no two of the elements written from `start`, each to its end, are equal. An integer
/// may be written as a float, which is left to others.
fn are_unique(out: &[u8], mut start: usize, ends: &[usize]) -> bool {
    let mut known = HashSet::with_capacity(ends.len());
    ends.iter().all(|end| {
        let element = &out[start..*end];
        start = end + 1;
        let is_number = matches!(element.first(), Some(b'-' | b'0'..=b'9'));
        let is_float = is_number && element.iter().any(|byte| matches!(byte, b'.' | b'e'));
        known.insert(element) && !is_float
    })
}

impl Part<'_, '_> {
    fn scalar<E: de::Error>(&self, value: &Scalar<'_>) -> Result<(), E> {
        if self.pass.stream.allows(self.id, value) { Ok(()) } else { Err(refused()) }
    }

    fn number<E: de::Error>(self, value: &Scalar<'_>, number: impl Serialize) -> Result<(), E> {
        self.scalar(value)?;
        self.pass.out.write(&number).ok_or_else(refused)
    }

    fn text<E: de::Error>(self, text: &str, is_plain: bool) -> Result<(), E> {
        self.scalar(&Scalar::Text(text))?;
        self.pass.out.string(text, is_plain).ok_or_else(refused)
    }
}

impl<'de> DeserializeSeed<'de> for Part<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.pass.parts += 1;
        deserializer.deserialize_any(self)
    }
}

impl<'de, 's> Visitor<'de> for Part<'_, 's> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.scalar(&Scalar::Null)?;
        self.pass.out.push("null");
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.scalar(&Scalar::Boolean(value))?;
        self.pass.out.push(if value { "true" } else { "false" });
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.number(&Scalar::Integer(value.into()), value)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.number(&Scalar::Integer(value.into()), value)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        // 2^63: no smaller float was an integer literal that does not fit.
        self.pass.large |= value.abs() >= 9_223_372_036_854_775_808.0;
        self.number(&Scalar::Float(value), value)
    }

    fn visit_borrowed_str<E: de::Error>(self, value: &'de str) -> Result<(), E> {
        self.text(value, true)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.text(value, false)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let Self { pass, id, depth_left } = self;
        let depth_left = depth_left.checked_sub(1).ok_or_else(refused)?;
        let array = pass.stream.array(id).ok_or_else(refused)?;
        let mut prefix = array.prefix.iter();
        let mut ends = Vec::new();
        let mut count = 0;
        pass.out.push("[");
        let start = pass.out.len();
        loop {
            let (id, before) = (*prefix.next().unwrap_or(&array.items), pass.out.len());
            if count > 0 {
                pass.out.push(",");
            }
            if elements.next_element_seed(Part { pass: &mut *pass, id, depth_left })?.is_none() {
                pass.out.truncate(before);
                break;
            }
            count += 1;
            if array.unique {
                ends.push(pass.out.len());
            }
        }
        let is_good = (array.min..=array.max).contains(&count)
            && (!array.unique || are_unique(pass.out.as_bytes(), start, &ends));
        pass.out.push("]");
        if is_good { Ok(()) } else { Err(refused()) }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { pass, id, depth_left } = self;
        let depth_left = depth_left.checked_sub(1).ok_or_else(refused)?;
        let stream = pass.stream;
        pass.out.push("{");
        let mut key = map.next_key_seed(Text)?;
        let mut entries = match stream.object(id).ok_or_else(refused)? {
            Objects::Known(object) => Entries::new(stream, object),
            Objects::ByKey(arms) => {
                let arm = key.as_deref().and_then(|key| arms.get(key));
                Entries::new(stream, stream.arm(arm).ok_or_else(refused)?)
            }
            Objects::ByTag(tag, arms) => {
                let first = key.filter(|key| key == tag).ok_or_else(refused)?;
                let text = map.next_value_seed(Text)?;
                let arm = stream.arm(arms.get(&*text)).ok_or_else(refused)?;
                let mut entries = Entries::new(stream, arm);
                let id = entries.key(first, &mut pass.out).ok_or_else(refused)?;
                let value = Part { pass: &mut *pass, id, depth_left };
                value.text(&text, matches!(text, Cow::Borrowed(_)))?;
                pass.parts += 1;
                key = map.next_key_seed(Text)?;
                entries
            }
        };
        while let Some(name) = key {
            let id = entries.key(name, &mut pass.out).ok_or_else(refused)?;
            map.next_value_seed(Part { pass: &mut *pass, id, depth_left })?;
            key = map.next_key_seed(Text)?;
        }
        pass.out.push("}");
        if entries.are_all() { Ok(()) } else { Err(refused()) }
    }
}

/// A string that is borrowed if it was written without escapes.
struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Text {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}
