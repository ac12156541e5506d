//! Why a component, or a function of it, cannot be served as typed exports.
//!
//! Every text is one line, bounded and clean.

use super::{
    CASES_MAX, DOCS_SECTION_BYTES_MAX, FIELDS_MAX, FUNCTIONS_MAX, NAME_BYTES_MAX, SCHEMAS_MAX,
    TYPE_DEPTH_MAX,
};
use crate::present::clean;

/// Bytes of a name that an error repeats.
const NAME_SHOWN_BYTES_MAX: usize = 120;
/// Bytes of another library's account of what is wrong.
const WHY_BYTES_MAX: usize = 300;

/// Why a component or a function is refused. The tool's author must act.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The component's types cannot be read.
    #[error("its types cannot be read: {0}")]
    Unreadable(String),
    /// The file holds WIT, and nothing that runs.
    #[error("it is a WIT package, not a component; build a component for one of its worlds")]
    WitPackage,
    /// A `package-docs` section is no good. The component works, undocumented.
    #[error("its `package-docs` section is not read: {0}")]
    Docs(String),
    /// Too many functions.
    #[error("it exports {functions} functions, more than {FUNCTIONS_MAX}")]
    TooManyFunctions {
        /// Functions that it exports.
        functions: usize,
    },
    /// A type that has no values of its own outside of the component.
    #[error("{place} is or holds the {kind} `{name}`, which cannot leave a component")]
    Handle {
        /// Where, as in ``parameter `input` ``.
        place: String,
        /// `resource`, `stream`, `future` or `error-context`.
        kind: &'static str,
        /// Its name, or how it is written in WIT.
        name: String,
    },
    /// A function of a resource.
    #[error("it is a function of the resource `{resource}`; export a plain function")]
    OfResource {
        /// The resource.
        resource: String,
    },
    /// An async function.
    #[error("it is an async function, which this version does not call; export a plain one")]
    Async,
    /// Types within types, too many levels.
    #[error("{place} has types nested deeper than {TYPE_DEPTH_MAX} levels")]
    TooDeep {
        /// Where.
        place: String,
    },
    /// Too many cases.
    #[error("{name} has {cases} cases, more than {CASES_MAX}")]
    TooManyCases {
        /// The type.
        name: String,
        /// Cases that it has.
        cases: usize,
    },
    /// Too many fields, elements or parameters.
    #[error("{name} has {fields} {what}, more than {FIELDS_MAX}")]
    TooManyFields {
        /// The type, or `it` for the function.
        name: String,
        /// What there are too many of.
        what: &'static str,
        /// How many it has.
        fields: usize,
    },
    /// A type that has no values, or one.
    #[error("{place} holds a type without {what}")]
    Empty {
        /// Where.
        place: String,
        /// What is not there.
        what: &'static str,
    },
    /// Its schema would be too large.
    #[error("the schema of its {what} would have more than {SCHEMAS_MAX} parts")]
    TooLarge {
        /// `arguments` or `result`.
        what: &'static str,
    },
    /// A name is too long.
    #[error("the name `{name}` has {bytes} bytes, more than {NAME_BYTES_MAX}")]
    NameTooLong {
        /// The name, cut.
        name: String,
        /// Bytes that it has.
        bytes: usize,
    },
    /// Two names that a reader takes for one.
    #[error("the {what} `{one}` and `{other}` of {owner} look alike as published; rename one")]
    Alike {
        /// What has the names.
        what: &'static str,
        /// The type, or `it` for the function.
        owner: String,
        /// The one.
        one: String,
        /// The other.
        other: String,
    },
    /// Two functions that would be tools of one name.
    #[error("`{other}` has the same tool name, `{tool_name}`; leave one of them out")]
    SameTool {
        /// The other function.
        other: String,
        /// The name of both.
        tool_name: String,
    },
}

impl Refused {
    pub(super) fn unreadable(why: &str) -> Self {
        Self::Unreadable(clean::bounded(&why.replace('\n', " "), WHY_BYTES_MAX))
    }

    pub(super) fn docs(why: &str) -> Self {
        Self::Docs(clean::bounded(&why.replace('\n', " "), WHY_BYTES_MAX))
    }

    pub(super) fn docs_too_large(bytes: usize) -> Self {
        Self::docs(&format!("it has {bytes} bytes, more than {DOCS_SECTION_BYTES_MAX}"))
    }

    pub(super) fn alike(what: &'static str, owner: &str, one: &str, other: &str) -> Self {
        let [one, other] = [one, other].map(shown);
        Self::Alike { what, owner: owner.to_owned(), one, other }
    }
}

/// A name as an error repeats it.
pub(super) fn shown(name: &str) -> String {
    clean::bounded(name, NAME_SHOWN_BYTES_MAX)
}
