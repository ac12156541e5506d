//! Whether a component is of the world that its docs are read from.
//!
//! Types are compared by what they are: aliases aside, and named types by name as well.

use std::collections::HashSet;
use std::sync::Arc;

use crate::present::clean;
use crate::schema::wit::{
    Definition, Either, Entry, Field, Function, Integer, Named, Read, Returns, Type,
};

/// Bytes of a name, or of a type as it is written in WIT, that an error repeats.
const SHOWN_BYTES_MAX: usize = 120;

/// Checks that `component` has every function of `world`, with the same types. It may have others.
///
/// # Errors
/// The first difference, in words.
pub(super) fn check(world: &Read, component: &Read) -> Result<(), String> {
    let refused = |whole: &str| component.refused.iter().find(|other| other.to_string() == whole);
    let mut differences = Differences::default();
    for function in &world.functions {
        let whole = function.to_string();
        match component.functions.iter().find(|other| other.to_string() == whole) {
            Some(other) => differences.function(function, other).map_or(Ok(()), Err)?,
            None => match refused(&whole) {
                Some(other) => {
                    let reason = &other.reason;
                    return Err(format!("its function `{}` is another: {reason}", shown(&whole)));
                }
                None => return Err(missing(&whole, component)),
            },
        }
    }
    for function in &world.refused {
        let whole = function.to_string();
        let is_there = component.functions.iter().any(|other| other.to_string() == whole);
        if !is_there && refused(&whole).is_none() {
            return Err(missing(&whole, component));
        }
    }
    Ok(())
}

fn missing(whole: &str, component: &Read) -> String {
    let near = |name: &String| strsim::jaro_winkler(whole, name);
    let names = component.functions.iter().map(ToString::to_string);
    let nearest = names.max_by(|one, other| near(one).total_cmp(&near(other)));
    let hint = nearest.map(|name| format!("; the nearest that it exports is `{}`", shown(&name)));
    format!("it does not export `{}`{}", shown(whole), hint.unwrap_or_default())
}

/// Finds the first difference; a pair of named types is looked at once.
#[derive(Default)]
struct Differences {
    seen: HashSet<(*const Named, *const Named)>,
}

impl Differences {
    fn function(&mut self, world: &Function, component: &Function) -> Option<String> {
        let at = format!("function `{}`", shown(&world.to_string()));
        let difference = self.fields("parameters", &world.parameters, &component.parameters);
        difference
            .or_else(|| self.returns(&world.returns, &component.returns))
            .map(|what| format!("{at}: {what}"))
    }

    fn returns(&mut self, world: &Returns, component: &Returns) -> Option<String> {
        let result = match (world, component) {
            (Returns::Value(one), Returns::Value(other)) => self.optional(one, other),
            (
                Returns::Fallible { ok: one, err: one_err },
                Returns::Fallible { ok: other, err: other_err },
            ) => self.optional(one, other).or_else(|| self.optional(one_err, other_err)),
            (Returns::Value(_), Returns::Fallible { .. }) => {
                Some("only the component's is a `result`".to_owned())
            }
            (Returns::Fallible { .. }, Returns::Value(_)) => {
                Some("only the WIT's is a `result`".to_owned())
            }
        };
        result.map(|what| format!("its result: {what}"))
    }

    fn fields(&mut self, what: &str, world: &[Field], component: &[Field]) -> Option<String> {
        let names =
            |fields: &[Field]| fields.iter().map(|f| f.wit_name.clone()).collect::<Vec<_>>();
        let difference = listed(what, &names(world), &names(component));
        difference.or_else(|| {
            let mut pairs = world.iter().zip(component);
            pairs.find_map(|(one, other)| {
                let difference = self.types(&one.ty, &other.ty)?;
                Some(format!("`{}`: {difference}", shown(&one.wit_name)))
            })
        })
    }

    fn optional(&mut self, world: &Option<Type>, component: &Option<Type>) -> Option<String> {
        match (world, component) {
            (Some(one), Some(other)) => self.types(one, other),
            (None, None) => None,
            (Some(one), None) => Some(differ(&written(one), "nothing")),
            (None, Some(other)) => Some(differ("nothing", &written(other))),
        }
    }

    fn types(&mut self, world: &Type, component: &Type) -> Option<String> {
        let (one, other) = (world.plain(), component.plain());
        match (one, other) {
            (Type::List(one), Type::List(other)) | (Type::Option(one), Type::Option(other)) => {
                self.types(one, other)
            }
            (Type::FixedList(one, length), Type::FixedList(other, other_length))
                if length == other_length =>
            {
                self.types(one, other)
            }
            (Type::Map(one), Type::Map(other)) | (Type::Pairs(one), Type::Pairs(other)) => {
                self.entries(one, other)
            }
            (Type::Tuple(one), Type::Tuple(other)) if one.len() == other.len() => {
                one.iter().zip(&**other).find_map(|(one, other)| self.types(one, other))
            }
            (Type::Result(one), Type::Result(other)) => self.eithers(one, other),
            (Type::Named(one), Type::Named(other)) if one.wit_name == other.wit_name => {
                self.named(one, other)
            }
            (one, other) if is_leaf(one) && one == other => None,
            (one, other) => Some(differ(&written(one), &written(other))),
        }
    }

