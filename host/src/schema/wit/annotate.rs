//! Checks what an overlay says of a type at one place, and says it.

mod constraints;

use std::sync::Arc;

use super::{Alias, Annotation, Entry, Notes, OverlayFault, Type, Written, decode};
use crate::schema::Mismatch;

/// The type and its notes with what `annotation` says of them; faults are added to `faults`.
pub(super) fn annotate(
    place: &str,
    (ty, notes): (Type, &Notes),
    annotation: &Annotation,
    faults: &mut Vec<OverlayFault>,
) -> (Type, Notes) {
    let mut fault = |what: &str| faults.push(OverlayFault::new(place, what));
    let mut ty = ty;
    if annotation.pairs_as_map {
        match as_map(&ty) {
            Some(map) => ty = map,
            None => fault("it is no list of pairs"),
        }
    }
    if let Some(written) = annotation.large_integers {
        match written_as(&ty, written) {
            Some(changed) => ty = changed,
            None => fault("it is no `s64` or `u64`, nor an option or a list of them"),
        }
    }
    constraints::check(&ty, &annotation.notes.constraints, &mut fault);
    let default = annotation.notes.default.iter().map(|json| ("default", json));
    let examples = annotation.notes.examples.iter().map(|json| ("example", json));
    for (what, json) in default.chain(examples) {
        if let Err(mismatch) = decode(&ty, json, what) {
            fault(&format!("its {what} does not fit: {}", told(&mismatch)));
        }
    }
    (ty, notes.under(&annotation.notes))
}

/// On one line, without a heading.
fn told(mismatch: &Mismatch) -> String {
    let problem = |(place, what): (&str, &str)| match place {
        "" => what.to_owned(),
        place => format!("{place}: {what}"),
    };
    mismatch.errors().map(problem).collect::<Vec<_>>().join("; ")
}

/// The list of pairs here, or in an option, as a map.
fn as_map(ty: &Type) -> Option<Type> {
    match ty {
        Type::List(element) => match element.plain() {
            Type::Tuple(pair) => match &**pair {
                [key, value] => {
                    let (key, value) = (key.clone(), value.clone());
                    Some(Type::Pairs(Arc::new(Entry { key, value })))
                }
                _other => None,
            },
            _other => None,
        },
        Type::Pairs(_) => Some(ty.clone()),
        Type::Option(inner) => as_map(inner).map(|inner| Type::Option(Arc::new(inner))),
        Type::Alias(alias) => as_map(&alias.ty).map(|ty| renamed(alias, ty)),
        Type::Bool
        | Type::Char
        | Type::String
        | Type::Integer(..)
        | Type::F32
        | Type::F64
        | Type::Bytes
        | Type::FixedList(..)
        | Type::Map(_)
        | Type::Tuple(_)
        | Type::Result(_)
        | Type::Named(_) => None,
    }
}

/// The large integer here, in options or in lists, in another way.
fn written_as(ty: &Type, written: Written) -> Option<Type> {
    match ty {
        Type::Integer(integer, _) => integer.is_large().then_some(Type::Integer(*integer, written)),
        Type::List(inner) => Some(Type::List(Arc::new(written_as(inner, written)?))),
        Type::FixedList(inner, length) => {
            Some(Type::FixedList(Arc::new(written_as(inner, written)?), *length))
        }
        Type::Option(inner) => Some(Type::Option(Arc::new(written_as(inner, written)?))),
        Type::Alias(alias) => written_as(&alias.ty, written).map(|ty| renamed(alias, ty)),
        Type::Bool
        | Type::Char
        | Type::String
        | Type::F32
        | Type::F64
        | Type::Bytes
        | Type::Pairs(_)
        | Type::Map(_)
        | Type::Tuple(_)
        | Type::Result(_)
        | Type::Named(_) => None,
    }
}

fn renamed(alias: &Alias, ty: Type) -> Type {
    Type::Alias(Arc::new(Alias { ty, ..alias.clone() }))
}
