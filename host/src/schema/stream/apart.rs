//! What one pass needs to know before a value is read: which arm of a union is for it.
//!
//! Where several arms may allow an array, or several an object and nothing that comes first tells
//! which, a schema has no tree.

use std::collections::HashMap;

use super::super::kinds::Kinds;
use super::Stream;
use super::node::{Arms, Array, Id, NEVER, Node, Plain, Property};

/// Unions that are looked into one within the other.
const UNIONS_MAX: usize = 32;

impl Stream {
    /// Finds what tells the arms of every union apart. None if nothing does.
    pub(super) fn tell_apart(&mut self) -> Option<()> {
        for id in 0..self.nodes.len() {
            let union = match &self.nodes[id] {
                Node::Union(union) => union,
                Node::Plain(plain) if plain.array.unique => {
                    self.comparable(&plain.array)?;
                    continue;
                }
                Node::Plain(_) => continue,
            };
            let of = |kind| self.for_kind(&union.arms, kind);
            let array = match of(Kinds::ARRAY)?.as_slice() {
                [] => NEVER,
                [only] => *only,
                _several => return None,
            };
            let object = match of(Kinds::OBJECT)?.as_slice() {
                [] => Arms::One(NEVER),
                [only] => Arms::One(*only),
                several => self.by_key(several).or_else(|| self.by_tag(several))?,
            };
            if let Node::Union(union) = &mut self.nodes[id] {
                (union.array, union.object) = (array, object);
            }
        }
        Some(())
    }

    /// None if not all elements can be compared as they are written.
    fn comparable(&self, array: &Array) -> Option<()> {
        let scalar = Kinds::NULL.or(Kinds::BOOLEAN).or(Kinds::INTEGER).or(Kinds::STRING);
        let mut elements = array.prefix.iter().chain([&array.items]);
        let are =
            elements.all(|id| self.kinds(*id, UNIONS_MAX).is_some_and(|it| it.within(scalar)));
        are.then_some(())
    }

    /// The arms that may allow values of `kind`.
    fn for_kind(&self, arms: &[Id], kind: Kinds) -> Option<Vec<Id>> {
        let mut found = Vec::new();
        for arm in arms {
            if self.kinds(*arm, UNIONS_MAX)?.has(kind) {
                found.push(*arm);
            }
        }
        Some(found)
    }

    fn kinds(&self, id: Id, left: usize) -> Option<Kinds> {
        match &self.nodes[id] {
            Node::Plain(plain) => Some(plain.kinds),
            Node::Union(union) => union.arms.iter().try_fold(Kinds::NONE, |kinds, arm| {
                Some(kinds.or(self.kinds(*arm, left.checked_sub(1)?)?))
            }),
        }
    }

    fn plain(&self, id: Id) -> Option<&Plain> {
        match &self.nodes[id] {
            Node::Plain(plain) => Some(plain),
            Node::Union(_) => None,
        }
    }

    /// Closed objects of which no two have a property in common.
    fn by_key(&self, arms: &[Id]) -> Option<Arms> {
        let mut by_key = HashMap::new();
        for arm in arms {
            let object = &self.plain(*arm)?.object;
            if object.rest != NEVER {
                return None;
            }
            for property in &object.properties {
                if by_key.insert(property.name.clone(), *arm).is_some() {
                    return None;
                }
            }
        }
        Some(Arms::ByKey(by_key))
    }

    /// Objects that all name a property, each with other texts for it. Whether they require it is
    /// all the same where it comes first.
    fn by_tag(&self, arms: &[Id]) -> Option<Arms> {
        let first = &self.plain(*arms.first()?)?.object;
        first.properties.iter().find_map(|property| {
            let mut by_tag = HashMap::new();
            for arm in arms {
                for text in self.tags(&self.plain(*arm)?.object.properties, &property.name)? {
                    if by_tag.insert(text.clone(), *arm).is_some() {
                        return None;
                    }
                }
            }
            Some(Arms::ByTag { tag: property.name.clone(), arms: by_tag })
        })
    }

    /// The texts that the property `name` may be, if it is one of some.
    fn tags<'a>(&'a self, properties: &[Property], name: &str) -> Option<&'a [String]> {
        let property = properties.iter().find(|property| property.name == name)?;
        let plain = self.plain(property.value)?;
        plain.text.cases.as_deref().filter(|_| plain.kinds.within(Kinds::STRING))
    }
}
