//! Doc comments.

use syn::{Attribute, Expr, Meta};

/// The text of each `#[doc = …]`: a literal, or a macro such as `include_str!`.
pub(crate) fn lines(attributes: &[Attribute]) -> Vec<Expr> {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"))
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(doc) => Some(doc.value.clone()),
            Meta::Path(_) | Meta::List(_) => None,
        })
        .collect()
}
