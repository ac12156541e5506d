//! The type model of typed exports.
//!
//! A type that is used in many places is there once, behind an [`Arc`], so a model is never
//! larger than the component that it was read from.

use std::sync::Arc;

use super::Notes;

/// A WIT type that a tool can take or give.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// `bool`.
    Bool,
    /// `char`.
    Char,
    /// `string`.
    String,
    /// `s8` to `u64`.
    Integer(Integer, Written),
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// `list<u8>`.
    Bytes,
    /// `list<T>` of anything else.
    List(Arc<Type>),
    /// `list<T, N>`.
    FixedList(Arc<Type>, u32),
    /// `list<tuple<K, V>>`, published as a map is.
    Pairs(Arc<Entry>),
    /// `map<K, V>`.
    Map(Arc<Entry>),
    /// `tuple<T, …>`.
    Tuple(Arc<[Type]>),
    /// `option<T>`.
    Option(Arc<Type>),
    /// `result<T, E>`.
    Result(Arc<Either>),
    /// A record, variant, enum or flags.
    Named(Arc<Named>),
    /// Another name for a type.
    Alias(Arc<Alias>),
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integer {
    /// -2^7 to 2^7-1.
    S8,
    /// -2^15 to 2^15-1.
    S16,
    /// -2^31 to 2^31-1.
    S32,
    /// -2^63 to 2^63-1.
    S64,
    /// 0 to 2^8-1.
    U8,
    /// 0 to 2^16-1.
    U16,
    /// 0 to 2^32-1.
    U32,
    /// 0 to 2^64-1.
    U64,
}

/// How integers are written in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Written {
    /// As numbers.
    #[default]
    Number,
    /// As strings of decimal digits, for clients that round what is beyond ±(2^53-1).
    Text,
}

impl Written {
    /// Whether it is as text.
    #[must_use]
    pub const fn is_text(self) -> bool {
        match self {
            Self::Text => true,
            Self::Number => false,
        }
    }
}

/// What a map, or a list of pairs, holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The type of keys.
    pub key: Type,
    /// The type of values.
    pub value: Type,
}

/// What a `result` holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Either {
    /// The payload of `ok`, if it has one.
    pub ok: Option<Type>,
    /// The payload of `err`, if it has one.
    pub err: Option<Type>,
}

/// A type that has a name and is published under it.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// In WIT, as in `weather-data`.
    pub wit_name: String,
    /// The interface that defines it, without package and version; none for a world's own type.
    pub interface: Option<String>,
    /// Docs and title.
    pub notes: Notes,
    /// What it is.
    pub definition: Definition,
}

/// What a named type is.
#[derive(Clone, Debug, PartialEq)]
pub enum Definition {
    /// `record`.
    Record(Vec<Field>),
    /// `variant`.
    Variant(Vec<Case>),
    /// `enum`.
    Enum(Vec<Label>),
    /// `flags`.
    Flags(Vec<Label>),
}

/// Another name for a type. It is not published but for its docs and constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    /// In WIT, as in `user-id`.
    pub wit_name: String,
    /// As of [`Named::interface`].
    pub interface: Option<String>,
    /// Docs and constraints.
    pub notes: Notes,
    /// What it stands for.
    pub ty: Type,
}

/// A field of a record, or a parameter of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// In WIT, as in `wind-speed`.
    pub wit_name: String,
    /// As published, as in `wind_speed`.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Docs, default and constraints.
    pub notes: Notes,
}

/// A case of a variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// In WIT and as published, as in `not-found`.
    pub name: String,
    /// Its payload, if it has one.
    pub payload: Option<Type>,
    /// Its docs.
    pub docs: Option<String>,
}

/// A case of an enum, or a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// In WIT and as published, as in `dark-red`.
    pub name: String,
    /// Its docs.
    pub docs: Option<String>,
}

impl Type {
    /// The type that this is, whatever its aliases.
    #[must_use]
    pub fn plain(&self) -> &Self {
        let mut ty = self;
        while let Self::Alias(alias) = ty {
            ty = &alias.ty;
        }
        ty
    }

    /// Whether `null` is one of its values, so that an option of it has to be tagged.
    #[must_use]
    pub fn is_option(&self) -> bool {
        matches!(self.plain(), Self::Option(_))
    }
}

impl Field {
    /// Whether arguments may leave it out: it has a default, or may be none.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.notes.default.is_some() || self.ty.is_option()
    }
}

impl Integer {
    /// The least and the greatest value.
    #[must_use]
    pub const fn range(self) -> (i128, i128) {
        match self {
            Self::S8 => (i8::MIN as i128, i8::MAX as i128),
            Self::S16 => (i16::MIN as i128, i16::MAX as i128),
            Self::S32 => (i32::MIN as i128, i32::MAX as i128),
            Self::S64 => (i64::MIN as i128, i64::MAX as i128),
            Self::U8 => (0, u8::MAX as i128),
            Self::U16 => (0, u16::MAX as i128),
            Self::U32 => (0, u32::MAX as i128),
            Self::U64 => (0, u64::MAX as i128),
        }
    }

    /// Whether some reader of JSON rounds some of its values.
    #[must_use]
    pub const fn is_large(self) -> bool {
        match self {
            Self::S64 | Self::U64 => true,
            Self::S8 | Self::S16 | Self::S32 | Self::U8 | Self::U16 | Self::U32 => false,
        }
    }
}
