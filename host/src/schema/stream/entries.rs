//! The entries of an object, one after the other.

use std::borrow::Cow;
use std::collections::HashSet;

use super::Stream;
use super::node::{ANY, Id, Object};
use super::scalar::Scalar;
use super::written::Written;

/// Keys up to this are compared one by one.
const COMPARED_MAX: usize = 8;

/// What is known of an object while it is read.
pub(super) struct Entries<'s, 'de> {
    stream: &'s Stream,
    object: &'s Object,
    /// The properties that were there, by their place: the first 64, and the rest.
    first: u64,
    more: Vec<bool>,
    others: Others<'de>,
    /// The place that the next key is likely to have.
    likely: usize,
    required: usize,
    count: u64,
}

/// Keys that the schema does not name.
#[derive(Default)]
struct Others<'de> {
    few: Vec<Cow<'de, str>>,
    many: HashSet<Cow<'de, str>>,
}

impl<'s, 'de> Entries<'s, 'de> {
    pub(super) fn new(stream: &'s Stream, object: &'s Object) -> Self {
        Self {
            stream,
            object,
            first: 0,
            more: Vec::new(),
            others: Others::default(),
            likely: 0,
            required: 0,
            count: 0,
        }
    }

    /// Writes `key` and gives the node of its value. None if the key is not allowed, or was there
    /// before.
    pub(super) fn key(&mut self, key: Cow<'de, str>, out: &mut Written) -> Option<Id> {
        if self.count > 0 {
            out.push(",");
        }
        self.count += 1;
        let names = self.object.names;
        if names != ANY && !self.stream.allows(names, &Scalar::Text(&key)) {
            return None;
        }
        let Some(place) = self.object.place(&key, self.likely) else {
            out.string(&key, matches!(key, Cow::Borrowed(_)))?;
            out.push(":");
            return self.others.add(key).then_some(self.object.rest);
        };
        self.likely = place + 1;
        let property = &self.object.properties[place];
        out.push(&property.written);
        self.required += usize::from(property.required);
        self.is_new(place).then_some(property.value)
    }

    fn is_new(&mut self, place: usize) -> bool {
        if place < 64 {
            let bit = 1 << place;
            let is_new = self.first & bit == 0;
            self.first |= bit;
            return is_new;
        }
        self.more.resize(self.object.properties.len() - 64, false);
        !std::mem::replace(&mut self.more[place - 64], true)
    }

    /// Whether all is there that must be.
    pub(super) fn are_all(&self) -> bool {
        self.required == self.object.required
            && (self.object.min..=self.object.max).contains(&self.count)
    }
}

impl<'de> Others<'de> {
    /// Whether `key` was not there before.
    fn add(&mut self, key: Cow<'de, str>) -> bool {
        if self.many.is_empty() {
            if self.few.contains(&key) {
                return false;
            }
            if self.few.len() < COMPARED_MAX {
                self.few.push(key);
                return true;
            }
            self.many.extend(self.few.drain(..));
        }
        self.many.insert(key)
    }
}
