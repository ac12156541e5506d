//! For how long clients may keep a list, and for whom (MCP 2026-07-28, caching).

use rmcp::model::{CacheScope, ListToolsResult, ProtocolVersion};

use crate::call::{Allowed, Caller};

/// For how long a list is fresh. A client that listens is told of changes before.
const FRESH_MS: u64 = 5_000;

/// Says so in `list`, which was made for `caller`; earlier versions have no words for it. One that
/// `is_early` is not fresh at all: more is being loaded.
pub(super) fn hint(
    list: &mut ListToolsResult,
    caller: &Caller,
    is_early: bool,
    version: Option<ProtocolVersion>,
) {
    if version.is_none_or(|version| version < ProtocolVersion::V_2026_07_28) {
        return;
    }
    list.ttl_ms = Some(if is_early { 0 } else { FRESH_MS });
    list.cache_scope = Some(match (&caller.principal, &caller.allowed) {
        (None, Allowed::All) => CacheScope::Public,
        (Some(_), _) | (_, Allowed::These(_)) => CacheScope::Private,
    });
}
