//! How large the schema of a type is.
//!
//! A small component can describe a very large tree; it is measured before it is built, in
//! steps bounded by [`SCHEMAS_MAX`].

use std::collections::HashSet;
use std::sync::Arc;

use super::{Definition, Function, Named, Refused, SCHEMAS_MAX, Type};

/// Checks both schemas of a function.
///
/// # Errors
/// [`Refused::TooLarge`].
pub(super) fn check(function: &Function) -> Result<(), Refused> {
    let mut arguments = Measure::new();
    let fits = function.parameters.iter().all(|parameter| arguments.add(&parameter.ty));
    if !fits {
        return Err(Refused::TooLarge { what: "arguments" });
    }
    if !function.value().is_none_or(|value| Measure::new().add(value)) {
        return Err(Refused::TooLarge { what: "result" });
    }
    Ok(())
}

struct Measure {
    left: usize,
    /// Named types are there once.
    named: HashSet<*const Named>,
}

impl Measure {
    fn new() -> Self {
        Self { left: SCHEMAS_MAX, named: HashSet::new() }
    }

    /// Whether the schema of a type still fits.
    fn add(&mut self, ty: &Type) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        match ty {
            Type::Bool
            | Type::Char
            | Type::String
            | Type::Integer(..)
            | Type::F32
            | Type::F64
            | Type::Bytes => true,
            Type::List(inner) | Type::FixedList(inner, _) | Type::Option(inner) => self.add(inner),
            // A pair in an array is a tuple, whose elements are there twice.
            Type::Map(entry) | Type::Pairs(entry) => {
                [&entry.key, &entry.value, &entry.key, &entry.value]
                    .into_iter()
                    .all(|ty| self.add(ty))
            }
            Type::Tuple(elements) => elements.iter().chain(&**elements).all(|ty| self.add(ty)),
            Type::Result(either) => {
                [&either.ok, &either.err].into_iter().flatten().all(|ty| self.add(ty))
            }
            Type::Named(named) => self.named(named),
            Type::Alias(alias) => self.add(&alias.ty),
        }
    }

    fn named(&mut self, named: &Arc<Named>) -> bool {
        if !self.named.insert(Arc::as_ptr(named)) {
            return true;
        }
        match &named.definition {
            Definition::Record(fields) => fields.iter().all(|field| self.add(&field.ty)),
            Definition::Variant(cases) => {
                cases.iter().all(|case| case.payload.as_ref().is_none_or(|ty| self.add(ty)))
            }
            Definition::Enum(_) | Definition::Flags(_) => true,
        }
    }
}
