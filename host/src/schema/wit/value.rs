//! Values of the type model.
//!
//! They are shaped as the canonical ABI's dynamic values are, so either becomes the other by
//! moving its parts, without a look at the type.

use super::Integer;

/// A value of a [`super::Type`].
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `bool`.
    Bool(bool),
    /// `s8`.
    S8(i8),
    /// `s16`.
    S16(i16),
    /// `s32`.
    S32(i32),
    /// `s64`.
    S64(i64),
    /// `u8`.
    U8(u8),
    /// `u16`.
    U16(u16),
    /// `u32`.
    U32(u32),
    /// `u64`.
    U64(u64),
    /// `f32`.
    F32(f32),
    /// `f64`.
    F64(f64),
    /// `char`.
    Char(char),
    /// `string`.
    String(String),
    /// `list<u8>`; a [`Value::List`] of [`Value::U8`] is written alike.
    Bytes(Vec<u8>),
    /// `list<T>`, a list of pairs among them.
    List(Vec<Self>),
    /// `list<T, N>`.
    FixedList(Vec<Self>),
    /// `map<K, V>`.
    Map(Vec<(Self, Self)>),
    /// `tuple<T, …>`.
    Tuple(Vec<Self>),
    /// A record: WIT names and values, in the order of declaration.
    Record(Vec<(String, Self)>),
    /// A variant: the name of the case, and its payload.
    Variant(String, Option<Box<Self>>),
    /// An enum: the name of the case.
    Enum(String),
    /// The names of the flags that are set, in the order of declaration.
    Flags(Vec<String>),
    /// `option<T>`.
    Option(Option<Box<Self>>),
    /// `result<T, E>`.
    Result(Result<Option<Box<Self>>, Option<Box<Self>>>),
}

impl Value {
    /// The number that an integer is.
    pub(super) fn integer(&self) -> Option<(Integer, i128)> {
        match self {
            Self::S8(n) => Some((Integer::S8, i128::from(*n))),
            Self::S16(n) => Some((Integer::S16, i128::from(*n))),
            Self::S32(n) => Some((Integer::S32, i128::from(*n))),
            Self::S64(n) => Some((Integer::S64, i128::from(*n))),
            Self::U8(n) => Some((Integer::U8, i128::from(*n))),
            Self::U16(n) => Some((Integer::U16, i128::from(*n))),
            Self::U32(n) => Some((Integer::U32, i128::from(*n))),
            Self::U64(n) => Some((Integer::U64, i128::from(*n))),
            Self::Bool(_)
            | Self::F32(_)
            | Self::F64(_)
            | Self::Char(_)
            | Self::String(_)
            | Self::Bytes(_)
            | Self::List(_)
            | Self::FixedList(_)
            | Self::Map(_)
            | Self::Tuple(_)
            | Self::Record(_)
            | Self::Variant(..)
            | Self::Enum(_)
            | Self::Flags(_)
            | Self::Option(_)
            | Self::Result(_) => None,
        }
    }

    /// The integer `n` of a type; none if it is out of range.
    pub(super) fn of_integer(integer: Integer, n: i128) -> Option<Self> {
        match integer {
            Integer::S8 => n.try_into().ok().map(Self::S8),
            Integer::S16 => n.try_into().ok().map(Self::S16),
            Integer::S32 => n.try_into().ok().map(Self::S32),
            Integer::S64 => n.try_into().ok().map(Self::S64),
            Integer::U8 => n.try_into().ok().map(Self::U8),
            Integer::U16 => n.try_into().ok().map(Self::U16),
            Integer::U32 => n.try_into().ok().map(Self::U32),
            Integer::U64 => n.try_into().ok().map(Self::U64),
        }
    }
}
