//! A function that is a tool.
//!
//! Its WIT name and its [`Export`] find it in the component; its tool name is what clients see,
//! but for a prefix.

use super::{Field, Notes, Type};

/// A function of a component that can be called as a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Where it is exported.
    pub export: Export,
    /// In WIT, as in `get-weather`.
    pub wit_name: String,
    /// Of the tool, as in `get_weather`.
    pub tool_name: String,
    /// Its docs.
    pub docs: Option<String>,
    /// In the order of declaration.
    pub parameters: Vec<Field>,
    /// What it gives.
    pub returns: Returns,
    /// Docs and constraints of the value that it gives.
    pub value_notes: Notes,
}

/// Where a component exports a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Export {
    /// By the component itself.
    World,
    /// By an instance of this name, as in `example:weather/api@1.0.0`.
    Instance(String),
}

/// What a function gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Returns {
    /// A value, or nothing.
    Value(Option<Type>),
    /// `result<T, E>`: `ok` is the value, `err` fails the tool.
    Fallible {
        /// The type of the value, if there is one.
        ok: Option<Type>,
        /// The type of what is said of a failure, if anything is.
        err: Option<Type>,
    },
}

impl Function {
    /// The type of the value that is published; none for no result.
    #[must_use]
    pub fn value(&self) -> Option<&Type> {
        match &self.returns {
            Returns::Value(ty) | Returns::Fallible { ok: ty, err: _ } => ty.as_ref(),
        }
    }

    /// Whether it gives bytes and nothing else, and always does.
    #[must_use]
    pub fn returns_bytes(&self) -> bool {
        match &self.returns {
            Returns::Value(Some(ty)) => matches!(ty.plain(), Type::Bytes),
            Returns::Value(None) | Returns::Fallible { .. } => false,
        }
    }
}

/// As in `example:weather/api@1.0.0#get-weather`.
impl std::fmt::Display for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.export.named(&self.wit_name, f)
    }
}

impl Export {
    /// Writes the whole name of a function that is exported here.
    pub(super) fn named(
        &self,
        function: &str,
        f: &mut std::fmt::Formatter<'_>,
    ) -> std::fmt::Result {
        match self {
            Self::World => f.write_str(function),
            Self::Instance(instance) => write!(f, "{instance}#{function}"),
        }
    }
}
