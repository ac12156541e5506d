//! The docs of the .wit source, and over them what the overlay file says.
//!
//! Every key is the whole name of something that the component has.

use std::collections::HashSet;
use std::sync::Arc;

use indexmap::IndexMap;

use super::Said;
use super::said::{FunctionSaid, PlaceSaid, TypeSaid};
use crate::schema::wit::{Alias, Definition, Field, Function, Named, Read, Returns, Type};

impl Said {
    /// What is said of `component` by the docs in `world`, but for what is said here.
    pub(super) fn merged(&self, world: &Read, component: &Read) -> Self {
        let mut functions = IndexMap::new();
        let mut add = |whole: String, said: FunctionSaid| functions.insert(whole, said);
        let mut types = Types::default();
        let mut documented = Types::default();
        for function in &component.functions {
            let said = self.function(function, &function.wit_name).cloned().unwrap_or_default();
            let whole = function.to_string();
            let source = world.functions.iter().find(|source| source.to_string() == whole);
            if !said.leave_out {
                types.function(function);
                if let Some(source) = source {
                    documented.function(source);
                }
            }
            let docs = source.filter(|_| !said.leave_out).and_then(|source| source.docs.clone());
            let description = said.description.clone().or(docs);
            add(whole, FunctionSaid { description, ..said });
        }
        for function in &component.refused {
            if let Some(said) = self.function(function, &function.wit_name) {
                add(function.to_string(), said.clone());
            }
        }
        let types = types.found.into_keys().map(|name| {
            let own = self.types.get(&name).or_else(|| self.types.get(bare(&name)));
            let docs = documented.found.get(&name).cloned().flatten();
            let said = over(own.cloned().unwrap_or_default(), docs.unwrap_or_default());
            (name, said)
        });
        let types = without_idle(types.collect(), bare);
        let functions = without_idle(functions, function_name);
        let (component, requires) = (self.component.clone(), self.requires.clone());
        Self { component, requires, types, functions }
    }
}

/// The name of a type without that of its interface.
fn bare(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, bare)| bare)
}

/// The name of a function without that of its instance.
fn function_name(whole: &str) -> &str {
    whole.rsplit_once('#').map_or(whole, |(_, name)| name)
}

/// The entries that say something, and those that keep another, by the short name, from being
/// taken for theirs.
fn without_idle<T: Default + PartialEq>(
    entries: IndexMap<String, T>,
    short: impl Fn(&str) -> &str,
) -> IndexMap<String, T> {
    let speaks = |entry: Option<&T>| entry.is_some_and(|said| *said != T::default());
    let is_kept: Vec<bool> = entries
        .iter()
        .map(|(name, said)| speaks(Some(said)) || speaks(entries.get(short(name))))
        .collect();
    let kept = entries.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept);
    kept.map(|(entry, _)| entry).collect()
}

/// `said`, and the docs where it has none.
fn over(mut said: TypeSaid, docs: TypeSaid) -> TypeSaid {
    said.description = said.description.or(docs.description);
    for (name, docs) in docs.fields {
        let field = said.fields.entry(name).or_default();
        field.description = field.description.take().or(docs.description);
    }
    for (name, docs) in docs.cases {
        said.cases.entry(name).or_insert(docs);
    }
    said
}

/// The docs of all types that functions use, by their whole names.
#[derive(Default)]
struct Types {
    /// None where two types of one name say different things.
    found: IndexMap<String, Option<TypeSaid>>,
    seen: HashSet<*const Named>,
    aliases: HashSet<*const Alias>,
}

impl Types {
    fn function(&mut self, function: &Function) {
        self.fields(&function.parameters);
        match &function.returns {
            Returns::Value(ty) => self.optional(ty),
            Returns::Fallible { ok, err } => {
                self.optional(ok);
                self.optional(err);
            }
        }
    }

    fn fields(&mut self, fields: &[Field]) {
        fields.iter().for_each(|field| self.visit(&field.ty));
    }

    fn optional(&mut self, ty: &Option<Type>) {
        ty.iter().for_each(|ty| self.visit(ty));
    }

    fn visit(&mut self, ty: &Type) {
        match ty {
            Type::Bool
            | Type::Char
            | Type::String
            | Type::Integer(..)
            | Type::F32
            | Type::F64
            | Type::Bytes => {}
            Type::List(inner) | Type::FixedList(inner, _) | Type::Option(inner) => {
                self.visit(inner);
            }
            Type::Pairs(entry) | Type::Map(entry) => {
                self.visit(&entry.key);
                self.visit(&entry.value);
            }
            Type::Tuple(types) => types.iter().for_each(|ty| self.visit(ty)),
            Type::Result(either) => {
                self.optional(&either.ok);
                self.optional(&either.err);
            }
            Type::Named(named) => self.named(named),
            Type::Alias(alias) => self.alias(alias),
        }
    }

    fn named(&mut self, named: &Arc<Named>) {
        if !self.seen.insert(Arc::as_ptr(named)) {
            return;
        }
        let mut said =
            TypeSaid { description: named.notes.description.clone(), ..TypeSaid::default() };
        match &named.definition {
            Definition::Record(fields) => {
                said.fields = documented(fields);
                self.fields(fields);
            }
            Definition::Variant(cases) => {
                let docs = cases.iter().map(|case| (&case.name, &case.docs));
                said.cases = said_of(docs);
                cases.iter().for_each(|case| self.optional(&case.payload));
            }
            Definition::Enum(labels) | Definition::Flags(labels) => {
                said.cases = said_of(labels.iter().map(|label| (&label.name, &label.docs)));
            }
        }
        self.add(&named.wit_name, named.interface.as_deref(), said);
    }

    fn alias(&mut self, alias: &Arc<Alias>) {
        if !self.aliases.insert(Arc::as_ptr(alias)) {
            return;
        }
        self.visit(&alias.ty);
        let description = alias.notes.description.clone();
        let said = TypeSaid { description, ..TypeSaid::default() };
        self.add(&alias.wit_name, alias.interface.as_deref(), said);
    }

    fn add(&mut self, name: &str, interface: Option<&str>, said: TypeSaid) {
        let name = match interface {
            Some(interface) => format!("{interface}.{name}"),
            None => name.to_owned(),
        };
        match self.found.entry(name) {
            indexmap::map::Entry::Vacant(entry) => {
                entry.insert(Some(said));
            }
            indexmap::map::Entry::Occupied(mut entry) => {
                if entry.get().as_ref() != Some(&said) {
                    entry.insert(None);
                }
            }
        }
    }
}

fn documented(fields: &[Field]) -> IndexMap<String, PlaceSaid> {
    let docs = fields.iter().map(|field| (&field.wit_name, &field.notes.description));
    let place = |docs| PlaceSaid { description: Some(docs), ..PlaceSaid::default() };
    said_of(docs).into_iter().map(|(name, docs)| (name, place(docs))).collect()
}

/// The docs of those that have some.
fn said_of<'a>(
    docs: impl Iterator<Item = (&'a String, &'a Option<String>)>,
) -> IndexMap<String, String> {
    docs.filter_map(|(name, docs)| Some((name.clone(), docs.clone()?))).collect()
}
