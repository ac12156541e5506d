//! Lists, page by page.
//!
//! A cursor is good for the list that it was given for, and for no other.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rmcp::model::{ErrorData, Tool};
use sha2::{Digest as _, Sha256};

/// Tools on a page.
const PAGE_TOOLS_MAX: usize = 500;

/// Bytes of the digest of a list that a cursor holds.
const MARK_BYTES: usize = 12;

/// The page at `cursor`, and the cursor of the next one.
///
/// # Errors
/// When the cursor is not one of this list (-32602).
pub(super) fn page(
    tools: &[&Tool],
    cursor: Option<&str>,
) -> Result<(Vec<Tool>, Option<String>), ErrorData> {
    let mark = (cursor.is_some() || tools.len() > PAGE_TOOLS_MAX).then(|| mark(tools));
    let start = match (cursor, &mark) {
        (Some(cursor), Some(mark)) => start(cursor, mark).filter(|start| *start < tools.len()),
        (Some(_) | None, _) => Some(0),
    };
    let Some(start) = start else {
        let message = "the cursor is not one of this list, which may have changed; ask for it \
                       again without a cursor";
        return Err(ErrorData::invalid_params(message, None));
    };
    let end = (start + PAGE_TOOLS_MAX).min(tools.len());
    let page = tools[start..end].iter().map(|tool| (*tool).clone()).collect();
    let next = (end < tools.len()).then_some(end).zip(mark);
    Ok((page, next.map(|(end, mark)| write(end, &mark))))
}

/// What tells this list from others.
fn mark(tools: &[&Tool]) -> [u8; MARK_BYTES] {
    let mut hash = Sha256::new();
    for tool in tools {
        hash.update(serde_json::to_vec(tool).unwrap_or_default());
    }
    let mut mark = [0; MARK_BYTES];
    mark.copy_from_slice(&hash.finalize()[..MARK_BYTES]);
    mark
}

fn write(start: usize, mark: &[u8; MARK_BYTES]) -> String {
    let start = u32::try_from(start).unwrap_or(u32::MAX).to_be_bytes();
    URL_SAFE_NO_PAD.encode([start.as_slice(), mark].concat())
}

fn start(cursor: &str, mark: &[u8; MARK_BYTES]) -> Option<usize> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (start, of) = bytes.split_first_chunk::<4>()?;
    let start = usize::try_from(u32::from_be_bytes(*start)).ok()?;
    (of == mark && start > 0 && start % PAGE_TOOLS_MAX == 0).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(count: usize) -> Vec<Tool> {
        let named = |number| {
            let mut tool = Tool::default();
            tool.name = format!("tool_{number}").into();
            tool
        };
        (0..count).map(named).collect()
    }

    fn names(tools: &[Tool]) -> Vec<&str> {
        tools.iter().map(|tool| tool.name.as_ref()).collect()
    }

    #[test]
    fn pages_together_are_the_list() {
        for count in [0, 1, PAGE_TOOLS_MAX, PAGE_TOOLS_MAX + 1, 3 * PAGE_TOOLS_MAX] {
            let list = tools(count);
            let all: Vec<&Tool> = list.iter().collect();
            let (mut seen, mut cursor) = (Vec::new(), None);
            for _ in 0..count.div_ceil(PAGE_TOOLS_MAX).max(1) {
                let (page, next) = page(&all, cursor.as_deref()).unwrap();
                seen.extend(page);
                cursor = next;
            }
            assert_eq!(cursor, None);
            assert_eq!(names(&seen), names(&list));
        }
    }

    #[test]
    fn a_cursor_of_another_list_or_of_none_is_refused() {
        let (list, other) = (tools(PAGE_TOOLS_MAX + 1), tools(PAGE_TOOLS_MAX + 2));
        let all: Vec<&Tool> = list.iter().collect();
        let (_, cursor) = page(&other.iter().collect::<Vec<_>>(), None).unwrap();
        let (_, own) = page(&all, None).unwrap();
        let own = own.unwrap();
        assert!(page(&all, Some(&own)).is_ok());
        for wrong in [cursor.unwrap(), String::new(), "AAAA".to_owned(), own[1..].to_owned()] {
            let error = page(&all, Some(&wrong)).unwrap_err();
            assert_eq!(error.code.0, -32602, "{wrong}");
        }
    }
}
