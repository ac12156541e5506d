//! The members of types: elements, fields and cases.
//!
//! None are too many, and no two look alike.

use wit_parser::{Type as WitType, TypeDef};

use super::convert::Converter;
use super::refused::shown;
use super::{
    CASES_MAX, Case, FIELDS_MAX, Field, Label, NAME_BYTES_MAX, Notes, Refused, Type, docs, names,
};

impl Converter<'_> {
    pub(super) fn tuple(&mut self, types: &[WitType], levels: &mut usize) -> Result<Type, Refused> {
        self.not_empty(types.len(), "elements")?;
        if types.len() > FIELDS_MAX {
            let (name, fields) = (self.place.clone(), types.len());
            return Err(Refused::TooManyFields { name, what: "elements of a tuple", fields });
        }
        let elements = types.iter().map(|ty| self.within(ty, levels));
        Ok(Type::Tuple(elements.collect::<Result<_, _>>()?))
    }

    pub(super) fn fields(
        &mut self,
        definition: &TypeDef,
        fields: &[wit_parser::Field],
        levels: &mut usize,
    ) -> Result<Vec<Field>, Refused> {
        self.not_empty(fields.len(), "fields")?;
        let owner = owner(definition);
        check_fields("fields", &owner, fields.iter().map(|field| field.name.as_str()))?;
        let fields = fields.iter().map(|field| {
            let ty = self.within(&field.ty, levels)?;
            let notes = Notes::of_docs(docs::published(&field.docs));
            Ok(Field { wit_name: field.name.clone(), name: names::snake(&field.name), ty, notes })
        });
        fields.collect()
    }

    pub(super) fn cases(
        &mut self,
        definition: &TypeDef,
        cases: &[wit_parser::Case],
        levels: &mut usize,
    ) -> Result<Vec<Case>, Refused> {
        self.check_cases(definition, cases.iter().map(|case| case.name.as_str()))?;
        let cases = cases.iter().map(|case| {
            let payload = case.ty.as_ref().map(|ty| self.within(ty, levels)).transpose()?;
            Ok(Case { name: case.name.clone(), payload, docs: docs::published(&case.docs) })
        });
        cases.collect()
    }

    pub(super) fn labels<'d>(
        &self,
        definition: &TypeDef,
        labels: impl Iterator<Item = (&'d String, &'d wit_parser::Docs)> + Clone,
    ) -> Result<Vec<Label>, Refused> {
        self.check_cases(definition, labels.clone().map(|(name, _)| name.as_str()))?;
        let label =
            |(name, docs): (&String, _)| Label { name: name.clone(), docs: docs::published(docs) };
        Ok(labels.map(label).collect())
    }

    fn check_cases<'n>(
        &self,
        definition: &TypeDef,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> Result<(), Refused> {
        let cases = names.clone().count();
        self.not_empty(cases, "cases")?;
        if cases > CASES_MAX {
            return Err(Refused::TooManyCases { name: owner(definition), cases });
        }
        names.clone().try_for_each(check_name)?;
        names::distinct("cases", &owner(definition), names)
    }

    fn not_empty(&self, count: usize, what: &'static str) -> Result<(), Refused> {
        if count > 0 { Ok(()) } else { Err(Refused::Empty { place: self.place.clone(), what }) }
    }
}

/// A type as errors have it.
fn owner(definition: &TypeDef) -> String {
    format!("`{}`", shown(definition.name.as_deref().unwrap_or_default()))
}

/// Checks the names of fields or parameters.
pub(super) fn check_fields<'n>(
    what: &'static str,
    owner: &str,
    names: impl Iterator<Item = &'n str> + Clone,
) -> Result<(), Refused> {
    let fields = names.clone().count();
    if fields > FIELDS_MAX {
        return Err(Refused::TooManyFields { name: owner.to_owned(), what, fields });
    }
    names.clone().try_for_each(check_name)?;
    names::distinct(what, owner, names)
}

/// Checks the length of a name.
pub(super) fn check_name(name: &str) -> Result<(), Refused> {
    let bytes = name.len();
    if bytes > NAME_BYTES_MAX {
        return Err(Refused::NameTooLong { name: shown(name), bytes });
    }
    Ok(())
}
