//! Lists in pages. A cursor is of one list as it was when it was given: of another it is an error.

use std::time::Duration;

use rmcp::model::{CacheScope, ErrorData, PaginatedRequestParams};
use rmcp::service::{RequestContext, RoleServer};
use serde::Serialize;

use super::era;
use super::sealed::{self, Bound};

/// Items of one page.
const ITEMS_MAX: usize = 500;
/// For how long a cursor is good.
const CURSOR_TTL: Duration = Duration::from_secs(3600);

/// For how long a client may take a list for what it was, in milliseconds. One that is told of
/// changes knows better.
const LIST_TTL_MS: u64 = 5_000;

/// How a list may be kept, where the era of `context` has words for that (MCP 2026-07-28, caching). One
/// that `is_early` not at all: more is being loaded. Where clients say who they are, each has a list of
/// its own.
pub(super) fn list_hints(
    context: &RequestContext<RoleServer>,
    is_early: bool,
) -> (Option<u64>, Option<CacheScope>) {
    if !era::is_stateless(context) {
        return (None, None);
    }
    let scope = match era::identity(context).principal {
        None => CacheScope::Public,
        Some(_) => CacheScope::Private,
    };
    (Some(if is_early { 0 } else { LIST_TTL_MS }), Some(scope))
}

/// The page of `items` that `asked` names, and the cursor of the next one.
///
/// # Errors
/// A cursor that is none, or of what the list was before.
pub(super) fn page<T: Clone + Serialize>(
    method: &str,
    items: &[T],
    asked: Option<&PaginatedRequestParams>,
) -> Result<(Vec<T>, Option<String>), ErrorData> {
    let cursor = asked.and_then(|asked| asked.cursor.as_deref());
    if cursor.is_none() && items.len() <= ITEMS_MAX {
        return Ok((items.to_vec(), None));
    }
    let bound = Bound::to_list(method, &items);
    let start = match cursor {
        None => 0,
        Some(cursor) => sealed::open::<usize>(cursor, &bound)
            .filter(|start| *start < items.len())
            .ok_or_else(|| {
                let text = "this is no cursor of the list as it is now; list from its beginning";
                ErrorData::invalid_params(text, None)
            })?,
    };
    let end = items.len().min(start + ITEMS_MAX);
    let next = (end < items.len()).then(|| sealed::seal(&end, &bound, CURSOR_TTL)).transpose()?;
    Ok((items[start..end].to_vec(), next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_all_of_a_list_in_order_and_a_cursor_is_of_that_list() {
        let items: Vec<usize> = (0..1201).collect();
        let mut seen = Vec::new();
        let mut cursor = None;
        let mut pages = 0;
        loop {
            let asked = PaginatedRequestParams::default().with_cursor(cursor);
            let (page, next) = page("tools/list", &items, Some(&asked)).unwrap();
            seen.extend(page);
            pages += 1;
            cursor = next;
            if cursor.is_none() {
                break;
            }
            let asked = PaginatedRequestParams::default().with_cursor(cursor.clone());
            assert!(super::page("prompts/list", &items, Some(&asked)).is_err());
            assert!(super::page("tools/list", &items[1..], Some(&asked)).is_err());
        }
        assert_eq!((seen, pages), (items, 3));
        for wrong in ["", "500", "x"] {
            let asked = PaginatedRequestParams::default().with_cursor(Some(wrong.to_owned()));
            assert!(page("tools/list", &[0; 1000], Some(&asked)).is_err(), "{wrong}");
        }
    }
}