    fn entries(&mut self, world: &Entry, component: &Entry) -> Option<String> {
        let key = self.types(&world.key, &component.key);
        key.or_else(|| self.types(&world.value, &component.value))
    }

    fn eithers(&mut self, world: &Either, component: &Either) -> Option<String> {
        let ok = self.optional(&world.ok, &component.ok);
        ok.or_else(|| self.optional(&world.err, &component.err))
    }

    fn named(&mut self, world: &Arc<Named>, component: &Arc<Named>) -> Option<String> {
        if !self.seen.insert((Arc::as_ptr(world), Arc::as_ptr(component))) {
            return None;
        }
        let difference = match (&world.definition, &component.definition) {
            (Definition::Record(one), Definition::Record(other)) => {
                self.fields("fields", one, other)
            }
            (Definition::Variant(one), Definition::Variant(other)) => {
                let names = |cases: &[crate::schema::wit::Case]| {
                    cases.iter().map(|case| case.name.clone()).collect::<Vec<_>>()
                };
                listed("cases", &names(one), &names(other)).or_else(|| {
                    one.iter().zip(other).find_map(|(one, other)| {
                        let difference = self.optional(&one.payload, &other.payload)?;
                        Some(format!("`{}`: {difference}", shown(&one.name)))
                    })
                })
            }
            (Definition::Enum(one), Definition::Enum(other))
            | (Definition::Flags(one), Definition::Flags(other)) => {
                let names = |labels: &[crate::schema::wit::Label]| {
                    labels.iter().map(|label| label.name.clone()).collect::<Vec<_>>()
                };
                listed("cases", &names(one), &names(other))
            }
            (one, other) => Some(differ(kind(one), kind(other))),
        };
        difference.map(|what| format!("type `{}`: {what}", shown(&world.wit_name)))
    }
}

fn listed(what: &str, world: &[String], component: &[String]) -> Option<String> {
    let list = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        if names.is_empty() { "none".to_owned() } else { shown(&names.join(", ")) }
    };
    let (one, other) = (list(world), list(component));
    (world != component)
        .then(|| format!("its {what} are {one} in the WIT, {other} in the component"))
}

fn differ(world: &str, component: &str) -> String {
    format!("{} in the WIT, {} in the component", shown(world), shown(component))
}

fn is_leaf(ty: &Type) -> bool {
    match ty {
        Type::Bool
        | Type::Char
        | Type::String
        | Type::Integer(..)
        | Type::F32
        | Type::F64
        | Type::Bytes => true,
        Type::List(_)
        | Type::FixedList(..)
        | Type::Pairs(_)
        | Type::Map(_)
        | Type::Tuple(_)
        | Type::Option(_)
        | Type::Result(_)
        | Type::Named(_)
        | Type::Alias(_) => false,
    }
}

fn kind(definition: &Definition) -> &'static str {
    match definition {
        Definition::Record(_) => "a record",
        Definition::Variant(_) => "a variant",
        Definition::Enum(_) => "an enum",
        Definition::Flags(_) => "flags",
    }
}

/// As in WIT.
fn written(ty: &Type) -> String {
    let of = |types: &[&Type]| types.iter().map(|ty| written(ty)).collect::<Vec<_>>().join(", ");
    let half = |ty: &Option<Type>| ty.as_ref().map_or_else(|| "_".to_owned(), written);
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Char => "char".to_owned(),
        Type::String => "string".to_owned(),
        Type::Integer(integer, _) => integer_name(*integer).to_owned(),
        Type::F32 => "f32".to_owned(),
        Type::F64 => "f64".to_owned(),
        Type::Bytes => "list<u8>".to_owned(),
        Type::List(inner) => format!("list<{}>", of(&[inner])),
        Type::FixedList(inner, length) => format!("list<{}, {length}>", of(&[inner])),
        Type::Pairs(entry) => format!("list<tuple<{}>>", of(&[&entry.key, &entry.value])),
        Type::Map(entry) => format!("map<{}>", of(&[&entry.key, &entry.value])),
        Type::Tuple(types) => format!("tuple<{}>", of(&types.iter().collect::<Vec<_>>())),
        Type::Option(inner) => format!("option<{}>", of(&[inner])),
        Type::Result(either) => format!("result<{}, {}>", half(&either.ok), half(&either.err)),
        Type::Named(named) => named.wit_name.clone(),
        Type::Alias(alias) => written(&alias.ty),
    }
}

fn integer_name(integer: Integer) -> &'static str {
    match integer {
        Integer::S8 => "s8",
        Integer::S16 => "s16",
        Integer::S32 => "s32",
        Integer::S64 => "s64",
        Integer::U8 => "u8",
        Integer::U16 => "u16",
        Integer::U32 => "u32",
        Integer::U64 => "u64",
    }
}

fn shown(text: &str) -> String {
    clean::bounded(text, SHOWN_BYTES_MAX)
}
