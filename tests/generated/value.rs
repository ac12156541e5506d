//! Values of WIT types. What a value is of is said by the type beside it.

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Bool(bool),
    Char(char),
    String(String),
    Integer(i128),
    F32(f32),
    F64(f64),
    List(Vec<Value>),
    /// A list of as many elements that are one, in memory too where they have an address.
    Same(Box<Value>, usize),
    Map(Vec<(Value, Value)>),
    /// The fields of a record or the elements of a tuple, in order.
    Fields(Vec<Value>),
    Option(Option<Box<Value>>),
    /// The index of a case of a variant, an enum or a result (`ok` is 0), and its payload.
    Case(usize, Option<Box<Value>>),
    /// Which flags are set, in order.
    Flags(Vec<bool>),
}
