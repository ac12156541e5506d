//! What an overlay file says, in pieces that have a place of their own.
//!
//! What is wrong is laid to the piece with which it begins.

use std::fmt;

use super::Said;
use super::applied::shown;
use super::said::{FunctionSaid, PlaceSaid, TypeSaid};
use crate::grants::Requires;

/// The least that can be said, in the order in which it is looked at.
#[derive(Clone, Copy)]
pub(super) enum Piece<'s> {
    Requires(&'s Requires),
    Name(&'s str),
    Version(&'s str),
    /// All but what is said of its parameters and its value.
    Function(&'s str, &'s FunctionSaid),
    Parameter(&'s str, &'s str, &'s PlaceSaid),
    Value(&'s str, &'s PlaceSaid),
    /// All but what is said of its fields and cases.
    Type(&'s str, &'s TypeSaid),
    Field(&'s str, &'s str, &'s PlaceSaid),
    Case(&'s str, &'s str, &'s str),
}

/// The piece of `said` with which it `fails`; none if it fails without all of them.
pub(super) fn blame(said: &Said, fails: impl Fn(&Said) -> bool) -> Option<Piece<'_>> {
    let pieces = pieces(said);
    let first = |count: usize| {
        let mut said = Said::default();
        pieces[..count].iter().for_each(|piece| piece.add_to(&mut said));
        said
    };
    if fails(&first(0)) {
        return None;
    }
    let (mut passing, mut failing) = (0, pieces.len());
    while failing > passing + 1 {
        let middle = passing.midpoint(failing);
        if fails(&first(middle)) {
            failing = middle;
        } else {
            passing = middle;
        }
    }
    pieces.get(passing).copied()
}

/// Whole names come first, so that what they cover begins with the short one.
fn pieces(said: &Said) -> Vec<Piece<'_>> {
    let mut pieces = vec![
        Piece::Requires(&said.requires),
        Piece::Name(&said.component.name),
        Piece::Version(&said.component.version),
    ];
    let mut functions: Vec<_> = said.functions.iter().collect();
    functions.sort_by_key(|(name, _)| !name.contains('#'));
    for (name, said) in functions {
        pieces.push(Piece::Function(name, said));
        let parameters = said.parameters.iter();
        pieces.extend(parameters.map(|(inner, said)| Piece::Parameter(name, inner, said)));
        if said.value != PlaceSaid::default() {
            pieces.push(Piece::Value(name, &said.value));
        }
    }
    let mut types: Vec<_> = said.types.iter().collect();
    types.sort_by_key(|(name, _)| !name.contains('.'));
    for (name, said) in types {
        pieces.push(Piece::Type(name, said));
        pieces.extend(said.fields.iter().map(|(inner, said)| Piece::Field(name, inner, said)));
        pieces.extend(said.cases.iter().map(|(inner, docs)| Piece::Case(name, inner, docs)));
    }
    pieces
}

impl<'s> Piece<'s> {
    fn add_to(self, said: &mut Said) {
        match self {
            Self::Requires(requires) => said.requires = requires.clone(),
            Self::Name(name) => name.clone_into(&mut said.component.name),
            Self::Version(version) => version.clone_into(&mut said.component.version),
            Self::Function(name, function) => {
                let mut alone = function.clone();
                alone.parameters.clear();
                alone.value = PlaceSaid::default();
                said.functions.insert(name.to_owned(), alone);
            }
            Self::Parameter(function, name, place) => {
                let function = said.functions.entry(function.to_owned()).or_default();
                function.parameters.insert(name.to_owned(), place.clone());
            }
            Self::Value(function, place) => {
                let function = said.functions.entry(function.to_owned()).or_default();
                function.value = place.clone();
            }
            Self::Type(name, ty) => {
                let mut alone = ty.clone();
                alone.fields.clear();
                alone.cases.clear();
                said.types.insert(name.to_owned(), alone);
            }
            Self::Field(ty, name, place) => {
                let ty = said.types.entry(ty.to_owned()).or_default();
                ty.fields.insert(name.to_owned(), place.clone());
            }
            Self::Case(ty, name, docs) => {
                let ty = said.types.entry(ty.to_owned()).or_default();
                ty.cases.insert(name.to_owned(), docs.to_owned());
            }
        }
    }

    /// The keys that lead to it in the file.
    pub(super) fn keys(self) -> Vec<&'s str> {
        match self {
            Self::Requires(_) => vec!["requires"],
            Self::Name(_) => vec!["component", "name"],
            Self::Version(_) => vec!["component", "version"],
            Self::Function(name, _) => vec!["functions", name],
            Self::Parameter(function, name, _) => vec!["functions", function, "parameters", name],
            Self::Value(function, _) => vec!["functions", function, "value"],
            Self::Type(name, _) => vec!["types", name],
            Self::Field(ty, name, _) => vec!["types", ty, "fields", name],
            Self::Case(ty, name, _) => vec!["types", ty, "cases", name],
        }
    }
}

/// As faults say where they are.
impl fmt::Display for Piece<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Requires(_) => f.write_str("requires"),
            Self::Name(_) | Self::Version(_) => f.write_str("component"),
            Self::Function(name, _) => write!(f, "function `{}`", shown(name)),
            Self::Parameter(function, name, _) => {
                write!(f, "`{}` of function `{}`", shown(name), shown(function))
            }
            Self::Value(function, _) => write!(f, "the value of function `{}`", shown(function)),
            Self::Type(name, _) => write!(f, "type `{}`", shown(name)),
            Self::Field(ty, name, _) | Self::Case(ty, name, _) => {
                write!(f, "`{}` of type `{}`", shown(name), shown(ty))
            }
        }
    }
}
