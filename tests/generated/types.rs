//! WIT types, as this test crate understands them.

use wit_parser::{Resolve, Type, TypeDefKind};

/// A type, whatever its aliases.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ty {
    Bool,
    Char,
    String,
    Integer(Integer),
    F32,
    F64,
    List(Box<Ty>),
    Map(Box<Ty>, Box<Ty>),
    Tuple(Vec<Ty>),
    Option(Box<Ty>),
    Result(Option<Box<Ty>>, Option<Box<Ty>>),
    /// A name, and names and types of fields.
    Record(String, Vec<(String, Ty)>),
    /// A name, and names and payloads of cases.
    Variant(String, Vec<(String, Option<Ty>)>),
    /// A name, and names of cases.
    Enum(String, Vec<String>),
    /// A name, and names of flags.
    Flags(String, Vec<String>),
}

/// An integer type: `s` or `u`, and how many bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Integer {
    pub(crate) is_signed: bool,
    pub(crate) bytes: u32,
}

impl Integer {
    /// The least and the greatest value.
    pub(crate) fn range(self) -> (i128, i128) {
        let values = 1_i128 << (8 * self.bytes);
        if self.is_signed { (-values / 2, values / 2 - 1) } else { (0, values - 1) }
    }
}

impl Ty {
    /// Reads a type of a parsed package.
    pub(crate) fn of(resolve: &Resolve, ty: &Type) -> Self {
        let integer = |is_signed, bytes| Self::Integer(Integer { is_signed, bytes });
        match ty {
            Type::Bool => Self::Bool,
            Type::U8 => integer(false, 1),
            Type::U16 => integer(false, 2),
            Type::U32 => integer(false, 4),
            Type::U64 => integer(false, 8),
            Type::S8 => integer(true, 1),
            Type::S16 => integer(true, 2),
            Type::S32 => integer(true, 4),
            Type::S64 => integer(true, 8),
            Type::F32 => Self::F32,
            Type::F64 => Self::F64,
            Type::Char => Self::Char,
            Type::String => Self::String,
            Type::ErrorContext => panic!("no tool has an error-context"),
            Type::Id(id) => Self::defined(resolve, &resolve.types[*id]),
        }
    }

    fn defined(resolve: &Resolve, definition: &wit_parser::TypeDef) -> Self {
        let of = |ty: &Type| Self::of(resolve, ty);
        let boxed = |ty: &Type| Box::new(of(ty));
        let name = || definition.name.clone().unwrap_or_default();
        match &definition.kind {
            TypeDefKind::Record(record) => Self::Record(
                name(),
                record.fields.iter().map(|field| (field.name.clone(), of(&field.ty))).collect(),
            ),
            TypeDefKind::Variant(variant) => Self::Variant(
                name(),
                variant
                    .cases
                    .iter()
                    .map(|case| (case.name.clone(), case.ty.as_ref().map(of)))
                    .collect(),
            ),
            TypeDefKind::Enum(cases) => {
                Self::Enum(name(), cases.cases.iter().map(|case| case.name.clone()).collect())
            }
            TypeDefKind::Flags(flags) => {
                Self::Flags(name(), flags.flags.iter().map(|flag| flag.name.clone()).collect())
            }
            TypeDefKind::Tuple(tuple) => Self::Tuple(tuple.types.iter().map(of).collect()),
            TypeDefKind::Option(inner) => Self::Option(boxed(inner)),
            TypeDefKind::Result(either) => {
                Self::Result(either.ok.as_ref().map(boxed), either.err.as_ref().map(boxed))
            }
            TypeDefKind::List(element) => Self::List(boxed(element)),
            TypeDefKind::Map(key, value) => Self::Map(boxed(key), boxed(value)),
            TypeDefKind::Type(inner) => of(inner),
            TypeDefKind::FixedLengthList(..)
            | TypeDefKind::Resource
            | TypeDefKind::Handle(_)
            | TypeDefKind::Future(_)
            | TypeDefKind::Stream(_)
            | TypeDefKind::Unknown => {
                panic!("no generated guest has a {}", definition.kind.as_str())
            }
        }
    }

    /// Whether it is `list<u8>`, which is published as one string.
    pub(crate) fn is_bytes(&self) -> bool {
        let byte = Self::Integer(Integer { is_signed: false, bytes: 1 });
        matches!(self, Self::List(element) if **element == byte)
    }
}
