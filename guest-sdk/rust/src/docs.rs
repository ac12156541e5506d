//! Doc comments as descriptions.

/// The text of a doc comment, given its lines as the compiler has them: without the space that
/// stands after the slashes, and without blank ends. None: nothing is written.
pub(crate) fn text(lines: &[&str]) -> Option<String> {
    let lines: Vec<&str> = lines.iter().flat_map(|it| it.split('\n')).collect();
    let indent = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()?;
    let lines: Vec<&str> =
        lines.iter().map(|line| line.get(indent..).unwrap_or_default().trim_end()).collect();
    Some(lines.join("\n").trim_matches('\n').to_owned())
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn lines_lose_the_space_after_the_slashes_and_keep_their_own() {
        let lines = [" A list:", "", " - one", "   more of one", " "];
        assert_eq!(text(&lines).unwrap(), "A list:\n\n- one\n  more of one");
    }

    #[test]
    fn a_block_comment_is_text_too() {
        assert_eq!(text(&["\n    First.\n    Second.\n"]).unwrap(), "First.\nSecond.");
    }

    #[test]
    fn nothing_is_none() {
        assert_eq!(text(&[]), None);
        assert_eq!(text(&[" ", ""]), None);
    }
}
