//! Who sent a request.

use rmcp::model::Extensions;

use crate::call::Caller;

/// Who it is, as the HTTP request says that brought it. Over stdio it is whoever started this program.
pub(super) fn caller(extensions: &Extensions) -> Caller {
    let parts = extensions.get::<http::request::Parts>();
    let known = parts.and_then(|parts| parts.extensions.get::<Caller>());
    known.cloned().unwrap_or_else(Caller::owner)
}
