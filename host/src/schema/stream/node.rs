//! What a schema says of values, sorted by the type of the value.

use std::collections::HashMap;

use super::super::kinds::Kinds;
use super::numbers::Numbers;
use super::scalar::Text;

/// A node's place among all of a schema's.
pub(super) type Id = usize;

/// The node that allows everything.
pub(super) const ANY: Id = 0;
/// The node that allows nothing.
pub(super) const NEVER: Id = 1;

/// A schema.
#[derive(Debug)]
pub(super) enum Node {
    Plain(Box<Plain>),
    Union(Union),
}

/// A schema without others in its place.
#[derive(Debug)]
pub(super) struct Plain {
    pub(super) kinds: Kinds,
    /// The one boolean that is allowed; none: both.
    pub(super) boolean: Option<bool>,
    pub(super) numbers: Numbers,
    pub(super) text: Text,
    pub(super) array: Array,
    pub(super) object: Object,
}

/// What is said of arrays.
#[derive(Debug)]
pub(super) struct Array {
    /// Of the first elements, one by one.
    pub(super) prefix: Vec<Id>,
    /// Of all others.
    pub(super) items: Id,
    /// Whether no two are equal. They are integers, strings, booleans and nulls.
    pub(super) unique: bool,
    pub(super) min: u64,
    pub(super) max: u64,
}

/// What is said of objects.
#[derive(Debug)]
pub(super) struct Object {
    /// Those that are named, whether they must be there or may.
    pub(super) properties: Vec<Property>,
    /// From a name to its place, where they are too many to look at each.
    pub(super) places: HashMap<String, usize>,
    /// How many must be there.
    pub(super) required: usize,
    /// Of all other properties.
    pub(super) rest: Id,
    /// Of every name.
    pub(super) names: Id,
    pub(super) min: u64,
    pub(super) max: u64,
}

/// A property that is named.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    /// The name as JSON, and a colon.
    pub(super) written: String,
    pub(super) value: Id,
    pub(super) required: bool,
}

/// A schema that is `anyOf` or `oneOf` and nothing else.
#[derive(Debug)]
pub(super) struct Union {
    pub(super) arms: Vec<Id>,
    /// Whether it is `oneOf`.
    pub(super) exactly_one: bool,
    /// The arm for arrays.
    pub(super) array: Id,
    pub(super) object: Arms,
}

/// What tells the arms for objects apart.
#[derive(Debug)]
pub(super) enum Arms {
    /// There is one at most.
    One(Id),
    /// The first key, which no other arm allows.
    ByKey(HashMap<String, Id>),
    /// The text of a property that every arm names, where it comes first.
    ByTag { tag: String, arms: HashMap<String, Id> },
}

/// Properties up to this are looked at one by one.
const LOOKED_AT_MAX: usize = 8;

impl Plain {
    /// What allows all values of `kinds`.
    pub(super) fn of(kinds: Kinds) -> Self {
        Self {
            kinds,
            boolean: None,
            numbers: Numbers::default(),
            text: Text::default(),
            array: Array { prefix: Vec::new(), items: ANY, unique: false, min: 0, max: u64::MAX },
            object: Object {
                properties: Vec::new(),
                places: HashMap::new(),
                required: 0,
                rest: ANY,
                names: ANY,
                min: 0,
                max: u64::MAX,
            },
        }
    }
}

impl Object {
    pub(super) fn name(&mut self, properties: Vec<Property>) {
        self.required = properties.iter().filter(|property| property.required).count();
        if properties.len() > LOOKED_AT_MAX {
            let names = properties.iter().map(|property| property.name.clone());
            self.places = names.zip(0..).collect();
        }
        self.properties = properties;
    }

    /// The place of the property `name`; `likely` is looked at first.
    pub(super) fn place(&self, name: &str, likely: usize) -> Option<usize> {
        let is_it = |property: &Property| property.name == name;
        if self.properties.get(likely).is_some_and(is_it) {
            return Some(likely);
        }
        if self.places.is_empty() {
            return self.properties.iter().position(is_it);
        }
        self.places.get(name).copied()
    }
}
