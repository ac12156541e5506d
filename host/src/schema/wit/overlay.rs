//! What WIT cannot say, and a descriptor adds.
//!
//! An overlay only narrows and describes: it never changes what a function takes or gives.

use indexmap::IndexMap;

use super::{Notes, Written};
use crate::present::clean;

/// Bytes of an account of what is wrong.
const WHAT_BYTES_MAX: usize = 400;

/// What is said of a component's functions and types, by their WIT names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay {
    /// By name, as in `parcel`, or `api.parcel` for that of one interface alone.
    pub types: IndexMap<String, TypeOverlay>,
    /// By name, as in `get-weather`, or as exported, `example:weather/api@1.0.0#get-weather`.
    pub functions: IndexMap<String, FunctionOverlay>,
}

/// What is said of a type, wherever it is used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypeOverlay {
    /// Of the type itself.
    pub whole: Annotation,
    /// Of a record's fields.
    pub fields: IndexMap<String, Annotation>,
    /// Docs of the cases of a variant or an enum, or of flags, in place of theirs.
    pub cases: IndexMap<String, String>,
}

/// What is said of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionOverlay {
    /// In place of its docs.
    pub docs: Option<String>,
    /// How `s64` and `u64` are written wherever nothing else is said of them. Default: as numbers.
    pub large_integers: Written,
    /// Of its parameters.
    pub parameters: IndexMap<String, Annotation>,
    /// Of the value that it gives.
    pub value: Annotation,
}

/// What is said of a type at one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotation {
    /// In place of what is known, as far as given. A default is for parameters and fields.
    pub notes: Notes,
    /// How the `s64` or `u64` that is here, in an option or in a list is written.
    pub large_integers: Option<Written>,
    /// Whether the `list<tuple<K, V>>` that is here is published as a map is.
    pub pairs_as_map: bool,
}

/// Something that an overlay says and that does not fit the component. The tool's author must
/// act.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct OverlayFault {
    place: String,
    what: String,
}

impl OverlayFault {
    pub(super) fn new(place: &str, what: &str) -> Self {
        let clean = |text: &str| clean::bounded(&text.replace('\n', " "), WHAT_BYTES_MAX);
        Self { place: clean(place), what: clean(what) }
    }

    /// For a short name that could mean things of this `kind`, each of which has its whole name
    /// there as well.
    pub(crate) fn covered(place: &str, name: &str, kind: &str) -> Self {
        let whole = format!("the whole name of every {kind} that it could mean");
        Self::new(place, &format!("`{name}` is covered by {whole}; remove it"))
    }

    /// For a name that nothing has.
    pub(super) fn unknown<'n>(
        place: &str,
        name: &str,
        known: impl Iterator<Item = &'n str>,
    ) -> Self {
        let nearest = known.max_by(|one, other| {
            strsim::jaro_winkler(name, one).total_cmp(&strsim::jaro_winkler(name, other))
        });
        let hint = nearest.map_or_else(String::new, |name| format!("; the nearest is `{name}`"));
        Self::new(place, &format!("the component has no `{name}` here{hint}"))
    }
}

impl Notes {
    /// These notes, but for what `others` say.
    pub(super) fn under(&self, others: &Self) -> Self {
        let examples = if others.examples.is_empty() { &self.examples } else { &others.examples };
        let own = &self.constraints;
        let constraints = if others.constraints.is_empty() { own } else { &others.constraints };
        Self {
            title: others.title.clone().or_else(|| self.title.clone()),
            description: others.description.clone().or_else(|| self.description.clone()),
            default: others.default.clone().or_else(|| self.default.clone()),
            examples: examples.clone(),
            constraints: constraints.clone(),
        }
    }
}
